import assert from 'node:assert/strict';
import { ModelParser } from '../../../src/engine/model/model-parser.js';
import { MODEL_LIMITS } from '../../../src/engine/model/scan-xml.js';
import type { ErrorCode, ServiceError } from '../../../src/shared/errors.js';
import { bpmn, element, extended, line } from '../../support/bpmn.js';

const good = bpmn(line(['work'], element('task', 'work')));
const code = (expected: ErrorCode, message: RegExp) => (error: Error & { code?: string }) => {
  assert.equal(error.code, expected);
  assert.match(error.message, message);
  return true;
};

describe('the parser of models', () => {
  let parser: ModelParser;
  beforeEach(() => {
    parser = new ModelParser();
  });
  afterEach(() => parser.close());

  it('gives the program of a model', async () => {
    const { programs, problems } = await parser.parse(good);
    assert.deepEqual(problems, []);
    assert.equal(programs[0]?.elements.length, 4);
  });

  it('gives many models their own answers', async () => {
    const parsed = await Promise.all(
      Array.from({ length: 20 }, (_, n) => parser.parse(good.replace('"p"', `"p${n}"`))),
    );
    assert.deepEqual(
      parsed.map(({ programs }) => programs[0]?.key),
      Array.from({ length: 20 }, (_, n) => `p${n}`),
    );
  });

  it('gives the problems of a model that cannot run', async () => {
    const { programs, problems } = await parser.parse(good.replaceAll('bpmn:task', 'bpmn:callActivity'));
    assert.deepEqual(programs, []);
    assert.match(problems[0]?.message ?? '', /call activity 'work'/);
  });

  it('refuses document type declarations and entities', async () => {
    const bomb = `<!DOCTYPE x [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;">]>`;
    await assert.rejects(parser.parse(good.replace('?>', `?>${bomb}`)), code('BAD_REQUEST', /no DOCTYPE .* line 1/));
    await assert.rejects(parser.parse(good.replace('?>', '?><!ENTITY a "b">')), code('BAD_REQUEST', /no DOCTYPE/));
    await assert.rejects(
      parser.parse(bpmn(line(['a'], element('task', 'a', { name: 'x' }))).replace('"x"', '"&xxe;"')),
      code('BAD_REQUEST', /only XML's own entities .* found '&xxe;/),
    );
  });

  it('accepts in scripts, comments and texts what looks like a declaration', async () => {
    const script = '<bpmn:script><![CDATA[ page = "<!DOCTYPE html>&nbsp;" ]]></bpmn:script>';
    const body = `<!-- <!DOCTYPE x> &foo; --><bpmn:documentation>a &amp; b &#8364; &#xe9;</bpmn:documentation>`;
    const xml = bpmn(body + line(['a'], element('scriptTask', 'a', { scriptFormat: 'js' }, script)));
    assert.deepEqual((await parser.parse(xml)).problems, []);
  });

  it('refuses what is no character of XML 1.0, with line and column, wherever it is', async () => {
    const named = (name: string) =>
      bpmn(`<!-- a\n -->${line(['a'], element('task', 'a', { name: 'x' }))}`).replace('"x"', `"${name}"`);
    const refused: Readonly<Record<string, RegExp>> = {
      'a\0': /U\+0000/,
      '\u0008': /U\+0008/,
      '\ud800': /U\+D800/,
      '\udfff\ud83d': /U\+DFFF/,
      '\ufffe': /U\+FFFE/,
      '&#0;': /'&#0;'/,
      '&#xD800;': /'&#xD800;'/,
      '&#x110000;': /'&#x110000;'/,
      '&#99999999999;': /'&#99999999999;'/,
    };
    for (const [name, found] of Object.entries(refused)) {
      const xml = named(name);
      await assert.rejects(parser.parse(xml), (thrown: ServiceError) => {
        assert.equal(thrown.code, 'BAD_REQUEST');
        assert.match(thrown.message, /only characters that XML 1.0 has in the model, but found .* in line \d+$/);
        assert.match(thrown.message, found);
        const [{ line: at, column }] = (thrown.info.details as { problems: [{ line: number; column: number }] })
          .problems;
        const offset =
          xml
            .split('\n')
            .slice(0, at - 1)
            .join('\n').length + column;
        assert.ok(xml.slice(offset).startsWith(name.replace('a', '')), `line ${at}, column ${column}`);
        return true;
      });
    }
    for (const inside of ['<!-- \0 -->', '<![CDATA[\0]]>', '<?a \0?>']) {
      await assert.rejects(
        parser.parse(good.replace('</bpmn:definitions>', `${inside}</bpmn:definitions>`)),
        /U\+0000/,
      );
    }
    for (const name of ['\t', 'ü€\ud83d\ude00\ufffd', '&#9;&#x1F600;', '\u0085']) {
      assert.deepEqual((await parser.parse(named(name))).problems, []);
    }
  });

  it('refuses reserved ids', async () => {
    for (const id of ['__proto__', 'constructor', 'prototype']) {
      const xml = bpmn(line([id], element('task', id)));
      await assert.rejects(parser.parse(xml), code('BAD_REQUEST', /an id other than a reserved name/));
    }
  });

  it('refuses models beyond its limits', async () => {
    const nested = (levels: number) => '<a:x>'.repeat(levels) + '</a:x>'.repeat(levels);
    const withExtension = (content: string) =>
      bpmn(line(['a'], element('task', 'a', {}, extended(content)))).replace(
        '<bpmn:definitions',
        '<bpmn:definitions xmlns:a="urn:a"',
      );
    assert.deepEqual((await parser.parse(withExtension(nested(90)))).problems, []);
    const exceeded = (message: RegExp) => code('LIMIT_EXCEEDED', message);
    await assert.rejects(parser.parse(withExtension(nested(100))), exceeded(/100 levels/));
    await assert.rejects(
      parser.parse(withExtension('<a:x/>'.repeat(MODEL_LIMITS.elements))),
      exceeded(/20000 elements/),
    );
    await assert.rejects(parser.parse(' '.repeat(MODEL_LIMITS.bytes + 1)), exceeded(/4194304 bytes/));
    await assert.rejects(parser.parse('é'.repeat(MODEL_LIMITS.bytes / 2 + 1)), exceeded(/4194304 bytes/));
    const siblings = Array.from({ length: 200 }, (_, n) => `<n${n}:x xmlns:n${n}="urn:${n}"/>`).join('');
    assert.deepEqual((await parser.parse(withExtension(siblings))).problems, []);
    const namespaces = Array.from({ length: 80 }, (_, n) => `<n${n}:x xmlns:n${n}="urn:${n}">`);
    const ends = namespaces.map((_, n) => `</n${79 - n}:x>`);
    await assert.rejects(
      parser.parse(withExtension([...namespaces, ...ends].join(''))),
      exceeded(/64 namespace declarations at a time/),
    );
  });

  it('ends a model that takes too long, keeps the event loop free, and goes on with the next', async () => {
    const slow = new ModelParser({ budgetMs: 150 });
    try {
      await slow.parse(good);
      // Every unreadable element makes the XML parser count lines from the start of the text.
      const bomb = bpmn('\n<bpmn:x/>'.repeat(19_000) + '\n'.repeat(3_000_000));
      let ticks = 0;
      const ticker = setInterval(() => ticks++, 5);
      const [first, second] = await Promise.allSettled([slow.parse(bomb), slow.parse(good)]);
      clearInterval(ticker);
      assert.ok(first.status === 'rejected' && code('LIMIT_EXCEEDED', /within 150 ms/)(first.reason));
      assert.ok(second.status === 'fulfilled' && second.value.programs.length === 1);
      assert.ok(ticks > 5, `${ticks} ticks`);
    } finally {
      await slow.close();
    }
  });

  it('refuses more than may wait', async () => {
    const narrow = new ModelParser({ waitingMax: 2 });
    const results = await Promise.allSettled([1, 2, 3, 4].map(() => narrow.parse(good)));
    await narrow.close();
    const refused = results.filter((result) => result.status === 'rejected');
    assert.equal(refused.length, 2);
    for (const { reason } of refused) code('UNAVAILABLE', /fewer than 2 models/)(reason);
  });

  it('refuses what waits when it is closed, and everything after', async () => {
    const waiting = assert.rejects(parser.parse(good), code('UNAVAILABLE', /closed/));
    await parser.close();
    await waiting;
    await assert.rejects(parser.parse(good), code('UNAVAILABLE', /closed/));
  });
});
