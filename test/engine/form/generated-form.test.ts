import assert from 'node:assert/strict';
import { typed } from '../../../src/engine/element/native.js';
import { dateByPattern } from '../../../src/engine/form/date-pattern.js';
import { submitFields } from '../../../src/engine/form/generated-form.js';
import type { FormField } from '../../../src/engine/model/form.js';

const field = (id: string, type: string | null, more: Partial<FormField> = {}): FormField => ({
  ...{ id, label: null, type, datePattern: null, defaultValue: null, values: [], constraints: [], properties: [] },
  ...more,
});

const all = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, typed(value)]));

const submit = (
  fields: readonly FormField[],
  given: Readonly<Record<string, unknown>>,
  present: Readonly<Record<string, unknown>> = {},
) => submitFields(fields, { given: all(given), present: all(present) }, (text) => text);

describe('generated form fields', () => {
  it('make what is given the types that they have', () => {
    const fields = [
      field('n', 'long'),
      field('b', 'boolean'),
      field('d', 'date'),
      field('e', 'enum', { values: [{ id: 'x', name: 'X' }] }),
      field('s', 'string'),
      field('any', null),
    ];
    const { variables, problems } = submit(fields, {
      n: '42',
      b: 'true',
      d: '31/12/2026',
      e: 'x',
      s: 5,
      any: [1],
      other: 7,
    });
    assert.deepEqual(problems, []);
    assert.deepEqual(variables, {
      n: { type: 'Long', value: 42 },
      b: { type: 'Boolean', value: true },
      d: { type: 'Date', value: '2026-12-31T00:00:00.000Z' },
      e: { type: 'String', value: 'x' },
      s: { type: 'String', value: '5' },
      any: { type: 'Json', value: [1] },
      other: { type: 'Integer', value: 7 },
    });
  });

  it('are not stored where what is given is transient', () => {
    const given = { n: { ...typed('42'), transient: true }, s: { ...typed('x'), transient: true } } as const;
    const { variables } = submitFields(
      [field('n', 'long'), field('s', 'string')],
      { given, present: {} },
      (text) => text,
    );
    assert.deepEqual(variables, {
      n: { type: 'Long', value: 42, transient: true },
      s: { type: 'String', value: 'x', transient: true },
    });
  });

  it('have no value where they are left empty, but for texts', () => {
    const fields = [field('n', 'long'), field('b', 'boolean'), field('d', 'date'), field('s', 'string')];
    const nothing = { type: 'Null', value: null };
    assert.deepEqual(submit(fields, { n: '', b: '', d: '', s: '' }).variables, {
      n: nothing,
      b: nothing,
      d: nothing,
      s: { type: 'String', value: '' },
    });
  });

  it('refuse what is none of their type', () => {
    for (const [of, given, expected] of [
      [field('f', 'long'), 'x', "expected a whole number, but found 'x'"],
      [field('f', 'long'), 1.5, "expected a whole number, but found '1.5'"],
      [field('f', 'boolean'), 'yes', "expected true or false, but found 'yes'"],
      [field('f', 'date'), '31.12.2026', "expected a date as dd/MM/yyyy, but found '31.12.2026'"],
      [field('f', 'date'), '31/02/2026', "expected a date as dd/MM/yyyy, but found '31/02/2026'"],
      [
        field('f', 'enum', {
          values: [
            { id: 'a', name: null },
            { id: 'b', name: null },
          ],
        }),
        'c',
        "expected one of 'a', 'b', but found 'c'",
      ],
    ] as const) {
      assert.deepEqual(submit([of], { f: given }).problems, [{ field: 'f', message: expected }]);
    }
  });

  it('keep their constraints', () => {
    const with1 = (name: string, config: string | null = null, type = 'string') => [
      field('f', type, { constraints: [{ name, config }] }),
    ];
    for (const [fields, given, expected] of [
      [with1('required'), {}, 'expected a value, but found none'],
      [with1('required'), { f: '' }, 'expected a value, but found none'],
      [with1('readonly'), { f: 'x' }, 'expected no value, for it is read only'],
      [with1('min', '3', 'long'), { f: 2 }, "expected at least 3, but found '2'"],
      [with1('max', '3', 'long'), { f: 4 }, "expected at most 3, but found '4'"],
      [with1('minlength', '3'), { f: 'ab' }, 'expected at least 3 characters, but found 2'],
      [with1('maxlength', '3'), { f: 'abcd' }, 'expected at most 3 characters, but found 4'],
    ] as const) {
      assert.deepEqual(submit(fields, given).problems, [{ field: 'f', message: expected }]);
    }
    assert.deepEqual(submit(with1('required'), {}, { f: 'there' }).problems, []);
    assert.deepEqual(submit(with1('min', '3', 'long'), {}).problems, []);
    assert.deepEqual(submit(with1('readonly'), {}, { f: 'x' }).problems, []);
  });

  it('have defaults, for what is not given and has no value', () => {
    const fields = [field('n', 'long', { defaultValue: '7' })];
    assert.deepEqual(submit(fields, {}).variables, { n: { type: 'Long', value: 7 } });
    assert.deepEqual(submit(fields, { n: 8 }).variables, { n: { type: 'Long', value: 8 } });
    assert.deepEqual(submit(fields, {}, { n: 9 }).variables, {});
  });

  it('read dates as their patterns say', () => {
    for (const [text, pattern, expected] of [
      ['2026-05-01', 'yyyy-MM-dd', '2026-05-01T00:00:00.000Z'],
      ['1.5.2026 13:04', 'd.M.yyyy HH:mm', '2026-05-01T13:04:00.000Z'],
      ['2026-05-01x', 'yyyy-MM-dd', undefined],
      ['May 1', 'MMM d', undefined],
      ['x', "yyyy'T'", undefined],
      ['32/01/2026', 'dd/MM/yyyy', undefined],
    ] as const) {
      assert.equal(dateByPattern(text, pattern)?.toISOString(), expected, pattern);
    }
  });
});
