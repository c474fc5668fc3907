import assert from 'node:assert/strict';
import { convertMandatory } from '../../../src/expression/routes.js';
import { answer, bodyOf } from './asked.js';
import { CONVERSIONS } from './conversion-rows.js';

describe("Camel's conversion of types", () => {
  for (const [body, type, result] of CONVERSIONS) {
    it(`makes ${JSON.stringify(result)} of ${body} as ${type}`, async () => {
      assert.equal(await answer(() => convertMandatory(bodyOf(body), type)), result);
    });
  }
});
