import assert from 'node:assert/strict';
import { incidents } from '../../../src/store/index.js';
import { bpmn, definitions, element, line } from '../../support/bpmn.js';
import { admin, ann, EngineHarness, refusalOf, supervisor } from '../../support/engine-harness.js';

const ITEM = '<bpmn:itemDefinition id="int" structureRef="xsd:int"/>';
const OBJECT = '<bpmn:dataObject id="amount" itemSubjectRef="int"/>';
const model = (body: string, key = 'p') => bpmn(`${OBJECT}${body}`, { root: ITEM, key });

describe('data of a model', () => {
  it('refuses what does not fit to whoever sets it, and keeps what was there', async () => {
    const engine = new EngineHarness();
    await engine.deploy(model(line(['a'], element('userTask', 'a'))));
    assert.match(
      await refusalOf(engine.start({ amount: 'much' })),
      /^EXECUTION_FAILED: expected a value of type Integer for data 'amount' of element 'p', but it gets a value of type String/,
    );
    const id = await engine.start({ amount: 5 });
    const variables = [{ name: 'amount', value: 'more' }];
    const set = engine.run(engine.api.setProcessVariables, { processInstanceId: id, variables }, supervisor);
    assert.match(await refusalOf(set), /EXECUTION_FAILED: .*data 'amount'/);
    const complete = engine.run(engine.api.completeTask, { taskId: engine.task().id, variables }, admin);
    assert.match(await refusalOf(complete), /EXECUTION_FAILED: .*data 'amount'/);
    assert.deepEqual(engine.variables(id), { amount: 5 });
    const { stored, again } = engine.replayed(id);
    assert.deepEqual(again, stored);
  });

  it('makes an incident of what does not fit where nobody asks', async () => {
    const engine = new EngineHarness();
    const body = element('serviceTask', 'a', {
      'camunda:asyncBefore': 'true',
      'camunda:expression': "${'much'}",
      'camunda:resultVariable': 'amount',
    });
    await engine.deploy(model(line(['a'], body)));
    await engine.start();
    await engine.runDue();
    const [incident] = engine.all(incidents);
    assert.equal(incident?.activityId, 'a');
    assert.match(incident?.message ?? '', /expected a value of type Integer for data 'amount'/);
  });

  it('goes to a called process by the inputs of its activity, and comes back by the outputs', async () => {
    const engine = new EngineHarness();
    await engine.deploy(definitions('<bpmn:globalUserTask id="approve"/>'), 'approve');
    const ends =
      '<bpmn:ioSpecification><bpmn:dataInput id="in" name="sum"/><bpmn:dataOutput id="out" name="approved"/><bpmn:inputSet/><bpmn:outputSet/></bpmn:ioSpecification>' +
      '<bpmn:dataInputAssociation><bpmn:sourceRef>amount</bpmn:sourceRef><bpmn:targetRef>in</bpmn:targetRef></bpmn:dataInputAssociation>' +
      '<bpmn:dataOutputAssociation><bpmn:sourceRef>out</bpmn:sourceRef><bpmn:targetRef>amount</bpmn:targetRef></bpmn:dataOutputAssociation>';
    await engine.deploy(
      model(
        line(['c', 'b'], element('callActivity', 'c', { calledElement: 'approve' }, ends) + element('userTask', 'b')),
      ),
    );
    const id = await engine.start({ amount: 5, other: 1 }, ann);
    await engine.settle();
    const { instanceId, id: taskId } = engine.task('approve.task');
    assert.deepEqual(engine.variables(instanceId), { sum: 5 });
    await engine.run(engine.api.completeTask, { taskId, variables: [{ name: 'approved', value: 4 }] }, admin);
    await engine.settle();
    assert.deepEqual(engine.variables(id), { amount: 4, other: 1 });
    for (const each of [id, instanceId]) {
      const { stored, again } = engine.replayed(each);
      assert.deepEqual(again, stored);
    }
  });
});
