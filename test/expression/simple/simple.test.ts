import assert from 'node:assert/strict';
import { languageOf } from '../../../src/expression/routes.js';
import { answer, bodyOf, exchangeWith } from './asked.js';
import { EXPRESSIONS } from './expression-rows.js';
import { PREDICATES } from './predicate-rows.js';

const simple = languageOf('simple');
const model = (text: string) => ({ language: 'simple', text, options: { trim: 'false' }, at: { line: 1, column: 1 } });

describe("Camel's Simple", () => {
  describe('as a predicate', () => {
    for (const [body, text, result] of PREDICATES) {
      it(`${text} of ${body} is ${result}`, async () => {
        const found = await answer(() => simple.predicate(model(text))(exchangeWith(bodyOf(body))));
        assert.equal(found, result.replace(/^boolean/, 'java.lang.Boolean'));
      });
    }
  });

  describe('as an expression', () => {
    for (const [body, text, result] of EXPRESSIONS) {
      it(`${JSON.stringify(text)} of ${body} is ${JSON.stringify(result)}`, async () => {
        assert.equal(await answer(() => simple.expression(model(text))(exchangeWith(bodyOf(body)))), result);
      });
    }
  });
});
