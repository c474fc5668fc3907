import assert from 'node:assert/strict';
import {
  externalTasks,
  instanceParts,
  jobs,
  largeVariables,
  processInstances,
  runs,
  subscriptions,
  type Task,
  tasks,
} from '../../../src/engine/collections.js';
import { activityInstances } from '../../../src/engine/view/activity-instances.js';
import { bpmn, element, extended, flow, flows, line, timer } from '../../support/bpmn.js';
import { admin, ann, EngineHarness, inputs, refusalOf, supervisor } from '../../support/engine-harness.js';

const SIZE = 120;

const multi = (content = '', attributes = '') =>
  `<bpmn:multiInstanceLoopCharacteristics camunda:collection="list" camunda:elementVariable="x" ${attributes}>${content}</bpmn:multiInstanceLoopCharacteristics>`;
const message = '<bpmn:messageEventDefinition messageRef="m"/>';
const signal = '<bpmn:signalEventDefinition signalRef="s"/>';
const boundary = (on: string, definition: string, attributes: Readonly<Record<string, string>> = {}) =>
  element('boundaryEvent', 'b', { attachedToRef: on, ...attributes }, definition) +
  element('userTask', 't') +
  flows('b', 't');
const model = (body: string) =>
  bpmn(body, {
    root: '<bpmn:message id="m" name="go"/><bpmn:signal id="s" name="now"/><bpmn:error id="e" errorCode="E"/>',
  });

/** A user task for each item of `list`, and what hangs on it. */
const crowd = (content = '', more = '') => model(line(['a'], element('userTask', 'a', {}, content)).concat(more));
const inside = (body: string, loop = multi()) =>
  element('subProcess', 'a', {}, `${loop}${element('startEvent', 'begin')}${body}${element('endEvent', 'done')}`);

const listed = (size = SIZE) => ({ list: Array.from({ length: size }, (_, n) => n) });

/** A started instance, and what a test asks of it. */
class Crowd {
  readonly engine = new EngineHarness({ evaluators: { script: () => ({ result: null }) } });
  id = '';

  async start(xml: string, variables: Readonly<Record<string, unknown>> = listed()): Promise<this> {
    await this.engine.deploy(xml);
    this.id = await this.engine.start(variables, ann, 'key');
    await this.engine.settle();
    return this;
  }

  tasks(elementId = 'a'): Task[] {
    return this.engine.all(tasks).filter((task) => task.elementId === elementId);
  }

  async complete(task: Task | undefined, variables: Readonly<Record<string, unknown>> = {}): Promise<void> {
    const { api } = this.engine;
    await this.engine.run(api.completeTask, { taskId: task?.id ?? '', variables: inputs(variables) }, admin);
  }

  get parts(): number {
    return this.engine.all(instanceParts).length;
  }

  get state(): string {
    return this.engine.instance(this.id).actor.value;
  }

  /** How many activity instances of the element there were, and how many of them were cancelled. */
  history(elementId = 'a'): readonly [number, number] {
    const kept = this.engine.all(runs).sort((a, b) => a.n - b.n);
    const found = activityInstances(kept, (id) => this.engine.programs.of(this.engine.state(), id));
    const own = found.filter(({ activityId }) => activityId === elementId);
    return [own.length, own.filter(({ canceled }) => canceled).length];
  }

  /** What is stored is what its commands give. */
  assertReplays(): void {
    const { stored, again } = this.engine.replayed(this.id);
    assert.deepEqual(again, stored);
  }

  assertGone(): void {
    const left = [instanceParts, tasks, externalTasks, subscriptions, jobs, largeVariables].map(
      (each) => this.engine.all(each as never).length,
    );
    assert.deepEqual(left, [0, 0, 0, 0, 0, 0], 'parts, tasks, external tasks, subscriptions, jobs, large variables');
    assert.ok(this.engine.instance(this.id).state.scopes.every(({ abandoned }) => abandoned === undefined));
  }
}

