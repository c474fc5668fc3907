import assert from 'node:assert/strict';
import { readOutput } from '../../src/expression/script/script-output.js';

const nothing = {
  result: [null, null],
  variables: [],
  locals: [],
  removed: [],
  businessKey: null,
  bpmnError: null,
  task: [],
};

/** The outcome of a script from what came out of the sandbox: this, beside nothing. */
const read = (more: object) => readOutput(JSON.stringify({ ...nothing, ...more }));

const empty = { result: null, variables: {}, locals: {}, removed: [], types: { variables: {}, locals: {} } };

const refused = (message: string) => ({ error: { kind: 'output', message } });

describe('what comes out of the sandbox', () => {
  const rows: readonly (readonly [string, object, object])[] = [
    ['nothing', {}, empty],
    ['a result', { result: [5, null] }, { ...empty, result: 5 }],
    [
      'a result of a type',
      { result: ['5', 'Long'] },
      { ...empty, result: '5', types: { ...empty.types, result: 'Long' } },
    ],
    ['a date', { result: ['x', 'Date'] }, { ...empty, result: 'x', types: { ...empty.types, result: 'Date' } }],
    ['a type that there is not', { result: [5, 'Integer'] }, { ...empty, result: 5 }],
    [
      'variables',
      { variables: [['a', 1, null], ['b', 'NaN', 'Double'], ['c', null, 'Other'], ['d']] },
      {
        ...empty,
        variables: { a: 1, b: 'NaN', c: null, d: null },
        types: { variables: { b: 'Double' }, locals: {} },
      },
    ],
    [
      'local variables',
      { locals: [['a', '1', 'Long']] },
      { ...empty, locals: { a: '1' }, types: { variables: {}, locals: { a: 'Long' } } },
    ],
    ['removed ones', { removed: ['a', 'b'] }, { ...empty, removed: ['a', 'b'] }],
    ['a business key', { businessKey: ['k'] }, { ...empty, businessKey: 'k' }],
    ['a business key that is a number', { businessKey: [7] }, { ...empty, businessKey: '7' }],
    ['no business key any more', { businessKey: [null] }, { ...empty, businessKey: null }],
    [
      'calls on the task',
      { task: [['setAssignee', 'eve'], ['setOwner']] },
      {
        ...empty,
        task: [
          { method: 'setAssignee', value: 'eve' },
          { method: 'setOwner', value: null },
        ],
      },
    ],
    ['a BPMN error', { bpmnError: { code: 5, message: 'm' } }, { ...empty, bpmnError: { code: '5', message: 'm' } }],
    [
      'a BPMN error without a message, with a long code',
      { bpmnError: { code: 'x'.repeat(300), message: null } },
      { ...empty, bpmnError: { code: 'x'.repeat(255), message: null } },
    ],
  ];
  for (const [what, given, expected] of rows) {
    it(`may be ${what}`, () => assert.deepEqual(read(given), expected));
  }

  for (const given of [
    { variables: [['__proto__', 1, null]] },
    { locals: [['', 1, null]] },
    { removed: ['x'.repeat(256)] },
    { removed: [5] },
    { task: [['constructor', 1]] },
    { variables: [['a\ud800', 1, null]] },
  ]) {
    it(`has no such name: ${JSON.stringify(given).slice(0, 60)}`, () => {
      const result = read(given);
      assert.ok('error' in result && result.error.kind === 'output');
      assert.match(result.error.message, /^expected a variable name of 1 to 255 .*, but found '/);
    });
  }

  it('shows the first 80 characters of a name that it refuses', () => {
    const result = read({ removed: ['x'.repeat(256)] });
    assert.ok('error' in result && result.error.message.endsWith(`, but found '${'x'.repeat(80)}'`));
  });

  it('is JSON of the form that the prelude writes', () => {
    const expected = refused('expected a result and variables that can be written as JSON');
    for (const text of ['', '{', 'null', '[]', '{}', '{"result":1}', JSON.stringify({ ...nothing, variables: 5 })]) {
      assert.deepEqual(readOutput(text), expected, text);
    }
  });

  it('has at most 100 levels, whatever its texts hold', () => {
    const nested = (levels: number) => {
      let value: unknown = 1;
      for (let n = 0; n < levels; n++) value = n % 2 === 0 ? [value] : { a: value };
      return value;
    };
    // The outcome and the pair of result and type are two.
    const deep = nested(98);
    assert.deepEqual(read({ result: [deep, null] }), { ...empty, result: deep });
    assert.deepEqual(
      read({ result: [nested(99), null] }),
      refused('expected a result and variables of at most 100 levels'),
    );
    const wide = Array.from({ length: 300 }, () => [{}]);
    assert.deepEqual(read({ result: [wide, null] }), { ...empty, result: wide });
    for (const text of ['['.repeat(200), '{'.repeat(200), '\\"[['.repeat(100), '\\', '"', ']'.repeat(200)]) {
      assert.deepEqual(read({ result: [text, null] }), { ...empty, result: text });
      const beside = [']}'.repeat(200), text, deep];
      assert.deepEqual(read({ result: [[text, nested(97)], null] }), { ...empty, result: [text, nested(97)] });
      assert.ok('error' in read({ result: [beside, null] }), 'closing brackets in a text close nothing');
    }
  });

  it('has at most 8,388,608 characters', () => {
    const text = (length: number) => {
      const around = JSON.stringify({ ...nothing, result: ['', null] }).length;
      return JSON.stringify({ ...nothing, result: ['x'.repeat(length - around), null] });
    };
    assert.ok('result' in readOutput(text(8_388_608)));
    const expected = refused('expected a result and variables of at most 8388608 characters of JSON in all');
    assert.deepEqual(readOutput(text(8_388_609)), expected);
  });
});
