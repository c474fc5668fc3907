import assert from 'node:assert/strict';
import {
  Exchange,
  ExchangeFailure,
  languageOf,
  StreamCache,
  textOf,
  typeName,
} from '../../../src/expression/routes.js';
import { CONTEXT } from '../simple/asked.js';
import { TOKENIZE_ROWS, type TokenizeRow } from './tokenize-rows.js';

const at = { line: 1, column: 1 };

function itemsOf(body: unknown, [language, text, options]: TokenizeRow | readonly [string, string, object]) {
  const exchange = new Exchange(CONTEXT, { routeId: 'r', endpointUri: 'direct:x' });
  exchange.body = body;
  exchange.headers.set('h', '1;2;3');
  exchange.headers.set('sep', ';');
  return languageOf(language).expression({ language, text, options: { ...options }, at })(
    exchange,
  ) as AsyncIterable<unknown>;
}

async function shown(body: unknown, row: TokenizeRow): Promise<string> {
  try {
    let all = '';
    for await (const item of itemsOf(body, row)) {
      const type = typeof item === 'string' ? '' : `(${typeName(item).replace(/.*\./, '')})`;
      all += `«${textOf(item)}»${type}`;
    }
    return all;
  } catch (thrown) {
    if (thrown instanceof ExchangeFailure) return 'ERROR';
    throw thrown;
  }
}

/** A stream of single bytes. */
const bytewise = (text: string): StreamCache =>
  new StreamCache({
    async *[Symbol.asyncIterator]() {
      for (const byte of Buffer.from(text)) yield Buffer.from([byte]);
    },
  });

describe('tokenize and xtokenize', () => {
  for (const row of TOKENIZE_ROWS) {
    const [language, text, options, body, items] = row;
    const name = `${language} ${text} ${JSON.stringify(options)} of ${JSON.stringify(body)}`;
    it(`${name} gives ${JSON.stringify(items)}`, async () => {
      assert.equal(await shown(body, row), items);
    });
    if (body === null) continue;
    it(`${name} gives the same where it comes byte by byte`, async () => {
      assert.equal(await shown(bytewise(body), row), items);
    });
  }

  it('asks a stream only for what it gives: one without an end gives its first items', async () => {
    const endless = {
      async *[Symbol.asyncIterator]() {
        for (let n = 0; ; n++) yield `${n},`;
      },
    };
    const found: unknown[] = [];
    for await (const item of itemsOf(endless, ['tokenize', '', { token: ',' }])) if (found.push(item) === 3) break;
    assert.deepEqual(found, ['0', '1', '2']);
  });

  it('gives an empty element, a comment and CDATA as they are written', async () => {
    const body = '<a><b/><b><!-- </b> --><![CDATA[</b>]]></b></a>';
    assert.equal(await shown(body, ['xtokenize', '//b', {}, body, '']), '«<b/>»«<b><!-- </b> --><![CDATA[</b>]]></b>»');
  });

  it('refuses XML whose tags do not fit, and an internal DTD', async () => {
    for (const body of ['<a><b></a>', '<a>', '<!DOCTYPE a [<!ENTITY x "y">]><a/>']) {
      assert.equal(await shown(body, ['xtokenize', '//b', {}, body, '']), 'ERROR');
    }
  });
});
