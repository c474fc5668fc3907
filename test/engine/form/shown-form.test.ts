import assert from 'node:assert/strict';
import { resources } from '../../../src/engine/collections.js';
import { taskForm } from '../../../src/engine/view/shown-form.js';
import { bpmn, element, extended, line } from '../../support/bpmn.js';
import { admin, EngineHarness } from '../../support/engine-harness.js';

/** The version of the form `ask`, deployed twice, that the task shows where `v` is this. */
async function versionShown(v: unknown): Promise<number | null | undefined> {
  const engine = new EngineHarness();
  for (const key of ['a', 'b']) {
    const content = JSON.stringify({ type: 'default', id: 'ask', components: [{ type: 'textfield', key }] });
    await engine.run(engine.api.deployProcess, { name: key, resources: [{ name: 'ask.form', content }] }, admin);
  }
  const form = {
    'camunda:formRef': 'ask',
    'camunda:formRefBinding': 'version',
    'camunda:formRefVersion': `\${v}`,
  };
  await engine.deploy(bpmn(line(['work'], element('userTask', 'work', form))));
  const instance = engine.instance(await engine.start({ v }));
  const program = engine.programs.of(engine.state(), instance.definitionId);
  return taskForm(engine.state(), program, instance, engine.task())?.version;
}

describe('the form that a task shows', () => {
  it('is of the version that an expression gives; none where there is no such version', async () => {
    assert.equal(await versionShown(1), 1);
    assert.equal(await versionShown('2'), 2);
    for (const v of [3, 'x', null]) assert.equal(await versionShown(v), null, String(v));
  });

  it('is one that a process of Camunda 8 holds itself, and stays that of its version', async () => {
    const engine = new EngineHarness();
    const held = (key: string) =>
      bpmn(
        extended(`<zeebe:userTaskForm id="ask">{ "components": [{ "type": "textfield", "key": "${key}" }] }</zeebe:userTaskForm>
          <zeebe:userTaskForm id="broken">{</zeebe:userTaskForm>`) +
          line(
            ['work'],
            element('userTask', 'work', {}, extended('<zeebe:formDefinition formKey="camunda-forms:bpmn:ask"/>')),
          ),
      ).replace('xmlns:xsi=', 'xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" xmlns:xsi=');
    await engine.deploy(held('first'));
    const instance = engine.instance(await engine.start());
    await engine.deploy(held('second'));
    const program = engine.programs.of(engine.state(), instance.definitionId);
    const shown = taskForm(engine.state(), program, instance, engine.task());
    assert.deepEqual([shown?.key, shown?.version], ['p.ask', 1]);
    assert.match(JSON.stringify(shown), /first/);
    const warnings = engine.all(resources).flatMap((resource) => resource.warnings ?? []);
    assert.match(
      warnings.map(({ message }) => message).join(),
      /<zeebe:userTaskForm> that is not shown: expected a form/,
    );
  });
});
