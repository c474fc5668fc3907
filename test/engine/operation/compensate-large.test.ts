import assert from 'node:assert/strict';
import { completedBundles, jobs, largeVariables, runs, type Task, tasks } from '../../../src/engine/collections.js';
import { activityInstances } from '../../../src/engine/view/activity-instances.js';
import { bpmn, element, extended, flows } from '../../support/bpmn.js';
import { admin, EngineHarness, inputs, supervisor } from '../../support/engine-harness.js';

const SIZE = 120;

const multi = (more = '', attributes = '') =>
  `<bpmn:multiInstanceLoopCharacteristics ${attributes}><bpmn:loopCardinality>${SIZE}</bpmn:loopCardinality>${more}</bpmn:multiInstanceLoopCharacteristics>`;
const compensation = '<bpmn:compensateEventDefinition/>';
const undone = { isForCompensation: 'true' };

/** A task that can be compensated, whose handler notes the number of each instance. */
const undoable = (task: string, handler = noting()) =>
  `${task}${element('boundaryEvent', 'u', { attachedToRef: 'a' }, compensation)}${handler}
  <bpmn:association id="as" sourceRef="u" targetRef="h" associationDirection="One"/>`;
const noting = () =>
  element('serviceTask', 'h', {
    ...undone,
    'camunda:expression': "${execution.setVariable('log', log.concat(' ').concat(loopCounter))}",
  });
/** `a`, then a task before all of it is compensated, then the end. */
const model = (task: string, handler?: string) =>
  bpmn(
    `${element('startEvent', 'start')}${undoable(task, handler)}${element('userTask', 'b')}${element('intermediateThrowEvent', 't', {}, compensation)}
    ${element('userTask', 'z')}${element('endEvent', 'end')}${flows('start', 'a', 'b', 't', 'z', 'end')}`,
  );

class Many {
  readonly engine: EngineHarness;
  id = '';

  constructor(options: ConstructorParameters<typeof EngineHarness>[0] = {}) {
    this.engine = new EngineHarness(options);
  }

  async start(xml: string, variables: Readonly<Record<string, unknown>> = { log: '' }): Promise<this> {
    await this.engine.deploy(xml);
    this.id = await this.engine.start(variables);
    await this.engine.settle();
    return this;
  }

  tasks(elementId: string): Task[] {
    return this.engine.all(tasks).filter((task) => task.elementId === elementId);
  }

  async complete(task: Task | undefined, variables: Readonly<Record<string, unknown>> = {}): Promise<void> {
    await this.engine.run(
      this.engine.api.completeTask,
      { taskId: task?.id ?? '', variables: inputs(variables) },
      admin,
    );
  }

  /** Completes what there is at the element, one after the other, until there is nothing. */
  async completeAll(elementId: string): Promise<void> {
    for (let [next] = this.tasks(elementId); next !== undefined; [next] = this.tasks(elementId))
      await this.complete(next);
  }

  get bundles(): number {
    return this.engine.all(completedBundles).length;
  }

  get size(): number {
    return JSON.stringify(this.engine.instance(this.id)).length;
  }

  count(elementId: string): number {
    const kept = this.engine.all(runs).sort((a, b) => a.n - b.n);
    const found = activityInstances(kept, (id) => this.engine.programs.of(this.engine.state(), id));
    return found.filter(({ activityId }) => activityId === elementId).length;
  }

  assertReplays(): void {
    const { stored, again } = this.engine.replayed(this.id);
    assert.deepEqual(again, stored);
  }

  assertGone(): void {
    const left = [completedBundles, jobs, largeVariables].map((each) => this.engine.all(each as never).length);
    assert.deepEqual(left, [0, 0, 0], 'bundles, jobs, large variables');
  }
}

const begun = (xml: string, variables?: Readonly<Record<string, unknown>>) => new Many().start(xml, variables);
const backwards = Array.from({ length: SIZE }, (_, n) => ` ${SIZE - 1 - n}`).join('');
const loops: Readonly<Record<string, string>> = {
  'a parallel multi-instance': multi(),
  'a sequential multi-instance': multi('', 'isSequential="true"'),
  'a standard loop': `<bpmn:standardLoopCharacteristics loopMaximum="${SIZE}"/>`,
};

