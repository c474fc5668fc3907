import assert from 'node:assert/strict';
import { bpmn, element, extended, line } from '../../support/bpmn.js';
import { elementOf, problemsOf, programOf, warningsOf } from '../../support/model.js';

const task = (attributes: Record<string, string>, fields = '') =>
  bpmn(
    line(
      ['a'],
      element(
        'userTask',
        'a',
        attributes,
        fields === '' ? '' : extended(`<camunda:formData>${fields}</camunda:formData>`),
      ),
    ),
  );

const constraint = (name: string, config = '') =>
  `<camunda:formField id="f" type="long"><camunda:validation><camunda:constraint name="${name}" config="${config}"/></camunda:validation></camunda:formField>`;

describe('a compiled form', () => {
  it('has its fields, or names a form that is deployed', async () => {
    const fields = await programOf(
      task({}, '<camunda:formField id="f" label="F" type="date" datePattern="yyyy-MM-dd" defaultValue="${x}"/>'),
    );
    assert.deepEqual(elementOf(fields, 'a').userTask?.form?.fields, [
      {
        id: 'f',
        label: 'F',
        type: 'date',
        datePattern: 'yyyy-MM-dd',
        defaultValue: '${x}',
        values: [],
        constraints: [],
        properties: [],
      },
    ]);
    const named = await programOf(
      task({ 'camunda:formRef': 'ask', 'camunda:formRefBinding': 'version', 'camunda:formRefVersion': '2' }),
    );
    assert.deepEqual(elementOf(named, 'a').userTask?.form, { ref: { key: 'ask', binding: 'version', version: 2 } });
    assert.equal(elementOf(await programOf(task({ 'camunda:formKey': 'k' })), 'a').userTask?.form, undefined);
  });

  it('is refused for what nobody can fill in', async () => {
    for (const [model, expected] of [
      [
        task({}, '<camunda:formField id="f" type="blob"/>'),
        /form field 'f' of type 'blob', but expected one of string, long/,
      ],
      [task({}, '<camunda:formField type="long"/>'), /a form field without an id/],
      [task({}, '<camunda:formField id="f"/><camunda:formField id="f"/>'), /several form fields with the id 'f'/],
      [task({}, constraint('min', 'few')), /'few' as min, but expected a number/],
      [task({}, '<camunda:formField id="f" defaultValue="${"/>'), /invalid default value of form field 'f'/],
      [task({ 'camunda:formRef': 'a', 'camunda:formRefBinding': 'best' }), /'best' as camunda:formRefBinding/],
      [
        task({ 'camunda:formRef': 'a', 'camunda:formRefBinding': 'version' }),
        /camunda:formRefVersion is no whole number/,
      ],
    ] as const) {
      assert.match((await problemsOf(model)).join('; '), expected);
    }
  });

  it('is warned of what is not checked', async () => {
    assert.match(
      (await warningsOf(task({}, constraint('validator', 'org.example.V')))).join(),
      /a constraint 'validator', which is not checked/,
    );
    assert.match(
      (await warningsOf(task({}, '<camunda:formField id="f" type="enum"/>'))).join(),
      /of type enum without a value/,
    );
  });
});
