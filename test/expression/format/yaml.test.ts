import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Double } from '../../../src/expression/routes.js';
import { failureOf, failureTypes } from '../exchange-support.js';
import { formatOf, marshalled, unmarshalled } from './format-support.js';

describe('yaml', () => {
  const read: readonly (readonly [text: string, value: unknown])[] = [
    ['a: 1\nb: [1, 2]\nc: {d: e}', { a: 1, b: [1, 2], c: { d: 'e' } }],
    ['a: 1.0\nb: 1e3\nc: 1.5e3\nd: .5', { a: new Double(1), b: new Double(1000), c: new Double(1500), d: 0.5 }],
    ['[yes, no, on, off, TRUE, y, n, Y]', [true, false, true, false, true, 'y', 'n', 'Y']],
    ['[~, null, "", 0x1F, 017, 0o17, 1_000, 0b101, 09, +5]', [null, null, '', 31, 15, '0o17', 1000, 5, '09', 5]],
    [
      '[190:20:30, 12345678901234567890, .inf, .NaN]',
      [685230, 12345678901234567890n, Number.POSITIVE_INFINITY, Number.NaN],
    ],
    ['[2001-01-01, 2001-12-14t21:59:43.10-05:00]', [new Date('2001-01-01'), new Date('2001-12-15T02:59:43.100Z')]],
    ['a: &x {b: 1}\nc: *x', { a: { b: 1 }, c: { b: 1 } }],
    ['a: &x {k: 1}\nb:\n  <<: *x\n  j: 2', { a: { k: 1 }, b: { k: 1, j: 2 } }],
    ['a: 1\na: 2', { a: 2 }],
    [
      '1: a\ntrue: b',
      new Map<unknown, unknown>([
        [1, 'a'],
        [true, 'b'],
      ]),
    ],
    ['a: |\n  x\n  y\n', { a: 'x\ny\n' }],
    ['!!binary aGk=', Buffer.from('hi')],
    ['', null],
    ['text', 'text'],
  ];
  for (const [text, value] of read) {
    it(`reads ${JSON.stringify(text)} as SnakeYAML does`, async () =>
      assert.deepEqual(await unmarshalled('yaml', text), value));
  }

  const refused = [
    '---\na: 1\n---\nb: 2',
    '!!java.util.Date 2001-01-01',
    '!!javax.script.ScriptEngineManager [x]',
    '!foo x',
    '[a, b',
    '"open',
    '&a [1, *a]',
  ];
  for (const text of refused) {
    it(`refuses ${JSON.stringify(text)}`, async () => {
      const thrown = await failureOf(() => unmarshalled('yaml', text));
      assert.deepEqual(failureTypes(thrown), ['org.yaml.snakeyaml.error.YAMLException']);
    });
  }

  it('refuses depth, length, and names that grow: a hundred laughs', async () => {
    const message = async (text: string) => String(await failureOf(() => unmarshalled('yaml', text)));
    assert.match(await message('['.repeat(100) + ']'.repeat(100)), /Nesting Depth exceeded max 50/);
    assert.match(await message('a'.repeat(3_200_000)), /exceeds the limit: 3145728/);
    const laughs = Array.from(
      { length: 9 },
      (_, n) =>
        `l${n}: &l${n} [${
          n === 0
            ? 'ha'
            : Array(9)
                .fill(`*l${n - 1}`)
                .join(', ')
        }]`,
    ).join('\n');
    assert.match(await message(laughs), /[Aa]lias/);
  });

  const written: readonly (readonly [value: unknown, text: string])[] = [
    [
      {
        a: 1,
        n: null,
        l: [1, 2],
        m: { k: `<&>"'` },
        e: [],
        s: '',
        d: new Double(5),
        ll: [[1, 2], [3]],
        lm: [{ x: 1 }, { x: 2 }],
        mm: {},
      },
      `a: 1\nn: null\nl: [1, 2]\nm: {k: <&>"'}\ne: []\ns: ''\nd: 5.0\nll:\n- [1, 2]\n- [3]\nlm:\n- {x: 1}\n- {x: 2}\nmm: {}\n`,
    ],
    [{ a: [{ b: [1, { c: 2 }] }, [1, [2]]] }, 'a:\n- b:\n  - 1\n  - {c: 2}\n- - 1\n  - [2]\n'],
    [[1, 'a'], '[1, a]\n'],
    ['text', 'text\n'],
    [{ true: 1 }, "{'true': 1}\n"],
    [1e10 + 0.5, '1.00000000005E10\n'],
    [Number.NaN, '.NaN\n'],
    [{ a: 'x\ny', b: Buffer.from([1, 2]) }, 'a: |-\n  x\n  y\nb: !!binary |-\n  AQI=\n'],
    [
      [
        'true',
        'no',
        '1.5',
        '',
        ' a',
        'a: b',
        'a #b',
        '- a',
        "'q'",
        '*x',
        '2001-01-01',
        'y',
        '=',
        '<<',
        '?',
        'a:',
        'a\tb',
      ].join('|'),
      "'true|no|1.5|| a|a: b|a #b|- a|''q''|*x|2001-01-01|y|=|<<|?|a:|a\\tb'\n".replace(
        /^'.*'\n$/,
        '"true|no|1.5|| a|a: b|a #b|- a|\'q\'|*x|2001-01-01|y|=|<<|?|a:|a\\tb"\n',
      ),
    ],
    [
      ['true', 'no', '1.5', '', ' a', 'a: b', '*x', '2001-01-01', 'y', '=', 'a:'],
      "['true', 'no', '1.5', '', ' a', 'a: b', '*x', '2001-01-01', y, =, 'a:']\n",
    ],
  ];
  for (const [value, text] of written) {
    it(`writes ${JSON.stringify(text)} as SnakeYAML does`, async () =>
      assert.equal(await marshalled('yaml', value), text));
  }

  it('writes in lines with prettyFlow', async () => {
    assert.equal(await marshalled('yaml', { a: 1, b: 'x' }, { prettyFlow: true }), '{\n  a: 1,\n  b: x\n}\n');
  });

  it('refuses options of Java', async () => {
    assert.match(
      String(await failureOf(() => formatOf('yaml', { unmarshalType: 'com.acme.Order' }))),
      /com\.acme\.Order is not supported/,
    );
    assert.match(
      String(await failureOf(() => formatOf('yaml', { allowAnyType: true }))),
      /allowAnyType is not supported/,
    );
  });

  it('reads again what it has written', async () => {
    const text = fc.string({
      unit: fc.constantFrom('a', ' ', ':', '-', '#', "'", '"', '\n', '\t', '1', '.', '{', ',', 'é', '~', 'y'),
    });
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, text, fc.integer(), fc.boolean(), fc.constant(null), tie('list'), tie('map')),
      list: fc.array(tie('value'), { maxLength: 4 }),
      map: fc.dictionary(
        text.filter((name) => !/^\d+$/.test(name)),
        tie('value'),
        { maxKeys: 4 },
      ),
    }));
    await fc.assert(
      fc.asyncProperty(value, async (given) => {
        const again = await unmarshalled('yaml', await marshalled('yaml', given));
        assert.equal(await marshalled('json', again), await marshalled('json', given));
      }),
      { numRuns: 300 },
    );
  });
});