describe('what has completed many times', () => {
  for (const [name, loop] of Object.entries(loops)) {
    it(`is compensated in reverse order, whatever is stored apart of it: ${name}`, async () => {
      const it = await begun(model(element('userTask', 'a', {}, loop)));
      await it.completeAll('a');
      assert.ok(it.bundles >= 4 && it.size < 6_000, `${it.bundles} bundles, ${it.size} characters`);
      it.assertReplays();
      await it.complete(it.tasks('b')[0]);
      await it.engine.settle();
      assert.deepEqual([it.engine.variables(it.id).log, it.count('h')], [backwards, SIZE]);
      it.assertReplays();
      await it.complete(it.tasks('z')[0]);
      assert.equal(it.engine.instance(it.id).actor.value, 'completed');
      it.assertReplays();
      it.assertGone();
    });
  }

  it('is cancelled in the middle, and nothing is left of it', async () => {
    const it = await begun(model(element('userTask', 'a', {}, multi()), element('userTask', 'h', undone)));
    await it.completeAll('a');
    await it.complete(it.tasks('b')[0]);
    await it.engine.settle();
    for (let n = 0; n < 40; n++) {
      await it.complete(it.tasks('h')[0]);
      await it.engine.settle();
    }
    assert.equal(it.tasks('h').length, 1);
    it.assertReplays();
    await it.engine.run(it.engine.api.cancelProcessInstance, { id: it.id }, admin);
    await it.engine.settle();
    it.assertReplays();
    it.assertGone();
  });

  it('is forgotten with the scope in which it completed, also where a job was to bring it back', async () => {
    const boundary = element(
      'boundaryEvent',
      'left',
      { attachedToRef: 's' },
      '<bpmn:signalEventDefinition signalRef="now"/>',
    );
    const inner = `${element('startEvent', 'start')}${undoable(element('userTask', 'a', {}, multi()))}${element('intermediateThrowEvent', 't', {}, compensation)}
      ${element('userTask', 'b')}${element('userTask', 'after')}${flows('start', 'a', 'b', 't', 'after')}`;
    const xml = bpmn(
      `${element('startEvent', 'begin')}${element('subProcess', 's', {}, inner)}${boundary}${element('userTask', 'z')}${flows('begin', 's')}${flows('left', 'z')}`,
      { root: '<bpmn:signal id="now" name="now"/>' },
    );
    for (const isFetching of [false, true]) {
      const it = await begun(xml);
      await it.completeAll('a');
      if (isFetching) await it.complete(it.tasks('b')[0]);
      assert.deepEqual([it.bundles > 0, it.engine.all(jobs).length], [true, isFetching ? 1 : 0]);
      await it.engine.run(it.engine.api.publishSignal, { signalName: 'now' }, admin);
      await it.engine.settle();
      assert.equal(it.tasks('z').length, 1);
      it.assertReplays();
      it.assertGone();
    }
  });

  it('is compensated apart from what else has completed, where one activity is named, whatever steps that takes', async () => {
    const it = new Many({ unwaitedStepsMax: 100 });
    const other = `${element('userTask', 'c')}${element('boundaryEvent', 'uc', { attachedToRef: 'c' }, compensation)}${element('userTask', 'hc', undone)}
      <bpmn:association id="asc" sourceRef="uc" targetRef="hc" associationDirection="One"/>`;
    await it.start(
      bpmn(
        `${element('startEvent', 'start')}${undoable(element('userTask', 'a', {}, multi()))}${other}
        ${element('intermediateThrowEvent', 't', {}, '<bpmn:compensateEventDefinition activityRef="a"/>')}${element('userTask', 'b')}
        ${element('intermediateThrowEvent', 'all', {}, compensation)}${flows('start', 'a', 'c', 't', 'b', 'all')}`,
      ),
    );
    await it.completeAll('a');
    await it.complete(it.tasks('c')[0]);
    await it.engine.settle();
    assert.deepEqual([it.engine.variables(it.id).log, it.tasks('b').length], [backwards, 1]);
    await it.complete(it.tasks('b')[0]);
    assert.equal(it.tasks('hc').length, 1);
    it.assertReplays();
    it.assertGone();
  });

  it('keeps variables of each as they were, also large ones', async () => {
    const handler = element('serviceTask', 'h', {
      ...undone,
      'camunda:expression': "${execution.setVariable('log', log.concat(own.substring(0, 3)))}",
    });
    const it = await begun(model(element('userTask', 'a', {}, multi()), handler));
    const expected: string[] = [];
    for (let [next] = it.tasks('a'); next !== undefined; [next] = it.tasks('a')) {
      const own = String(100 + expected.length);
      const variables = inputs({ own: own + 'x'.repeat(2_000) });
      await it.engine.run(it.engine.api.setTaskVariables, { taskId: next.id, variables, local: true }, admin);
      await it.complete(next);
      expected.unshift(own);
    }
    assert.equal(it.engine.all(largeVariables).length, SIZE);
    assert.ok(it.size < 10_000, `${it.size} characters`);
    it.assertReplays();
    await it.complete(it.tasks('b')[0]);
    await it.engine.settle();
    assert.equal(it.engine.variables(it.id).log, expected.join(''));
    it.assertReplays();
  });

  it('is compensated where its instance has migrated, by the new handler, from a scope that is added, or not at all where there is none', async () => {
    const before = model(element('userTask', 'a', {}, multi()));
    const after = before.replace('id="h"', 'id="h2"').replace('targetRef="h"', 'targetRef="h2"').replace("' '", "' n'");
    const without = before
      .replace(/<bpmn:boundaryEvent.*?<.bpmn:boundaryEvent>/, '')
      .replace(/<bpmn:association.*?>/, '')
      .replace(/<bpmn:serviceTask.*?(<.bpmn:serviceTask>|\/>)/, '');
    const inside = element(
      'subProcess',
      's',
      {},
      `${element('startEvent', 'in')}${undoable(element('userTask', 'a', {}, multi()))}${flows('in', 'a')}`,
    );
    const around = bpmn(
      `${element('startEvent', 'start')}${inside}${element('userTask', 'b')}${element('intermediateThrowEvent', 't', {}, compensation)}
      ${element('userTask', 'z')}${element('endEvent', 'end')}${flows('start', 's', 'b', 't', 'z', 'end')}`,
    );
    for (const [target, expected] of [
      [after, backwards.replaceAll(' ', ' n')],
      [around, backwards],
      [without, ''],
    ] as const) {
      const it = await begun(before);
      await it.completeAll('a');
      const { definitionId: sourceProcessDefinitionId } = it.engine.instance(it.id);
      const [targetProcessDefinitionId = ''] = await it.engine.deploy(target, 'v2');
      const input = { processInstanceId: it.id, sourceProcessDefinitionId, targetProcessDefinitionId };
      await it.engine.run(it.engine.engine.jobs.migrateInstance, input, supervisor);
      await it.engine.settle();
      it.assertReplays();
      await it.complete(it.tasks('b')[0]);
      await it.engine.settle();
      assert.deepEqual([it.engine.variables(it.id).log, it.tasks('z').length], [expected, 1]);
      it.assertReplays();
      it.assertGone();
    }
  });

  it('goes on to be compensated by the new handler where its instance migrates as a job is to bring it back', async () => {
    const before = model(element('userTask', 'a', {}, multi()));
    const it = await begun(before);
    await it.completeAll('a');
    await it.complete(it.tasks('b')[0]);
    assert.equal(it.engine.all(jobs).length, 1);
    const { definitionId: sourceProcessDefinitionId } = it.engine.instance(it.id);
    const [targetProcessDefinitionId = ''] = await it.engine.deploy(before.replace("' '", "' n'"), 'v2');
    const input = { processInstanceId: it.id, sourceProcessDefinitionId, targetProcessDefinitionId };
    await it.engine.run(it.engine.engine.jobs.migrateInstance, input, supervisor);
    it.assertReplays();
    await it.engine.settle();
    const log = String(it.engine.variables(it.id).log);
    assert.deepEqual([log.replaceAll('n', ''), log.includes('n'), it.tasks('z').length], [backwards, true, 1]);
    it.assertReplays();
    it.assertGone();
  });

  it('is compensated with the process that was called', async () => {
    const it = new Many();
    const inner = `${element('startEvent', 'start')}${undoable(element('userTask', 'a', {}, multi()))}${flows('start', 'a')}
      ${element('subProcess', 'undoing', { triggeredByEvent: 'true' }, `${element('startEvent', 'us', {}, compensation)}${element('intermediateThrowEvent', 'ut', {}, compensation)}${element('userTask', 'uz')}${flows('us', 'ut', 'uz')}`)}`;
    await it.engine.deploy(bpmn(inner, { key: 'q' }), 'q');
    await it.start(
      bpmn(
        `${element('startEvent', 'ps')}${element('callActivity', 'c', { calledElement: 'q' }, extended('<camunda:in variables="all"/>'))}${element('userTask', 'b')}${element('intermediateThrowEvent', 't', {}, compensation)}${flows('ps', 'c', 'b', 't')}`,
      ),
    );
    await it.completeAll('a');
    await it.engine.settle();
    assert.ok(it.bundles >= 4);
    await it.complete(it.tasks('b')[0]);
    await it.engine.settle();
    const [undoing] = it.tasks('uz');
    const { stored, again } = it.engine.replayed(undoing?.instanceId ?? '');
    assert.deepEqual(again, stored);
    assert.equal(it.engine.variables(undoing?.instanceId ?? '').log, backwards);
    await it.complete(undoing);
    await it.engine.settle();
    assert.equal(it.engine.instance(it.id).actor.value, 'completed');
  });
});
