import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { JqFilters, jq } from '../../src/expression/jq/jq.js';
import { Double } from '../../src/expression/routes.js';
import { answerOf, exchangeOf, expressionModel, failureOf, failureTypes } from './exchange-support.js';

// Slow: jq, compiled to WebAssembly, takes a third of a second to load, and once more behind a filter that is ended.
describe('jq', () => {
  let filters: JqFilters;
  before(() => {
    filters = new JqFilters();
  });
  after(() => filters.close());

  const language = () => jq(filters, { convert: (value, type) => `${type}(${value})` });
  const ask = (text: string, body: unknown, options = {}) => {
    const exchange = exchangeOf(body, { Name: 'rye', List: [1] }, { properties: new Map([['p', 5]]) });
    exchange.variables.set('v', 'var');
    exchange.context.globalVariables.set('g', 'glob');
    return language().expression(expressionModel('jq', text, options))(exchange);
  };
  const value = (text: string, body: unknown, options = {}) => answerOf(ask(text, body, options));
  const ORDER = '{"id": 7, "lines": [{"name": "rye", "price": 3.5}, {"name": "oat", "price": 12}]}';

  it('gives one value, several as a list, and null for none', async () => {
    assert.equal(await value('.id', ORDER), 7);
    assert.deepEqual(await value('.lines[].name', ORDER), ['rye', 'oat']);
    assert.deepEqual(await value('.lines | map(select(.price > 10))', ORDER), [{ name: 'oat', price: 12 }]);
    assert.equal(await value('empty', ORDER), null);
    assert.equal(await value('.none', ORDER), null);
  });

  it('keeps numbers exact', async () => {
    assert.deepEqual(await value('.', '[12345678901234567890, 5.0]'), [12345678901234567890n, new Double(5)]);
  });

  it('reads texts, bytes, streams, maps and lists, and a source', async () => {
    assert.equal(await value('.id', Buffer.from(ORDER)), 7);
    assert.equal(await value('.id', Readable.from([ORDER])), 7);
    assert.equal(await value('.a', { a: 'x\ny' }), 'x\ny');
    assert.equal(await value('.[1]', [1, 2]), 2);
    assert.equal(await value('.[0]', 'none', { source: 'header:list' }), 1);
  });

  it("has Camel's functions of headers, properties and variables", async () => {
    assert.equal(await value('header("NAME")', '{}'), 'rye');
    assert.equal(await value('header("none")', '{}'), null);
    assert.equal(await value('header("none"; "else")', '{}'), 'else');
    assert.deepEqual(await value('.x = property("p") | .y = variable("v") | .z = variable("global:g")', '{}'), {
      x: '5',
      y: 'var',
      z: 'glob',
    });
    assert.equal(await value('constant(3)', '{}'), 3);
  });

  it('converts to the result type; holds where the value is true, or a list that is not empty', async () => {
    assert.equal(await value('.id', ORDER, { resultType: 'String' }), 'String(7)');
    const holds = (text: string) => answerOf(language().predicate(expressionModel('jq', text))(exchangeOf(ORDER)));
    assert.equal(await holds('.id == 7'), true);
    assert.equal(await holds('.id == 8'), false);
    assert.equal(await holds('.id'), false);
    assert.equal(await holds('.lines'), true);
  });

  it('fails for a filter that cannot be read or throws, and for a body that is no JSON, or none', async () => {
    const failed = ['org.apache.camel.RuntimeCamelException', 'net.thisptr.jackson.jq.exception.JsonQueryException'];
    for (const [text, body] of [
      ['.a |', '{}'],
      ['error("no luck")', '{}'],
      ['.a', '{"a": '],
      ['.a.b', '{"a": 1}'],
    ] as const) {
      assert.deepEqual(failureTypes(await failureOf(() => ask(text, body))), failed, text);
    }
    assert.deepEqual(failureTypes(await failureOf(() => ask('.', null))), ['org.apache.camel.InvalidPayloadException']);
    assert.match(String(await failureOf(() => ask('.', `"${'x'.repeat(9_000_000)}"`))), /at most 8388608 characters/);
  });

  it('takes documents of any size up to its limit', async () => {
    const rows = Array.from({ length: 10_000 }, (_, id) => ({ id, name: 'rye'.repeat(5) }));
    assert.equal(await value('map(.id) | add', rows), 49_995_000);
  });

  it('answers any number of filters: jq itself would break behind a few hundred', async () => {
    const answers: unknown[] = [];
    for (let i = 0; i < 500; i++) answers.push(await value('.a | map(. * 2)', `{"a": [${i}]}`));
    assert.deepEqual(answers.slice(-2), [[996], [998]]);
  });

  it('fails one exchange alone where it is ended: by time, by memory, or with its thread', async () => {
    const [endless, fat, fine] = await Promise.all([
      failureOf(() => ask('def f: f; f', '{}')),
      failureOf(() => ask('[range(1e9)] | length', '{}')),
      value('.id', ORDER),
    ]);
    assert.match(String(endless), /took longer than 1000 ms/);
    assert.match(String(fat), /took longer|memory|Aborted|ended/);
    assert.equal(fine, 7);
    assert.equal(await value('.id', ORDER), 7);
  });
});
