import assert from 'node:assert/strict';
import { RouteParser } from '../../../src/eip/model/route-parser.js';
import { validationOf } from '../../../src/eip/model/route-problems.js';
import { ROUTE_LIMITS } from '../../../src/eip/model/written.js';

const good = '- route: {id: a, from: {uri: direct:a, steps: [{to: mock:a}]}}';

describe('the parser of routes', () => {
  let parser: RouteParser;
  beforeEach(() => {
    parser = new RouteParser();
  });
  afterEach(() => parser.close());

  it('reads YAML and XML, each by how it begins', async () => {
    const [yaml, xml] = await Promise.all([
      parser.parse({ text: good }),
      parser.parse({ text: '\n<route id="b"><from uri="direct:b"/></route>' }),
    ]);
    assert.deepEqual([yaml.file?.routes[0]?.id, xml.file?.routes[0]?.id], ['a', 'b']);
  });

  it('tells what is wrong, and what is doubtful', async () => {
    const wrong = validationOf(await parser.parse({ text: '- from: {uri: direct:a, steps: [{x: {}}]}', name: 'in' }));
    assert.equal(wrong.valid, false);
    assert.deepEqual(
      wrong.errors.map(({ line, column, element }) => [line, column, element]),
      [[1, 34, 'x']],
    );
    const doubtful = validationOf(
      await parser.parse({
        text: '- from: {uri: direct:a, steps: [{resequence: {simple: a, steps: [{stop: {}}]}}]}',
        name: 'in',
      }),
    );
    assert.equal(doubtful.valid, true);
    assert.deepEqual(
      doubtful.warnings.map(({ message }) => message),
      [
        'expected an id for route, but found none: it is called in-1',
        'resequence keeps its state in memory: a restart begins anew',
      ],
    );
  });

  it('gives the text of each route, converts a definition, and edits it', async () => {
    const text = '- from: {uri: direct:a, steps: [{stop: {}}]} # one\n- from: {uri: direct:b, steps: []}\n';
    const { sources, file } = await parser.parse({ text });
    assert.deepEqual(sources[1], { format: 'yaml', text: '- from: {uri: direct:b, steps: []}\n' });
    const xml = await parser.convert({ text: sources[0]?.text ?? '' }, 'xml');
    assert.equal(xml, '<route>\n  <from uri="direct:a"/>\n  <stop/>\n</route>\n');
    assert.equal(await parser.convert({ text: 'no route' }, 'xml'), null);
    const at = file?.routes[1]?.at ?? assert.fail('no route');
    assert.equal(await parser.replace(text, at, null), text.slice(0, text.indexOf('- from: {uri: direct:b')));
  });

  it('refuses what is too large before it goes to the thread', () =>
    assert.rejects(parser.parse({ text: ' '.repeat(ROUTE_LIMITS.bytes + 1) }), {
      code: 'LIMIT_EXCEEDED',
      message: /4194304 bytes/,
    }));

  it('ends a definition that takes too long, and goes on with the next', async () => {
    const slow = new RouteParser({ budgetMs: 150 });
    try {
      await slow.parse({ text: good });
      // The YAML parser compares each name with all before it.
      const bomb = `- ${Array.from({ length: 300_000 }, (_, n) => `k${n}: 1`).join('\n  ')}`;
      const ended = slow.parse({ text: bomb });
      const next = slow.parse({ text: good });
      await assert.rejects(ended, { code: 'LIMIT_EXCEEDED', message: /read within 150 ms/ });
      assert.equal((await next).file?.routes.length, 1);
    } finally {
      await slow.close();
    }
  });
});
