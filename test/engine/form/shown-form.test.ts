import assert from 'node:assert/strict';
import { taskForm } from '../../../src/engine/view/shown-form.js';
import { bpmn, element, line } from '../../support/bpmn.js';
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
});
