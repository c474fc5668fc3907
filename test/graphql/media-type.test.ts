import assert from 'node:assert/strict';
import { acceptable, isJson } from '../../src/graphql/http/request-head.js';

const JSON_TYPE = 'application/json';
const RESPONSE_TYPE = 'application/graphql-response+json';

describe('media types', () => {
  for (const [accept, json, eventStream] of [
    [undefined, JSON_TYPE, false],
    ['', JSON_TYPE, false],
    ['*/*', JSON_TYPE, false],
    ['application/*', JSON_TYPE, false],
    ['application/json', JSON_TYPE, false],
    ['application/json; charset=utf-8', JSON_TYPE, false],
    ['application/json; charset=latin1', null, false],
    [RESPONSE_TYPE, RESPONSE_TYPE, false],
    [`${RESPONSE_TYPE}, application/json`, RESPONSE_TYPE, false],
    [`application/json, ${RESPONSE_TYPE}`, JSON_TYPE, false],
    [`application/json;q=0.5, ${RESPONSE_TYPE};q=0.9`, RESPONSE_TYPE, false],
    [`${RESPONSE_TYPE};q=0.1, application/json`, JSON_TYPE, false],
    ['application/json;q=0, */*', RESPONSE_TYPE, false],
    ['text/event-stream', null, true],
    ['TEXT/Event-Stream', null, true],
    ['application/json, text/event-stream;q=0.2', JSON_TYPE, true],
    ['text/event-stream;q=0', null, false],
    ['text/html, */*;q=0.1', JSON_TYPE, false],
    ['text/html', null, false],
    ['nonsense;q=x', null, false],
  ] as const) {
    it(`reads Accept: ${accept}`, () => {
      assert.deepEqual(acceptable(accept), { json, eventStream });
      assert.deepEqual(acceptable(accept), { json, eventStream }, 'the second time');
    });
  }

  it('takes only JSON in UTF-8 as a body', () => {
    for (const good of [JSON_TYPE, 'application/json; charset=UTF-8', 'Application/JSON;charset="utf-8"'])
      assert.ok(isJson(good), good);
    for (const bad of [
      undefined,
      '',
      'text/plain',
      'application/json; charset=utf-16',
      'multipart/form-data',
      'application/graphql',
    ]) {
      assert.ok(!isJson(bad), bad);
    }
  });
});
