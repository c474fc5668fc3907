import assert from 'node:assert/strict';
import {
  externalTasks,
  instanceParts,
  jobs,
  processDefinitions,
  processInstances,
  runs,
  subscriptions,
  type Task,
  tasks,
} from '../../../src/engine/collections.js';
import type { MigrationRequest } from '../../../src/engine/run/migration-plan.js';
import { activityInstances } from '../../../src/engine/view/activity-instances.js';
import { incidents } from '../../../src/store/index.js';
import { bpmn, element, extended, flows, line, timer } from '../../support/bpmn.js';
import { admin, ann, EngineHarness, inputs, refusalOf, supervisor } from '../../support/engine-harness.js';

const HOUR = 3_600_000;
const SIZE = 60;
const multi = (content = '') =>
  `<bpmn:multiInstanceLoopCharacteristics><bpmn:loopCardinality>${SIZE}</bpmn:loopCardinality>${content}</bpmn:multiInstanceLoopCharacteristics>`;
const model = (body: string) => bpmn(body, { root: '<bpmn:message id="m" name="go"/>' });
const before = element('task', 'before-all');

/** An instance of `p` that migrates from version to version. */
class Moving {
  readonly engine = new EngineHarness();
  id = '';

  async start(body: string, variables: Readonly<Record<string, unknown>> = {}): Promise<this> {
    await this.engine.deploy(model(body), 'v1');
    this.id = await this.engine.start(variables, ann, 'key');
    await this.engine.settle();
    return this;
  }

  /** Deploys a version, and migrates the instance to it. */
  async to(body: string, request: Partial<MigrationRequest> = {}): Promise<this> {
    const { definitionId: sourceProcessDefinitionId } = this.engine.instance(this.id);
    const count = this.engine.all(processDefinitions).filter(({ key }) => key === 'p').length;
    const [targetProcessDefinitionId = ''] = await this.engine.deploy(model(body), `v${count + 1}`);
    await this.migrate({ sourceProcessDefinitionId, targetProcessDefinitionId, ...request });
    return this;
  }

  migrate(request: MigrationRequest, caller = supervisor): Promise<string> {
    return this.engine.run(this.engine.engine.jobs.migrateInstance, { processInstanceId: this.id, ...request }, caller);
  }

  tasks(elementId: string): Task[] {
    return this.engine.all(tasks).filter((task) => task.elementId === elementId);
  }

  async complete(task: Task | undefined): Promise<void> {
    await this.engine.run(this.engine.api.completeTask, { taskId: task?.id ?? '' }, admin);
  }

  get state(): string {
    return this.engine.instance(this.id).actor.value;
  }

  /** `id type` of each activity instance, `…` where it goes on. */
  history(id = this.id): string[] {
    const kept = this.engine.all(runs).filter(({ instanceId }) => instanceId === id);
    const programOf = (definitionId: string) => this.engine.programs.of(this.engine.state(), definitionId);
    return activityInstances(
      kept.sort((a, b) => a.n - b.n),
      programOf,
    ).map((it) => it.activityId + (it.canceled ? '!' : it.endTime === null ? '…' : ''));
  }

  assertReplays(id = this.id): void {
    const { stored, again } = this.engine.replayed(id);
    assert.deepEqual(again, stored);
  }
}

const moving = (body: string, variables?: Readonly<Record<string, unknown>>) => new Moving().start(body, variables);
const to = (from: string, target: string, updateEventTrigger?: boolean) => ({
  sourceActivityIds: [from],
  targetActivityIds: [target],
  updateEventTrigger,
});

