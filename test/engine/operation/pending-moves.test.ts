import assert from 'node:assert/strict';
import { jobs, type Task, tasks } from '../../../src/engine/collections.js';
import type { GivenInstruction } from '../../../src/engine/rule/given-instruction.js';
import { presentTask } from '../../../src/engine/run/present.js';
import { bpmn, element, flow, flows, line, timer } from '../../support/bpmn.js';
import { admin, EngineHarness, refusalOf, supervisor } from '../../support/engine-harness.js';

const multi = (size: number) =>
  `<bpmn:multiInstanceLoopCharacteristics><bpmn:loopCardinality>${size}</bpmn:loopCardinality></bpmn:multiInstanceLoopCharacteristics>`;
const task = (id: string, content = '') => element('userTask', id, {}, content);
const sub = (id: string, ids: readonly string[], body: string, loop = '') =>
  element('subProcess', id, {}, loop + line(ids, body).replaceAll(/"(start|end)/g, `"in-${id}-$1`));
const stopped = (id: string, kind = 'message') =>
  element('boundaryEvent', 'stop', { attachedToRef: id }, `<bpmn:${kind}EventDefinition ${kind}Ref="halt-${kind}"/>`) +
  task('s') +
  flows('stop', 's');

/** An instance that is changed once more while the former change is on its way. */
class Changing {
  readonly engine = new EngineHarness();
  id = '';
  #versions = 0;

  async start(body: string): Promise<this> {
    await this.#deploy(body);
    this.id = await this.engine.start();
    await this.engine.settle();
    return this;
  }

  async migrate(body: string): Promise<void> {
    const { definitionId: sourceProcessDefinitionId } = this.engine.instance(this.id);
    const targetProcessDefinitionId = await this.#deploy(body);
    const input = { processInstanceId: this.id, sourceProcessDefinitionId, targetProcessDefinitionId };
    await this.engine.run(this.engine.engine.jobs.migrateInstance, input, supervisor);
  }

  modify(...instructions: readonly GivenInstruction[]): Promise<string> {
    return this.engine.run(this.engine.api.modifyProcessInstance, { processInstanceId: this.id, instructions }, admin);
  }

  cancel(activityId: string): Promise<string> {
    return this.modify({ type: 'cancel', activityId });
  }

  halt(): Promise<unknown> {
    const message = { processInstanceId: this.id, messageName: 'halt', variables: [] };
    return this.engine.run(this.engine.api.correlateMessage, message as never, admin);
  }

  signal(): Promise<unknown> {
    const signal = { processInstanceId: this.id, signalName: 'halt', variables: [] };
    return this.engine.run(this.engine.api.publishSignal, signal, admin);
  }

  open(elementId: string): Task[] {
    const state = this.engine.state(undefined, Number.MAX_SAFE_INTEGER);
    return this.engine
      .all(tasks)
      .filter((each) => each.elementId === elementId && presentTask(state, each) !== undefined);
  }

  async complete(one: Task | undefined): Promise<void> {
    await this.engine.run(this.engine.api.completeTask, { taskId: one?.id ?? '' }, admin);
  }

  counts(...ids: string[]): number[] {
    return ids.map((id) => this.open(id).length);
  }

  get state(): string {
    return this.engine.instance(this.id).actor.value;
  }

  assertReplays(): void {
    const { stored, again } = this.engine.replayed(this.id);
    assert.deepEqual(again, stored);
  }

  async #deploy(body: string): Promise<string> {
    const root = '<bpmn:message id="halt-message" name="halt"/><bpmn:signal id="halt-signal" name="halt"/>';
    const [id = ''] = await this.engine.deploy(bpmn(body, { root }), `v${++this.#versions}`);
    return id;
  }
}

const started = (body: string) => new Changing().start(body);

describe('a change of an instance while the former one is on its way to what is stored apart', () => {
  const each = (size: number) => line(['g', 'z'], sub('g', ['c', 'd'], task('c') + task('d'), multi(size)) + task('z'));
  const around = (size: number, more = '') =>
    line(['g', 'z'], task('z') + sub('g', ['h', 'd'], sub('h', ['c'], task('c')) + task('d') + more, multi(size)));

  for (const size of [60, 120]) {
    it(`cancels a scope that a migration adds within each of ${size}`, async () => {
      const it = await started(each(size));
      await it.migrate(around(size));
      await it.cancel('h');
      assert.deepEqual(it.counts('c', 'd'), [0, 0]);
      it.assertReplays();
      await it.engine.settle();
      assert.deepEqual([it.counts('c', 'd'), it.state], [[0, 0], 'cancelled']);
      it.assertReplays();
    });
  }

  it('begins something in a scope that a migration adds', async () => {
    const it = await started(each(60));
    await it.migrate(around(60));
    const [first] = it.open('c').map(({ within }) => `${it.id}:${(within?.[0]?.[1] ?? 0) + 1}`);
    await it.modify({ type: 'startBeforeActivity', activityId: 'c', ancestorActivityInstanceId: first ?? '' });
    await it.engine.settle();
    it.assertReplays();
    assert.deepEqual(it.counts('c', 'd'), [61, 0]);
    await it.cancel('h');
    await it.engine.settle();
    assert.deepEqual(it.state, 'cancelled');
  });

  for (const event of ['message', 'signal']) {
    it(`a ${event} to an event of a scope that a migration adds comes when all are in it`, async () => {
      const it = await started(each(60));
      await it.migrate(around(60, stopped('h', event)));
      if (event === 'signal') {
        await it.signal();
        await it.engine.settle();
        assert.deepEqual(it.counts('c', 's'), [0, 60]);
      } else {
        assert.match(await refusalOf(it.halt()), /^CONFLICT: .*60/);
      }
      it.assertReplays();
    });
  }

  it('a message to a sub-process that is empty is refused', async () => {
    const it = await started(line(['q', 'z'], sub('q', ['c'], task('c', multi(120))) + stopped('q') + task('z')));
    await it.cancel('c');
    await refusalOf(it.halt());
    await it.engine.settle();
    assert.deepEqual([it.state, it.counts('s', 'z')], ['cancelled', [0, 0]]);
    it.assertReplays();
  });

  it('a message to a sub-process that is empty, for others have come through, is refused', async () => {
    const it = await started(
      line(
        ['q', 'z'],
        sub('q', ['g'], sub('g', ['c', 'd'], task('c') + task('d'), multi(120))) + stopped('q') + task('z'),
      ),
    );
    for (const one of it.open('c').slice(0, 10)) await it.complete(one);
    await it.cancel('c');
    for (const one of it.open('d')) await it.complete(one);
    assert.ok(it.engine.instance(it.id).state.moves);
    assert.match(await refusalOf(it.halt()), /^NOT_FOUND/);
    await it.engine.settle();
    assert.deepEqual([it.state, it.counts('s', 'z')], ['active', [0, 1]]);
    it.assertReplays();
  });

  it('a migration of one that has gone on in truth waits for that', async () => {
    const body = line(['g', 'z'], sub('g', ['c', 'd'], task('c') + task('d'), multi(120)) + task('z'));
    const it = await started(body);
    await it.complete(it.open('c')[0]);
    await it.cancel('c');
    await it.complete(it.open('d')[0]);
    assert.match(await refusalOf(it.migrate(body)), /^UNAVAILABLE/);
    await it.engine.settle();
    await it.migrate(body);
    await it.engine.settle();
    assert.deepEqual([it.state, it.counts('z')], ['active', [1]]);
    it.assertReplays();
  });

  it('an instance that has completed in truth cannot be cancelled any more', async () => {
    const it = await started(line(['g'], sub('g', ['c', 'd'], task('c') + task('d'), multi(120))));
    await it.complete(it.open('c')[0]);
    await it.cancel('c');
    await it.complete(it.open('d')[0]);
    assert.equal(it.state, 'active');
    const { cancelProcessInstance } = it.engine.api;
    assert.match(await refusalOf(it.engine.run(cancelProcessInstance, { id: it.id }, admin)), /^CONFLICT/);
    assert.equal(it.state, 'completed');
    it.assertReplays();
  });

  it('a signal to one of many that is empty, for so many within it are cancelled, is not heard', async () => {
    const inner =
      '<bpmn:multiInstanceLoopCharacteristics><bpmn:loopCardinality>${loopCounter == 0 ? 120 : 2}</bpmn:loopCardinality></bpmn:multiInstanceLoopCharacteristics>';
    const which =
      element('exclusiveGateway', 'which', { default: 'which-f' }) +
      element('subProcess', 'q', {}, line(['c'], task('c', inner)).replaceAll(/"(start|end)/g, '"in-q-$1')) +
      stopped('q', 'signal') +
      task('f') +
      flows('which', 'f') +
      flow('which', 'q', '${loopCounter < 2}');
    const it = await started(
      element('startEvent', 'start') +
        element('subProcess', 'g', {}, multi(60) + element('startEvent', 'gs') + flows('gs', 'which') + which) +
        flows('start', 'g', 'z') +
        task('z'),
    );
    assert.deepEqual(it.counts('c', 'f', 's'), [122, 58, 0]);
    await it.cancel('c');
    const deliveries = () => it.engine.all(jobs).filter(({ type }) => type === 'delivery');
    await it.signal();
    for (const { id } of deliveries()) await it.engine.runJob(id);
    assert.deepEqual(it.counts('c', 'f', 's'), [0, 58, 0]);
    await it.engine.settle();
    assert.deepEqual([it.counts('c', 'f', 's'), deliveries(), it.state], [[0, 58, 0], [], 'active']);
    it.assertReplays();
  });

  it('what begins where all is cancelled begins anew', async () => {
    const inside = sub('g', ['c', 'd'], task('c') + task('d'), multi(120)) + task('e');
    const it = await started(line(['q', 'z'], sub('q', ['g'], inside) + task('z')));
    await it.complete(it.open('c')[0]);
    await it.cancel('c');
    await it.complete(it.open('d')[0]);
    await it.modify({ type: 'startBeforeActivity', activityId: 'e' });
    await it.engine.settle();
    assert.deepEqual([it.state, it.counts('e', 'z')], ['active', [1, 1]]);
    it.assertReplays();
  });

  describe('in a sub-process that is empty in truth, and there until all have followed', () => {
    /** A sub-process with an event at its boundary, and what goes on beside it. */
    const beside = (event: string, ids: readonly string[], body: string, root = '') => {
      const boundary = element('boundaryEvent', 'stop', { attachedToRef: 'q' }, event) + task('s') + flows('stop', 's');
      const fork = element('parallelGateway', 'fork') + flows('start', 'fork', 'q', 'z') + flows('fork', ...ids);
      return (
        element('startEvent', 'start') +
        fork +
        sub('q', ['g'], sub('g', ['c', 'd'], task('c') + task('d'), multi(120))) +
        boundary +
        task('z') +
        body +
        root
      );
    };

    const emptied = async (body: string): Promise<Changing> => {
      const it = await started(body);
      await it.complete(it.open('c')[0]);
      await it.cancel('c');
      await it.complete(it.open('d')[0]);
      assert.ok(it.engine.instance(it.id).state.moves, 'it is on its way');
      return it;
    };
    const passed = async (it: Changing) => {
      await it.engine.settle();
      assert.deepEqual([it.counts('s', 'z'), it.engine.instance(it.id).state.moves], [[0, 1], undefined]);
      assert.deepEqual(
        it.engine.all(jobs).filter(({ suspended }) => suspended),
        [],
      );
      it.assertReplays();
    };
    const signal = '<bpmn:signalEventDefinition signalRef="halt-signal"/>';
    const thrown = element('intermediateThrowEvent', 'throw', {}, signal);

    it('a timer does not come', async () => {
      const it = await emptied(beside(timer('duration', 'PT1H'), ['t'], task('t')));
      it.engine.now += 3_600_000;
      const due = it.engine.all(jobs).find(({ type }) => type === 'timer');
      await it.engine.runJob(due?.id ?? '');
      assert.deepEqual(it.counts('s', 't'), [0, 1]);
      assert.equal(it.engine.get(jobs, due?.id ?? '')?.suspended, true);
      await passed(it);
    });

    it('a signal is not heard that the instance throws itself', async () => {
      const it = await emptied(beside(signal, ['t', 'throw', 'u'], task('t') + thrown + task('u')));
      await it.complete(it.open('t')[0]);
      assert.deepEqual(it.counts('u'), [1]);
      await passed(it);
    });

    it('a signal is not heard that a job throws, which waits for that', async () => {
      const late = element('intermediateThrowEvent', 'throw', { 'camunda:asyncBefore': 'true' }, signal);
      const it = await emptied(beside(signal, ['t', 'throw', 'u'], task('t') + late + task('u')));
      await it.complete(it.open('t')[0]);
      const next = it.engine.all(jobs).find(({ type }) => type === 'continuation');
      await it.engine.runJob(next?.id ?? '');
      assert.deepEqual(it.counts('u', 's'), [0, 0]);
      await it.engine.runDue();
      assert.deepEqual(it.counts('u'), [1]);
      await passed(it);
    });

    it('a condition does not come true', async () => {
      const condition =
        '<bpmn:conditionalEventDefinition><bpmn:condition xsi:type="bpmn:tFormalExpression">${x == 1}</bpmn:condition></bpmn:conditionalEventDefinition>';
      const it = await emptied(beside(condition, ['t', 'u'], task('t') + task('u')));
      const variables = [{ name: 'x', value: 1 }];
      await it.engine.run(it.engine.api.completeTask, { taskId: it.open('t')[0]?.id ?? '', variables }, admin);
      assert.deepEqual(it.counts('u'), [1]);
      await passed(it);
    });

    it('what follows is kept from it by no other job of the instance, whose work may wait for it', async () => {
      const it = await emptied(beside(signal, ['t'], task('t')));
      const follower = () => it.engine.all(jobs).find(({ type }) => type === 'followingMove');
      for (let next = follower(); next !== undefined; next = follower()) {
        assert.equal(next.exclusive, null);
        await it.engine.runJob(next.id);
      }
      await passed(it);
    });

    it('whose follower has failed for good refuses what would wait for ever', async () => {
      const it = await emptied(beside('<bpmn:messageEventDefinition messageRef="halt-message"/>', ['t'], task('t')));
      const follower = it.engine.all(jobs).find(({ type }) => type === 'followingMove');
      await it.engine.run(it.engine.api.setRetriesOfJob, { id: follower?.id ?? '', retries: 0 }, admin);
      assert.match(await refusalOf(it.halt()), /^CONFLICT: .*failed for good/);
      await it.complete(it.open('t')[0]);
      await it.engine.run(it.engine.api.setRetriesOfJob, { id: follower?.id ?? '', retries: 1 }, admin);
      assert.match(await refusalOf(it.halt()), /^NOT_FOUND/);
      await passed(it);
    });
  });
});
