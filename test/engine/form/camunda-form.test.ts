import assert from 'node:assert/strict';
import { typed } from '../../../src/engine/element/native.js';
import { type CamundaForm, formProblems, readForm } from '../../../src/engine/form/camunda-form.js';

const formOf = (...components: readonly object[]): CamundaForm => {
  const { form, problems } = readForm(JSON.stringify({ type: 'default', id: 'f', components }));
  assert.deepEqual(problems, []);
  return form ?? assert.fail('expected a form');
};

const problemsOf = (form: CamundaForm, values: Readonly<Record<string, unknown>>) => {
  const given = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, typed(value)]));
  return formProblems(form, { given, present: {} }, 0).map(({ field, message }) => `${field}: ${message}`);
};

describe("a form of Camunda's", () => {
  it('is refused where it is none', () => {
    assert.match(readForm('{\n  "id": x }').problems[0]?.message ?? '', /expected a form in JSON, but .*x/);
    assert.match(readForm('[]').problems[0]?.message ?? '', /with an 'id'/);
    assert.match(readForm('{"id": "a:b", "components": []}').problems[0]?.message ?? '', /without a colon/);
    assert.match(readForm('{"id": "a"}').problems[0]?.message ?? '', /a list of 'components' in form 'a'/);
  });

  it('checks what was entered', () => {
    for (const [component, value, expected] of [
      [{ type: 'textfield', validate: { required: true } }, undefined, ['k: expected a value, but found none']],
      [{ type: 'textfield', validate: { required: true } }, 'x', []],
      [{ type: 'checkbox', validate: { required: true } }, false, ['k: expected a value, but found none']],
      [{ type: 'textfield', validate: { minLength: 3 } }, 'ab', ['k: expected at least 3 characters, but found 2']],
      [{ type: 'textfield', validate: { maxLength: 3 } }, 'abcd', ['k: expected at most 3 characters, but found 4']],
      [
        { type: 'textfield', validate: { pattern: '^[A-Z]{2}$' } },
        'ABC',
        ["k: expected what matches ^[A-Z]{2}$, but found 'ABC'"],
      ],
      [{ type: 'textfield', validate: { pattern: '[A-Z]{2}' } }, 'xABy', []],
      [
        { type: 'textfield', validate: { pattern: '^(a+)+$' } },
        `${'a'.repeat(40)}b`,
        [`k: expected what matches ^(a+)+$, but found '${'a'.repeat(40)}b'`],
      ],
      [
        { type: 'textfield', validate: { validationType: 'email' } },
        'nobody',
        ["k: expected an email, but found 'nobody'"],
      ],
      [{ type: 'textfield', validate: { validationType: 'email' } }, 'a@b.example', []],
      [
        { type: 'textfield', validate: { validationType: 'email' } },
        'a@b..c',
        ["k: expected an email, but found 'a@b..c'"],
      ],
      [{ type: 'textfield', validate: { validationType: 'phone' } }, '+4930664040900', []],
      [{ type: 'textfield', validate: { validationType: 'phone' } }, '004930664040900', []],
      [
        { type: 'textfield', validate: { validationType: 'phone' } },
        '030 123456',
        ["k: expected an international phone number such as '+4930664040900', but found '030 123456'"],
      ],
      [{ type: 'textfield', validate: { minLength: 3 } }, ' ab ', ['k: expected at least 3 characters, but found 2']],
      [{ type: 'textfield', validate: { maxLength: 3 } }, 'abc   ', []],
      [{ type: 'number', decimalDigits: 2 }, 1.234, ["k: expected at most 2 decimal digits, but found '1.234'"]],
      [{ type: 'number', decimalDigits: 0 }, 4, []],
      [{ type: 'number', increment: '0.1' }, 0.3, []],
      [{ type: 'number', increment: '0.5' }, 1.25, ["k: expected a multiple of 0.5, but found '1.25'"]],
      [{ type: 'number', validate: { pattern: '^1$' } }, 2, ["k: expected what matches ^1$, but found '2'"]],
      [{ type: 'number', validate: { min: '=1 + 1' } }, 1, ["k: expected at least 2, but found '1'"]],
      [{ type: 'textfield', validate: { maxLength: '=nothing' } }, 'abc', []],
      [{ type: 'select', values: [{ value: { id: 1 } }] }, { id: 1 }, []],
      [
        { type: 'select', values: [{ value: { id: 1 } }] },
        { id: 2 },
        [`k: expected one of '{"id":1}', but found '{"id":2}'`],
      ],
      [{ type: 'datetime', subtype: 'date' }, '2026-01-31', []],
      [
        { type: 'datetime', subtype: 'date' },
        '31.1.2026',
        ["k: expected a date such as '2026-01-31', but found '31.1.2026'"],
      ],
      [{ type: 'datetime', subtype: 'datetime' }, '2026-01-31T10:30+01:00', []],
      [{ type: 'datetime', subtype: 'time' }, '25:00', ["k: expected a time such as '08:30', but found '25:00'"]],
      [
        { type: 'textfield', readonly: true, validate: { required: true } },
        undefined,
        ['k: expected a value, but found none'],
      ],
      [{ type: 'number', validate: { min: 3, max: 5 } }, 2, ["k: expected at least 3, but found '2'"]],
      [{ type: 'number', validate: { min: 3, max: 5 } }, 6, ["k: expected at most 5, but found '6'"]],
      [{ type: 'number' }, 'x', ["k: expected a number, but found 'x'"]],
      [{ type: 'number' }, '4.5', []],
      [
        { type: 'select', values: [{ value: 'a' }, { value: 'b' }] },
        'c',
        ["k: expected one of 'a', 'b', but found 'c'"],
      ],
      [{ type: 'checklist', values: [{ value: 'a' }, { value: 'b' }] }, ['a', 'b'], []],
      [{ type: 'checklist', values: [{ value: 'a' }] }, 'a', ["k: expected a list, but found 'a'"]],
      [{ type: 'textfield', disabled: true, validate: { required: true } }, undefined, []],
      [{ type: 'text', text: '# Hello' }, undefined, []],
    ] as const) {
      const found = problemsOf(formOf({ key: 'k', ...component }), value === undefined ? {} : { k: value });
      assert.deepEqual(found, expected, JSON.stringify(component));
    }
  });

  it('goes into groups and lists, and leaves out what is hidden', () => {
    const required = (key: string, more: object = {}) => ({
      type: 'textfield',
      key,
      validate: { required: true },
      ...more,
    });
    const form = formOf(
      { type: 'group', components: [required('a')] },
      { type: 'group', path: 'customer', components: [required('name')] },
      { type: 'dynamiclist', path: 'lines', components: [required('item')] },
      required('reason', { conditional: { hide: '=ok = true' } }),
      required('odd', { conditional: { hide: '=matches(a, "x")' } }),
    );
    assert.deepEqual(problemsOf(form, { ok: true, customer: {}, lines: [{ item: 'x' }, {}] }), [
      'a: expected a value, but found none',
      'customer.name: expected a value, but found none',
      'lines[1].item: expected a value, but found none',
    ]);
    assert.deepEqual(problemsOf(form, { a: 'x', customer: { name: 'x' } }), [
      'reason: expected a value, but found none',
    ]);
    assert.deepEqual(problemsOf(form, { a: 'x', odd: 'x', reason: 'x', customer: { name: 'x' } }), []);
  });

  it('evaluates conditions as form-js does: over rows, over fields that are empty, and where they are null', () => {
    const hidden = (hide: string) => ({
      type: 'textfield',
      key: 'k',
      validate: { required: true },
      conditional: { hide },
    });
    const missing = (name = 'k') => [`${name}: expected a value, but found none`];
    const rows = formOf(
      { type: 'checkbox', key: 'all' },
      { type: 'dynamiclist', path: 'l', components: [hidden('=this.h or parent.all')] },
    );
    assert.deepEqual(problemsOf(rows, { all: false, l: [{ h: true }, { h: false }] }), missing('l[1].k'));
    assert.deepEqual(problemsOf(rows, { all: true, l: [{ h: false }] }), []);
    assert.deepEqual(problemsOf(formOf(hidden('=h'), { type: 'checkbox', key: 'h' }), {}), missing());
    assert.deepEqual(problemsOf(formOf(hidden('=none > 1')), {}), []);
    assert.deepEqual(problemsOf(formOf(hidden('=none = 1')), {}), missing());
    assert.deepEqual(problemsOf(formOf(hidden('=1 +')), {}), missing());
    assert.deepEqual(problemsOf(formOf(hidden('true')), {}), missing());
  });
});