describe('an instance that migrates', () => {
  it('is of the other definition, with its tasks, jobs, subscriptions and incidents; its history says what ran by which', async () => {
    const guards = (task: string) =>
      element('boundaryEvent', 'late', { attachedToRef: task }, timer('duration', 'PT1H')) +
      element('boundaryEvent', 'told', { attachedToRef: task }, '<bpmn:messageEventDefinition messageRef="m"/>') +
      element('endEvent', 'x') +
      flows('late', 'x') +
      flows('told', 'x');
    const it = await moving(
      line(['first', 'a'], element('userTask', 'first') + element('userTask', 'a')) + guards('a'),
    );
    await it.complete(it.tasks('first')[0]);
    const created = { type: 'odd', processInstanceId: it.id, activityId: 'a', message: 'odd' };
    await it.engine.run(it.engine.api.createIncident, created as never, admin);
    await it.to(before + line(['b'], element('userTask', 'b')) + guards('b'), { instructions: [to('a', 'b')] });
    const { definitionId, migrated, runs: count } = it.engine.instance(it.id);
    assert.equal(migrated, count);
    const [task] = it.tasks('b');
    const found = [task, ...it.engine.all(jobs), ...it.engine.all(subscriptions), ...it.engine.all(incidents)];
    assert.deepEqual(
      found.map((each) => each?.definitionId),
      [definitionId, definitionId, definitionId, definitionId],
    );
    assert.deepEqual(
      [
        it.engine.all(jobs)[0]?.activityId,
        it.engine.all(subscriptions)[0]?.elementId,
        it.engine.all(incidents)[0]?.activityId,
      ],
      ['late', 'told', 'b'],
    );
    assert.deepEqual(it.history(), ['start', 'first', 'b…']);
    assert.ok(it.engine.eventTypes.includes('task.updated'));
    it.assertReplays();
    await it.complete(task);
    assert.deepEqual([it.state, it.history()], ['completed', ['start', 'first', 'b', 'end']]);
    it.assertReplays();
  });

  it('sets variables first, so that what is awaited anew can read them', async () => {
    const late = (text: string) => element('intermediateCatchEvent', 'late', {}, timer('duration', text));
    const it = await moving(line(['late'], late('PT1H')));
    await it.to(before + line(['late'], late('${due}')), {
      updateEventTriggers: true,
      variables: [{ name: 'due', value: 'PT5H' }],
    });
    const [job] = it.engine.all(jobs);
    assert.equal(job?.dueAt, it.engine.now + 5 * HOUR);
    it.assertReplays();
  });

  it('keeps the locks of workers', async () => {
    const work = (topic: string) => element('serviceTask', 'a', { 'camunda:type': 'external', 'camunda:topic': topic });
    const it = await moving(line(['a'], work('x')));
    const topics = [{ topicName: 'x', lockDurationMs: 60_000 }];
    await it.engine.run(it.engine.api.fetchAndLock, { workerId: 'w', topics, maxTasks: 1 } as never, admin);
    const [locked] = it.engine.all(externalTasks);
    assert.equal(locked?.actor.value, 'locked');
    await it.to(before + line(['a'], work('y')));
    const [moved] = it.engine.all(externalTasks);
    assert.deepEqual([moved?.lock, moved?.topic, moved?.actor], [locked?.lock, 'x', locked?.actor]);
    assert.equal(moved?.definitionId, it.engine.instance(it.id).definitionId);
    const done = { taskId: moved?.id ?? '', workerId: 'w', lockToken: moved?.lock?.token };
    await it.engine.run(it.engine.api.completeExternalTask, done as never, admin);
    assert.equal(it.state, 'completed');
    it.assertReplays();
  });

  it('suspended, it stays so, and what was ordered for the other definition before does not count', async () => {
    const it = await moving(line(['a'], element('userTask', 'a')));
    const [{ definitionId }] = [it.engine.instance(it.id)];
    await it.engine.run(it.engine.api.suspendProcessDefinition, { id: definitionId, includeInstances: true }, admin);
    const late = `<bpmn:boundaryEvent id="late" attachedToRef="a" cancelActivity="false">${timer('duration', 'PT1H')}</bpmn:boundaryEvent>`;
    await it.to(before + late + line(['a'], element('userTask', 'a')));
    const suspended = () => [it.state, it.tasks('a')[0]?.suspended, it.engine.job('timer').suspended];
    await it.engine.settle();
    assert.deepEqual(suspended(), ['suspended', true, true]);
    const { definitionId: now } = it.engine.instance(it.id);
    await it.engine.run(it.engine.api.activateProcessDefinition, { id: now, includeInstances: true }, admin);
    await it.engine.settle();
    assert.deepEqual(suspended(), ['active', false, false]);
  });

  it('is told of by the definition that it has left, when that is deleted', async () => {
    const it = await moving(line(['a'], element('userTask', 'a')));
    const { definitionId } = it.engine.instance(it.id);
    await it.to(before + line(['a'], element('userTask', 'a')));
    const deploymentId = it.engine.get(processDefinitions, definitionId)?.deploymentId ?? '';
    await it.engine.run(it.engine.api.deleteDeployment, { id: deploymentId }, admin);
    await it.engine.settle();
    assert.equal(it.engine.get(processDefinitions, definitionId), undefined);
    assert.deepEqual(it.history(), ['start', 'a…']);
    it.assertReplays();
  });

  it('goes on with what it has called, under another name; what was called may migrate, too', async () => {
    const call = (id: string) =>
      element(
        'callActivity',
        id,
        { calledElement: 'called' },
        extended('<camunda:out source="result" target="taken"/>'),
      );
    const it = new Moving();
    const called = (body: string) => bpmn(body, { key: 'called' });
    const work = line(['w'], element('userTask', 'w'));
    const [source = ''] = await it.engine.deploy(called(work), 'called');
    const [target = ''] = await it.engine.deploy(called(before + work), 'called2');
    await it.start(line(['c'], call('c')));
    await it.to(before + line(['d'], call('d')), { instructions: [to('c', 'd')] });
    const child = it.engine.all(processInstances).find(({ definitionKey }) => definitionKey === 'called');
    const caller = it.id;
    it.id = child?.id ?? '';
    const of = child?.definitionId === source ? [source, target] : [target, source];
    await it.migrate({ sourceProcessDefinitionId: of[0] ?? '', targetProcessDefinitionId: of[1] ?? '' });
    await it.engine.run(
      it.engine.api.completeTask,
      { taskId: it.tasks('w')[0]?.id ?? '', variables: inputs({ result: 7 }) },
      admin,
    );
    await it.engine.settle();
    assert.deepEqual([it.engine.instance(caller).actor.value, it.engine.variables(caller).taken], ['completed', 7]);
    assert.deepEqual(it.history(caller), ['start', 'd', 'end']);
    for (const id of [caller, it.id]) it.assertReplays(id);
  });

  it('is refused with all that hinders it, and stays as it was', async () => {
    const it = await moving(line(['a'], element('userTask', 'a')));
    const stored = JSON.stringify(it.engine.instance(it.id));
    assert.match(
      await refusalOf(it.to(before + line(['b'], element('userTask', 'b')))),
      /^CONFLICT: expected to migrate process instance '.*', but expected an instruction for activity 'a', at which the instance is, but there is none$/,
    );
    assert.equal(JSON.stringify(it.engine.instance(it.id)), stored);
    const { definitionId } = it.engine.instance(it.id);
    const newest = it.engine.all(processDefinitions).find(({ latest }) => latest)?.id ?? '';
    const request = { sourceProcessDefinitionId: definitionId, targetProcessDefinitionId: newest };
    assert.match(await refusalOf(it.migrate({ ...request, instructions: [to('a', 'b')] }, ann)), /^FORBIDDEN/);
    assert.match(await refusalOf(it.migrate({ ...request, targetProcessDefinitionId: 'x' })), /^NOT_FOUND/);
    assert.match(
      await refusalOf(it.migrate({ ...request, instructions: [to('a', 'start'), to('x', 'b')] })),
      /^BAD_REQUEST: expected a migration plan without problems, but expected an activity 'x' .*, and 1 more$/,
    );
    const turned = { sourceProcessDefinitionId: newest, targetProcessDefinitionId: definitionId };
    assert.match(
      await refusalOf(it.migrate(turned)),
      /^CONFLICT: expected process instance '.*' to be of process definition/,
    );
    await it.complete(it.tasks('a')[0]);
    assert.match(
      await refusalOf(it.migrate(request)),
      /^CONFLICT: expected to migrate process instance '.*', but it is completed$/,
    );
  });
});

