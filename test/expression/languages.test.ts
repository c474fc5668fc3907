import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { JqFilters, languagesOf, StreamCache } from '../../src/expression/routes.js';
import { answerOf, exchangeContext, exchangeOf, expressionModel, failureOf, failureTypes } from './exchange-support.js';

describe('the languages of routes', () => {
  it('refuse by name what runs on Java, and what nobody knows; csimple is Simple', async () => {
    const find = languagesOf();
    for (const name of ['groovy', 'python', 'mvel', 'ognl', 'spel', 'datasonnet', 'java', 'joor', 'xquery']) {
      const thrown = await failureOf(() => find(name));
      assert.deepEqual(failureTypes(thrown), ['org.apache.camel.NoSuchLanguageException']);
      assert.match(String(thrown), new RegExp(`${name} is not supported here; expected one of .*simple`));
    }
    assert.match(String(await failureOf(() => find('smple'))), /No language could be found for: smple/);
    const value = find('csimple').expression(expressionModel('csimple', 'a ${body}'))(exchangeOf('b'));
    assert.equal(value, 'a b');
  });

  it('convert by the rules of Camel, and read what Simple and beans say', async () => {
    const filters = new JqFilters();
    const find = languagesOf(undefined, filters);
    const ask = (language: string, text: string, body: unknown, options = {}) =>
      answerOf(
        find(language).expression(expressionModel(language, text, options))(
          exchangeOf(body, { name: 'oat' }, {}, exchangeContext({ twice: (it: string) => it + it })),
        ),
      );
    const lines = '{"lines": [{"name": "rye", "price": "3"}, {"name": "oat", "price": "12"}]}';
    assert.equal(
      await ask('jsonpath', '$.lines[?(@.name == "${header.name}")].price', lines, {
        resultType: 'int',
        unpackArray: true,
      }),
      12,
    );
    assert.equal(await ask('jq', '.lines[1].price', lines, { resultType: 'int' }), 12);
    assert.equal(
      await ask('xpath', "concat(/a, function:simple('${header.name}'))", '<a>1</a>', { resultType: 'String' }),
      '1oat',
    );
    assert.equal(await ask('xpath', '/a', '<a>1</a>', { resultType: 'int' }), 1);
    assert.equal(await ask('method', 'twice', 'x'), 'xx');
    await filters.close();
  });

  it('read a stream that can be read again, any number of times', async () => {
    const exchange = exchangeOf(new StreamCache(Readable.from(['{"a": ', '1}'])));
    const expression = languagesOf()('jsonpath').expression(expressionModel('jsonpath', '$.a'));
    assert.equal(await answerOf(expression(exchange)), 1);
    assert.equal(expression(exchange), 1);
  });
});