const begun = (xml: string, variables?: Readonly<Record<string, unknown>>) => new Crowd().start(xml, variables);

describe('a large scope', () => {
  it('has documents of its own for its tokens, from 50 instances on', async () => {
    const small = await begun(crowd(multi()), listed(49));
    assert.deepEqual([small.parts, small.tasks().length], [0, 49]);
    const large = await begun(crowd(multi()), listed(50));
    assert.deepEqual([large.parts, large.tasks().length], [50, 50]);
    const { state } = large.engine.instance(large.id);
    assert.deepEqual([state.tokens.length, state.scopes.length], [1, 2]);
    for (const each of [small, large]) each.assertReplays();
  });

  it('is left when the last of them has completed, each by a run that writes what it touches', async () => {
    const it = await begun(crowd(multi()));
    it.assertReplays();
    for (const [n, task] of it.tasks().entries()) {
      await it.complete(task);
      const written = it.engine.lastDecision?.write ?? [];
      assert.ok(written.length <= 4 && JSON.stringify(written.map(({ document }) => document)).length < 4_000);
      if (n === 60) it.assertReplays();
    }
    assert.deepEqual([it.state, it.history()], ['completed', [SIZE, 0]]);
    it.assertReplays();
    it.assertGone();
  });

  it('gives each task its item, variables of its own, also large ones, and takes those that it sets', async () => {
    const it = await begun(crowd(multi('', '')), { list: listed().list, large: 'y' });
    const [, second, third] = it.tasks();
    const { api } = it.engine;
    for (const task of [second, third]) {
      const variables = inputs({ own: 'z'.repeat(2_000), short: task?.tokenId });
      await it.engine.run(api.setTaskVariables, { taskId: task?.id ?? '', variables, local: true }, admin);
    }
    assert.equal(it.engine.all(largeVariables).length, 2);
    assert.equal(it.engine.instance(it.id).spilled.length, 0);
    it.assertReplays();
    const replaced = {
      taskId: third?.id ?? '',
      variables: inputs({ loopCounter: 2 }),
      local: true,
      mode: 'REPLACE',
    } as const;
    await it.engine.run(api.setTaskVariables, replaced, admin);
    assert.equal(it.engine.all(largeVariables).length, 1);
    await it.complete(second, { large: 'w', other: 1 });
    assert.deepEqual([it.engine.variables(it.id).large, it.engine.variables(it.id).other], ['w', 1]);
    assert.equal(it.engine.all(largeVariables).length, 0);
    it.assertReplays();
  });

  it('is left when its condition holds; the others can be found no more, and are cleared away', async () => {
    const condition = '<bpmn:completionCondition>${nrOfCompletedInstances == 2}</bpmn:completionCondition>';
    const it = await begun(crowd(multi(condition)));
    const [first, second, third] = it.tasks();
    await it.complete(first);
    await it.complete(second);
    assert.equal(it.state, 'completed');
    assert.match(await refusalOf(it.complete(third)), /^NOT_FOUND/);
    it.assertReplays();
    await it.engine.settle();
    assert.deepEqual(it.history(), [SIZE, SIZE - 2]);
    it.assertReplays();
    it.assertGone();
  });

  it('tells the end listeners of those that are cleared away, with what each sees', async () => {
    const listener = extended(
      `<camunda:executionListener event="end" expression="\${execution.setVariable('ended', ended + x)}"/>`,
    );
    const condition = '<bpmn:completionCondition>${nrOfCompletedInstances == 1}</bpmn:completionCondition>';
    const after = element('userTask', 'b') + flows('a', 'b');
    const xml = model(
      element('startEvent', 'start') +
        element('userTask', 'a', {}, listener + multi(condition)) +
        flows('start', 'a') +
        after,
    );
    const it = await begun(xml, { ...listed(), ended: 0 });
    await it.complete(it.tasks()[7]);
    assert.equal(it.engine.variables(it.id).ended, 7);
    await it.engine.settle();
    assert.equal(it.engine.variables(it.id).ended, (SIZE * (SIZE - 1)) / 2);
    assert.deepEqual([it.parts, it.tasks().length, it.tasks('b').length], [0, 0, 1]);
    it.assertReplays();
  });

  it('is interrupted as a whole, whatever its tokens wait for, and goes on beside', async () => {
    const inner = `${element('receiveTask', 'w', { messageRef: 'm' })}${flows('begin', 'w', 'done')}
      ${element('boundaryEvent', 'late', { attachedToRef: 'w', cancelActivity: 'false' }, timer('cycle', 'R/PT1H'))}
      ${element('task', 'remind')}${flows('late', 'remind')}`;
    const it = await begun(model(line(['a'], inside(inner)) + boundary('a', signal)));
    assert.deepEqual(
      [it.parts, it.engine.all(subscriptions).length, it.engine.all(jobs).length],
      [SIZE, SIZE + 1, SIZE],
    );
    await it.engine.runDue(it.engine.now + 3_600_000);
    assert.deepEqual([it.parts, it.history('remind')], [SIZE, [SIZE, 0]]);
    it.assertReplays();
    await it.engine.run(it.engine.api.publishSignal, { signalName: 'now', variables: [] }, admin);
    await it.engine.settle();
    assert.deepEqual([it.parts, it.engine.all(subscriptions).length, it.engine.all(jobs).length], [0, 0, 0]);
    assert.deepEqual(
      [it.history('a'), it.history('w')],
      [
        [SIZE, SIZE],
        [SIZE, SIZE],
      ],
    );
    it.assertReplays();
    await it.complete(it.tasks('t')[0]);
    assert.equal(it.state, 'completed');
    it.assertGone();
  });

  it('is found by messages and signals, each of which reaches the tokens that wait for it', async () => {
    const waiting = element('intermediateCatchEvent', 'w', {}, signal) + flows('begin', 'w', 'done');
    const it = await begun(model(line(['a'], inside(waiting))));
    await it.engine.run(it.engine.api.publishSignal, { signalName: 'now', variables: inputs({ told: 1 }) }, admin);
    await it.engine.settle();
    assert.deepEqual([it.state, it.engine.variables(it.id).told], ['completed', 1]);
    it.assertReplays();
    it.assertGone();
  });

  for (const isWithin of [false, true]) {
    it(`is reached as a whole by a signal ${isWithin ? 'for its instance' : 'for all'}, in pages`, async () => {
      const waiting = element('intermediateCatchEvent', 'w', {}, signal) + flows('begin', 'w', 'done');
      const it = await begun(model(line(['a'], inside(waiting))), listed(210));
      const { publishSignal } = it.engine.api;
      const input = { signalName: 'now', ...(isWithin && { processInstanceId: it.id }) };
      const { receivers, hasMore } = await it.engine.run(publishSignal, input, admin);
      assert.deepEqual([receivers.length, hasMore], [200, true]);
      await it.engine.settle();
      assert.equal(it.state, 'completed');
    });
  }

  it('takes what one of its own tokens throws to the others by jobs', async () => {
    const body = `${element('exclusiveGateway', 'who', { default: 'who-w' })}${element('intermediateCatchEvent', 'w', {}, signal)}
      ${element('userTask', 'tell')}${element('intermediateThrowEvent', 'tells', {}, signal)}
      ${flows('begin', 'who', 'w', 'done')}${flow('who', 'tell', '${loopCounter == 3}')}${flows('tell', 'tells', 'done')}`;
    const it = await begun(model(line(['a'], inside(body))));
    await it.complete(it.tasks('tell')[0]);
    assert.equal(it.engine.all(subscriptions).length, SIZE - 1);
    await it.engine.settle();
    assert.equal(it.state, 'completed');
    it.assertReplays();
  });

  it('takes an error of one of its tokens to the boundary event of the whole', async () => {
    const fails = `${element('userTask', 'w')}<bpmn:endEvent id="fails"><bpmn:errorEventDefinition errorRef="e"/></bpmn:endEvent>${flows('begin', 'w', 'fails')}`;
    const sub = element('subProcess', 'a', {}, `${multi()}${element('startEvent', 'begin')}${fails}`);
    const it = await begun(model(line(['a'], sub) + boundary('a', '<bpmn:errorEventDefinition errorRef="e"/>')));
    await it.complete(it.tasks('w')[5]);
    assert.deepEqual(it.tasks('t').length, 1);
    await it.engine.settle();
    assert.deepEqual([it.parts, it.history('w')], [0, [SIZE, SIZE - 1]]);
    it.assertReplays();
  });

  it('may be within another', async () => {
    const nested = inside(
      element('userTask', 'w', {}, multi('', '').replace('"x"', '"y"')) + flows('begin', 'w', 'done'),
    );
    const it = await begun(model(line(['a'], nested) + boundary('a', message)), listed(60));
    assert.deepEqual([it.parts, it.tasks('w').length], [60 + 60 * 60, 60 * 60]);
    const all = it.tasks('w');
    const first = all.filter(({ within }) => within?.[0]?.[1] === all[0]?.within?.[0]?.[1]);
    assert.equal(first.length, 60);
    for (const task of first) await it.complete(task);
    assert.deepEqual([it.parts, it.history('done')], [59 + 59 * 60, [1, 0]]);
    it.assertReplays();
    await it.engine.run(it.engine.api.correlateMessage, { messageName: 'go', variables: [] }, admin);
    await it.engine.settle();
    assert.deepEqual(
      [it.parts, it.tasks('w').length, it.history('w'), it.history('a')],
      [0, 0, [3600, 3540], [60, 59]],
    );
    it.assertReplays();
  }).timeout(60_000);

  for (const how of ['cancelProcessInstance', 'deleteProcessInstance'] as const) {
    it(`is ended by ${how} in one decision, also while it is suspended, and without its listeners`, async () => {
      const listener = extended(`<camunda:executionListener event="end" expression="\${nobody}"/>`);
      const it = await begun(crowd(listener + multi()));
      await it.engine.run(it.engine.api.suspendProcessInstance, { id: it.id }, admin);
      await it.engine.settle();
      await it.engine.run(it.engine.api[how], { id: it.id }, admin);
      assert.ok((it.engine.lastDecision?.write ?? []).length < 10);
      assert.equal(it.state, 'cancelled');
      assert.match(await refusalOf(it.complete(it.tasks()[0])), /^NOT_FOUND/);
      it.assertReplays();
      await it.engine.settle();
      assert.deepEqual(it.history(), [SIZE, SIZE]);
      it.assertReplays();
      it.assertGone();
    });
  }

  it('is suspended and activated in one decision, which its tasks and jobs follow', async () => {
    const it = await begun(
      crowd(multi(), boundary('a', timer('duration', 'PT1H')).replace('id="b"', 'id="b" cancelActivity="false"')),
    );
    const { api } = it.engine;
    await it.engine.run(api.suspendProcessInstance, { id: it.id }, admin);
    assert.ok((it.engine.lastDecision?.write ?? []).length < 10);
    assert.match(await refusalOf(it.complete(it.tasks()[0])), /^CONFLICT/);
    await it.engine.settle();
    assert.ok(it.tasks().every(({ suspended }) => suspended));
    await it.engine.runDue(it.engine.now + 3_600_000);
    assert.equal(it.tasks('t').length, 0);
    await it.engine.run(api.activateProcessInstance, { id: it.id }, admin);
    await it.complete(it.tasks()[0]);
    await it.engine.settle();
    assert.ok(it.tasks().every(({ suspended }) => !suspended));
    await it.engine.runDue();
    assert.equal(it.tasks('t').length, 1);
    it.assertReplays();
  });

  it('calls handlers, tries them again, and ends what failed when it is left', async () => {
    const work = element('serviceTask', 'a', { 'camunda:class': 'worker', 'camunda:resultVariable': 'r' }, multi());
    const it = new Crowd();
    let failing = true;
    it.engine.handlers.register('worker', ({ variables }) => {
      if (failing && variables.x === 3) throw new Error('not now');
      return variables.x;
    });
    await it.start(model(line(['a'], work)));
    for (let n = 0; n < 5; n++) await it.engine.runDue();
    assert.deepEqual([it.parts, it.engine.instance(it.id).incidentCount], [1, 1]);
    it.assertReplays();
    failing = false;
    await it.engine.run(it.engine.api.cancelProcessInstance, { id: it.id }, admin);
    await it.engine.settle();
    assert.deepEqual(it.history(), [SIZE, 1]);
    it.assertReplays();
    it.assertGone();
  });

  it('gives its work to workers, until it is left', async () => {
    const condition = '<bpmn:completionCondition>${nrOfCompletedInstances == 2}</bpmn:completionCondition>';
    const work = { 'camunda:type': 'external', 'camunda:topic': 'sort' };
    const it = await begun(model(line(['a'], element('serviceTask', 'a', work, multi(condition)))));
    const { api } = it.engine;
    const { now } = it.engine;
    const input = { workerId: 'w', maxTasks: 3, topics: [{ topicName: 'sort', lockDurationMs: 60_000 }], now };
    const fetched = async () => (await it.engine.run(api.fetchAndLock, input, admin)).locked;
    await it.engine.run(api.suspendProcessInstance, { id: it.id }, admin);
    assert.deepEqual(await fetched(), []);
    await it.engine.run(api.activateProcessInstance, { id: it.id }, admin);
    await it.engine.settle();
    const taken = await fetched();
    const complete = (n: number) =>
      it.engine.run(api.completeExternalTask, { taskId: taken[n]?.id ?? '', workerId: 'w' }, admin);
    await complete(0);
    it.assertReplays();
    await complete(1);
    assert.match(await refusalOf(complete(2)), /^NOT_FOUND/);
    assert.deepEqual(await fetched(), []);
    await it.engine.settle();
    assert.deepEqual(it.history(), [SIZE, SIZE - 2]);
    it.assertReplays();
    it.assertGone();
  });

  it('keeps what waits for conditions in the instance, and begins what is within each token', async () => {
    const inner = `${element('userTask', 'w')}${flows('begin', 'w', 'done')}
      ${element(
        'subProcess',
        'inside',
        { triggeredByEvent: 'true' },
        `${element('startEvent', 'changed', { isInterrupting: 'true' }, '<bpmn:conditionalEventDefinition><bpmn:condition>${go}</bpmn:condition></bpmn:conditionalEventDefinition>')}
        ${element('endEvent', 'over')}${flows('changed', 'over')}`,
      )}`;
    const it = await begun(model(line(['a'], inside(inner))), { ...listed(60), go: false });
    assert.deepEqual([it.parts, it.tasks('w').length], [0, 60]);
    await it.complete(it.tasks('w')[0]);
    await it.complete(it.tasks('w')[0], { go: true });
    assert.equal(it.state, 'completed');
    it.assertReplays();
    it.assertGone();
  });

  it('is that of a drawn loop, too, whose first tokens stay', async () => {
    const drawn =
      model(`${element('startEvent', 'start')}${element('exclusiveGateway', 'again')}${element('parallelGateway', 'fork')}
      ${element('userTask', 'a')}${element('serviceTask', 'count', { 'camunda:expression': '${n + 1}', 'camunda:resultVariable': 'n' })}
      ${element('exclusiveGateway', 'more', { default: 'more-end' })}${element('endEvent', 'end')}
      ${flows('start', 'again', 'fork', 'a')}${flows('fork', 'count', 'more', 'end')}${flow('more', 'again', '${n < 300}')}`);
    const it = await begun(drawn, { n: 0 });
    assert.deepEqual([it.tasks().length, it.parts + it.engine.instance(it.id).state.tokens.length], [300, 300]);
    assert.ok(it.parts > 240);
    it.assertReplays();
    const all = it.tasks();
    for (const task of all.slice(0, 150)) await it.complete(task);
    it.assertReplays();
    for (const task of all.slice(150)) await it.complete(task);
    assert.equal(it.state, 'completed');
    it.assertReplays();
    it.assertGone();
  });

  it('is looked at as a whole where an inclusive gateway joins in it', async () => {
    const drawn =
      model(`${element('startEvent', 'start')}${element('inclusiveGateway', 'fork')}${element('inclusiveGateway', 'join')}
      ${element('userTask', 'a', {}, multi())}${element('userTask', 'c')}${element('userTask', 'd')}
      ${flows('start', 'fork')}${flow('fork', 'a', '${true}')}${flow('fork', 'c', '${true}')}${flows('a', 'join', 'd')}${flows('c', 'join')}`);
    const it = await begun(drawn, listed(60));
    await it.complete(it.tasks('c')[0]);
    for (const task of it.tasks()) {
      assert.equal(it.tasks('d').length, 0);
      await it.complete(task);
    }
    assert.equal(it.tasks('d').length, 1);
    it.assertReplays();
  });

  it('follows another business key', async () => {
    const body = element('receiveTask', 'w', { messageRef: 'm' }) + flows('begin', 'w', 'done');
    const rename = element('serviceTask', 'rename', {
      'camunda:expression': "${execution.setProcessBusinessKey('other')}",
    });
    const xml = model(`${line(['fork', 'a'], element('parallelGateway', 'fork') + inside(body))}
      ${element('userTask', 'u')}${rename}${flows('fork', 'u', 'rename')}`);
    const it = await begun(xml);
    await it.complete(it.tasks('u')[0]);
    await it.engine.settle();
    assert.ok(it.engine.all(subscriptions).every(({ businessKey }) => businessKey === 'other'));
    assert.equal(it.engine.all(subscriptions).length, SIZE);
  });

  it('calls processes, suspends them with it, hears of each how it ended, and ends them when it is left', async () => {
    const called = bpmn(line(['c'], element('userTask', 'c')), { key: 'q' });
    const taken = '<camunda:in source="x" target="n"/><camunda:out source="n" target="last"/>';
    const call = element('callActivity', 'a', { calledElement: 'q' }, extended(taken) + multi());
    const it = new Crowd();
    await it.engine.deploy(called, 'q');
    await it.start(model(line(['a'], call) + boundary('a', signal)), listed(60));
    assert.deepEqual([it.tasks('c').length, it.parts > 0], [60, true]);
    const suspended = () => it.engine.all(processInstances).filter(({ actor }) => actor.value === 'suspended').length;
    await it.engine.run(it.engine.api.suspendProcessInstance, { id: it.id }, supervisor);
    await it.engine.settle();
    assert.deepEqual([suspended(), it.tasks('c').every((task) => task.suspended)], [61, true]);
    await it.engine.run(it.engine.api.activateProcessInstance, { id: it.id }, supervisor);
    await it.engine.settle();
    assert.equal(suspended(), 0);
    for (const task of it.tasks('c').slice(10)) await it.complete(task);
    await it.engine.settle();
    assert.deepEqual([typeof it.engine.variables(it.id).last, it.parts], ['number', 10]);
    it.assertReplays();
    await it.engine.run(it.engine.api.publishSignal, { signalName: 'now' }, ann);
    await it.engine.settle();
    assert.deepEqual([it.tasks('c').length, it.tasks('t').length, it.parts], [0, 1, 0]);
    assert.ok(it.engine.all(processInstances).every(({ id, endTime }) => id === it.id || endTime !== null));
    it.assertReplays();
  });
});