describe('a large instance that migrates', () => {
  const crowd = (id: string, more = '', condition = '') =>
    line([id], element('userTask', id, {}, multi(condition))) + more;

  it('is written once; what rests follows, and each may be done before', async () => {
    const it = await moving(crowd('a'));
    await it.to(before + crowd('b'), { instructions: [to('a', 'b')] });
    const written = it.engine.lastDecision?.write ?? [];
    assert.ok(written.length <= 5, `expected at most 5 documents, found ${written.length}`);
    assert.equal(it.tasks('a').length, SIZE);
    it.assertReplays();
    await it.complete(it.tasks('a')[17]);
    it.assertReplays();
    await it.engine.settle();
    assert.deepEqual([it.tasks('a').length, it.tasks('b').length], [0, SIZE - 1]);
    assert.equal(it.engine.instance(it.id).state.moves, undefined);
    it.assertReplays();
    assert.deepEqual(new Set(it.history()), new Set(['start', 'b#multiInstanceBody…', 'b…', 'b']));
    for (const task of it.tasks('b')) await it.complete(task);
    await it.engine.settle();
    assert.deepEqual([it.state, it.engine.all(instanceParts).length], ['completed', 0]);
    it.assertReplays();
  });

  it('follows several migrations, and then the one after', async () => {
    const late = (id: string) =>
      element('boundaryEvent', 'late', { attachedToRef: id, cancelActivity: 'false' }, timer('duration', 'PT1H')) +
      element('task', 'note') +
      flows('late', 'note');
    const inside = (id: string, more = '') =>
      line(
        ['q'],
        element(
          'subProcess',
          'q',
          {},
          multi() + line([id], element('userTask', id)).replaceAll(/"(start|end)/g, '"in-$1') + more,
        ),
      );
    const it = await moving(inside('a'));
    await it.to(before + inside('b', late('b')), { instructions: [to('a', 'b')] });
    await it.complete(it.tasks('a')[3]);
    await it.to(before + before.replace('all', 'more') + inside('c', late('c')), { instructions: [to('b', 'c')] });
    it.assertReplays();
    await it.complete(it.tasks('a')[5]);
    await it.engine.settle();
    it.assertReplays();
    const timers = () => it.engine.all(jobs).filter(({ type }) => type === 'timer').length;
    assert.deepEqual([it.tasks('c').length, timers()], [SIZE - 2, SIZE - 2]);
    await it.to(inside('d'), { instructions: [to('c', 'd')] });
    await it.engine.settle();
    assert.deepEqual([it.tasks('d').length, timers(), it.engine.instance(it.id).state.moves], [SIZE - 2, 0, undefined]);
    it.assertReplays();
    for (const task of it.tasks('d')) await it.complete(task);
    assert.equal(it.state, 'completed');
    it.assertReplays();
  });

  it('is left as it would have been, before all of it has followed', async () => {
    const condition = '<bpmn:completionCondition>${nrOfCompletedInstances == 2}</bpmn:completionCondition>';
    const it = await moving(crowd('a', '', condition));
    await it.complete(it.tasks('a')[0]);
    await it.to(before + crowd('b', '', condition), { instructions: [to('a', 'b')] });
    await it.complete(it.tasks('a')[1]);
    assert.equal(it.state, 'completed');
    it.assertReplays();
    await it.engine.settle();
    assert.deepEqual(
      [it.engine.all(instanceParts).length, it.engine.all(tasks).length, it.engine.all(jobs).length],
      [0, 0, 0],
    );
    it.assertReplays();
  });

  it('is cancelled, and suspended, while it follows', async () => {
    const it = await moving(crowd('a'));
    await it.to(before + crowd('b'), { instructions: [to('a', 'b')] });
    await it.engine.run(it.engine.api.suspendProcessInstance, { id: it.id }, admin);
    await it.engine.settle();
    assert.deepEqual([it.tasks('b').length, it.tasks('b').every(({ suspended }) => suspended)], [SIZE, true]);
    it.assertReplays();
    await it.to(crowd('c'), { instructions: [to('b', 'c')] });
    await it.engine.run(it.engine.api.cancelProcessInstance, { id: it.id, reason: 'no' }, admin);
    await it.engine.settle();
    assert.deepEqual([it.engine.all(instanceParts).length, it.engine.all(tasks).length], [0, 0]);
    it.assertReplays();
  });

  it('is refused where what rests would lose its place', async () => {
    const it = await moving(crowd('a'));
    const refused = await refusalOf(it.to(before + line(['b'], element('userTask', 'b'))));
    assert.match(refused, /'a', but there is none, and 60 of the instance's tokens are at 'a'/);
  });
});
