import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  externalTasks,
  instanceParts,
  jobs,
  processInstances,
  runs,
  subscriptions,
  type Task,
  tasks,
} from '../../../src/engine/collections.js';
import type { GivenInstruction } from '../../../src/engine/rule/given-instruction.js';
import { presentJob, presentSubscription, presentTask } from '../../../src/engine/run/present.js';
import { activityInstances } from '../../../src/engine/view/activity-instances.js';
import type { Condition, State } from '../../../src/store/documents.js';
import { bpmn, element, extended, flow, flows, line, timer } from '../../support/bpmn.js';
import { admin, EngineHarness, refusalOf, supervisor } from '../../support/engine-harness.js';

const SIZE = 120;
const multi = `<bpmn:multiInstanceLoopCharacteristics camunda:collection="list" camunda:elementVariable="x"/>`;
const task = (id: string, content = '') => element('userTask', id, {}, content);
const model = (body: string) =>
  bpmn(body, { root: '<bpmn:message id="m" name="go"/><bpmn:error id="e" errorCode="E"/>' });

/** A sub-process for each item, with `body` behind its start `s`; then a task. */
const each = (body: string, more = '') =>
  model(
    line(['g', 'b'], element('subProcess', 'g', {}, `${multi}${element('startEvent', 's')}${body}`) + task('b')) + more,
  );
/** Two tasks at once in each. */
const both = (content = '') =>
  each(
    `${element('parallelGateway', 'fork')}${task('c', content)}${task('d')}${flows('s', 'fork', 'c')}${flows('fork', 'd')}`,
  );
/** One of them in each: `c` in every second one. */
const either = each(
  `${element('exclusiveGateway', 'which', { default: 'which-d' })}${task('c')}${task('d')}${flows('s', 'which', 'd')}${flow('which', 'c', '${loopCounter % 2 == 0}')}`,
);
/** As many tasks in the process itself. */
const many = bpmn(
  line(['m', 'a', 'b'], element('task', 'm', { completionQuantity: String(3 * SIZE) }) + task('a') + task('b')),
);

/** An instance with much of everything, of which activities are cancelled. */
class Cancelled {
  readonly engine = new EngineHarness();
  id = '';

  async start(xml: string, size = SIZE): Promise<this> {
    await this.engine.deploy(xml);
    this.id = await this.engine.start({ list: Array.from({ length: size }, (_, n) => n) });
    await this.engine.settle();
    return this;
  }

  modify(...instructions: readonly GivenInstruction[]): Promise<string> {
    const { api } = this.engine;
    return this.engine.run(api.modifyProcessInstance, { processInstanceId: this.id, instructions }, admin);
  }

  cancel(activityId: string): Promise<string> {
    return this.modify({ type: 'cancel', activityId });
  }

  /** The tasks that are shown. */
  open(elementId: string): Task[] {
    const state = this.engine.state(undefined, Number.MAX_SAFE_INTEGER);
    const shown = this.stored(elementId).filter((each) => presentTask(state, each) !== undefined);
    assert.deepEqual(listed(state, this.stored(elementId)), shown);
    return shown;
  }

  stored(elementId: string): Task[] {
    return this.engine.all(tasks).filter((each) => each.elementId === elementId);
  }

  async complete(one: Task | undefined): Promise<void> {
    await this.engine.run(this.engine.api.completeTask, { taskId: one?.id ?? '', variables: [] }, admin);
  }

  async settle(): Promise<void> {
    await this.engine.settle();
  }

  get written(): number {
    return this.engine.lastDecision?.write?.length ?? 0;
  }

  get state(): string {
    return this.engine.instance(this.id).actor.value;
  }

  /** How many activity instances there were, and how many were cancelled. */
  history(elementId: string): number[] {
    const kept = this.engine.all(runs).sort((a, b) => a.n - b.n);
    const programOf = (id: string) => this.engine.programs.of(this.engine.state(), id);
    const own = activityInstances(kept, programOf).filter(({ activityId }) => activityId === elementId);
    return [own.length, own.filter(({ canceled }) => canceled).length];
  }

  assertReplays(): void {
    const { stored, again } = this.engine.replayed(this.id);
    assert.deepEqual(again, stored);
  }
}

/** Those that a list shows. */
function listed(state: State, all: readonly Task[]): Task[] {
  const left = tasks.leftBehind?.now(state);
  const of = (column: string, task: Task) => tasks.columns[column]?.(task) ?? null;
  const holds = (condition: Condition, task: Task): boolean => {
    if (condition.op === 'any') return condition.of.some((each) => holds(each, task));
    if (condition.op === 'all') return condition.of.every((each) => holds(each, task));
    if (condition.op === 'in') return condition.values.some((value) => value === of(condition.column, task));
    return condition.op === 'notNull' && of(condition.column, task) !== null;
  };
  const some = (task: Task) => left?.some !== undefined && holds(left.some.among, task) && left.some.isGone(task);
  return all.filter((task) => left === undefined || !(holds(left.all, task) || some(task)));
}

const begun = (xml: string, size?: number) => new Cancelled().start(xml, size);

describe('an activity that is cancelled in more of a large scope than one commit should write', () => {
  it('is gone at once by one write, for whoever asks; the rest of each goes on', async () => {
    const it = await begun(both(), 400);
    await it.cancel('c');
    assert.ok(it.written < 8, `${it.written} documents were written`);
    assert.deepEqual([it.stored('c').length, it.open('c').length, it.open('d').length], [400, 0, 400]);
    assert.match(await refusalOf(it.complete(it.stored('c')[300])), /^NOT_FOUND/);
    it.assertReplays();
    await it.complete(it.open('d')[300]);
    assert.deepEqual([it.stored('c').length, it.history('g'), it.history('c')], [399, [400, 0], [400, 1]]);
    it.assertReplays();
    await it.settle();
    assert.deepEqual([it.stored('c').length, it.history('c')], [0, [400, 400]]);
    it.assertReplays();
    for (const one of it.open('d')) await it.complete(one);
    assert.deepEqual([it.state, it.open('b').length, it.engine.all(instanceParts).length], ['active', 1, 0]);
    it.assertReplays();
  });

  it('may be begun again in one of them, by the same modification and by the next', async () => {
    const it = await begun(both());
    const [first, second] = it.open('d').map(({ within }) => `${it.id}:${(within?.[0]?.[1] ?? 0) + 1}`);
    const again = (ancestorActivityInstanceId = '') =>
      ({ type: 'startBeforeActivity', activityId: 'c', ancestorActivityInstanceId }) as const;
    await it.modify({ type: 'cancel', activityId: 'c' }, again(first));
    assert.equal(it.open('c').length, 1);
    it.assertReplays();
    await it.modify(again(second));
    assert.equal(it.open('c').length, 2);
    it.assertReplays();
    await it.settle();
    assert.deepEqual([it.open('c').length, it.stored('c').length], [2, 2]);
    it.assertReplays();
    await it.cancel('c');
    await it.settle();
    assert.deepEqual([it.stored('c').length, it.open('d').length], [0, SIZE]);
  });

  it('takes what holds it along, and the process with the last', async () => {
    const it = await begun(each(task('c') + flows('s', 'c')));
    await it.cancel('c');
    assert.deepEqual([it.open('c').length, it.state], [0, 'active']);
    it.assertReplays();
    await it.settle();
    const { deleteReason } = it.engine.instance(it.id);
    assert.deepEqual([it.state, deleteReason], ['cancelled', 'modified by admin']);
    assert.deepEqual([it.history('g'), it.engine.all(instanceParts), it.engine.all(jobs)], [[SIZE, SIZE], [], []]);
    it.assertReplays();
  });

  for (const when of ['before', 'after'] as const) {
    it(`lets the process go on when the others have come through ${when} it was cleared away`, async () => {
      const it = await begun(either, 2 * SIZE);
      await it.cancel('c');
      if (when === 'after') await it.settle();
      for (const one of it.open('d')) await it.complete(one);
      it.assertReplays();
      await it.settle();
      assert.deepEqual([it.state, it.open('b').length, it.engine.all(instanceParts).length], ['active', 1, 0]);
      it.assertReplays();
      await it.complete(it.open('b')[0]);
      assert.equal(it.state, 'completed');
    });
  }

  it('is gone from the process itself, which what has begun beside it completes', async () => {
    for (const instruction of [{ activityId: 'a' }, { activityInstanceId: '' }]) {
      const it = await begun(many);
      const cancel = {
        type: 'cancel',
        ...('activityInstanceId' in instruction ? { activityInstanceId: it.id } : instruction),
      };
      await it.modify(cancel as GivenInstruction, { type: 'startBeforeActivity', activityId: 'b' });
      assert.deepEqual([it.open('a').length, it.open('b').length], [0, 1]);
      it.assertReplays();
      await it.complete(it.open('b')[0]);
      await it.settle();
      assert.deepEqual([it.state, it.stored('a'), it.engine.all(instanceParts)], ['completed', [], []]);
      it.assertReplays();
    }
  });

  it('is gone with its jobs, messages, external tasks and the instances that it has called', async () => {
    const waits = `${element('parallelGateway', 'fork')}${flows('s', 'fork')}
      ${element(
        'subProcess',
        'c',
        {},
        `${element('startEvent', 'cs')}${element('parallelGateway', 'all')}${flows('cs', 'all')}
        ${element('receiveTask', 'r', { messageRef: 'm' })}${flows('all', 'r')}
        ${element('serviceTask', 'x', { 'camunda:type': 'external', 'camunda:topic': 't' })}${flows('all', 'x')}
        ${element('callActivity', 'call', { calledElement: 'leaf' })}${flows('all', 'call')}
        ${element('intermediateCatchEvent', 'late', {}, timer('duration', 'PT1H'))}${flows('all', 'late')}`,
      )}
      ${task('d')}${flows('fork', 'c')}${flows('fork', 'd')}`;
    const it = new Cancelled();
    await it.engine.deploy(bpmn(line(['t'], task('t')), { key: 'leaf' }), 'leaf');
    await it.start(each(waits));
    const called = it.engine.all(processInstances).find(({ calledBy }) => calledBy != null)?.id ?? '';
    await it.cancel('c');
    const state = it.engine.state(undefined, Number.MAX_SAFE_INTEGER);
    assert.ok(it.engine.all(jobs).every((job) => job.type !== 'timer' || presentJob(state, job) === undefined));
    assert.ok(it.engine.all(subscriptions).every((one) => presentSubscription(state, one) === undefined));
    assert.ok(it.engine.all(externalTasks).every((one) => presentTask(state, one) === undefined));
    const { api } = it.engine;
    const sent = it.engine.run(api.correlateMessage, { messageName: 'go', variables: [] }, supervisor);
    assert.match(await refusalOf(sent), /^(NOT_FOUND|CONFLICT|BAD_REQUEST)/);
    // What it gives back is for nobody.
    const [inner] = it.stored('t').filter(({ instanceId }) => instanceId === called);
    await it.complete(inner);
    it.assertReplays();
    await it.engine.runDue(it.engine.now + 3_600_000);
    assert.deepEqual([it.engine.all(jobs), it.engine.all(subscriptions), it.engine.all(externalTasks)], [[], [], []]);
    assert.deepEqual([it.stored('t').length, it.open('d').length, it.history('c')], [0, SIZE, [SIZE, SIZE]]);
    it.assertReplays();
  });

  it('is gone from large scopes within each other', async () => {
    const inner =
      '<bpmn:multiInstanceLoopCharacteristics><bpmn:loopCardinality>${loopCounter &lt; 3 ? 60 : 1}</bpmn:loopCardinality></bpmn:multiInstanceLoopCharacteristics>';
    const it = await begun(
      each(
        `${element('subProcess', 'h', {}, `${inner}${element('startEvent', 'hs')}${element('parallelGateway', 'fork')}${task('c')}${task('d')}${flows('hs', 'fork', 'c')}${flows('fork', 'd')}`)}${flows('s', 'h')}`,
      ),
      53,
    );
    assert.equal(it.open('c').length, 230);
    await it.cancel('c');
    assert.ok(it.written < 8, `${it.written} documents were written`);
    assert.deepEqual([it.open('c').length, it.open('d').length], [0, 230]);
    await it.complete(it.open('d')[77]);
    it.assertReplays();
    await it.settle();
    assert.deepEqual([it.stored('c').length, it.open('d').length, it.history('h')], [0, 229, [230, 0]]);
    await it.cancel('h');
    assert.equal(it.open('d').length, 0);
    await it.settle();
    assert.deepEqual([it.stored('d').length, it.engine.all(instanceParts).length, it.state], [0, 0, 'cancelled']);
    it.assertReplays();
  });

  it('tells its listeners once; where one fails, what is left goes without', async () => {
    const listener = extended(
      `<camunda:executionListener event="end" expression="\${execution.setVariable('ended', ended + 1)}"/>`,
    );
    const it = new Cancelled();
    await it.engine.deploy(both(listener));
    it.id = await it.engine.start({ list: Array.from({ length: SIZE }, (_, n) => n), ended: 0 });
    await it.settle();
    await it.cancel('c');
    await it.settle();
    assert.equal(it.engine.variables(it.id).ended, SIZE);
    const failing = extended('<camunda:executionListener event="end" expression="${nobody}"/>');
    const other = await begun(both(failing));
    await other.cancel('c');
    await other.engine.runDue();
    assert.deepEqual([other.stored('c').length, other.engine.all(jobs).length], [0, 0]);
    other.assertReplays();
  });

  it('is cleared away while the instance is suspended, migrates, or is cancelled', async () => {
    const it = await begun(both());
    const { api, jobs: operations } = it.engine.engine;
    await it.cancel('c');
    await it.engine.run(api.suspendProcessInstance, { id: it.id }, admin);
    await it.settle();
    assert.deepEqual([it.stored('c').length, it.state], [0, 'suspended']);
    await it.engine.run(api.activateProcessInstance, { id: it.id }, admin);
    await it.settle();

    const { definitionId: sourceProcessDefinitionId } = it.engine.instance(it.id);
    const [targetProcessDefinitionId = ''] = await it.engine.deploy(
      both().replace('<bpmn:subProcess', `${element('task', 'before')}<bpmn:subProcess`),
      'v2',
    );
    const migration = { processInstanceId: it.id, sourceProcessDefinitionId, targetProcessDefinitionId };
    await it.engine.run(operations.migrateInstance, migration, supervisor);
    await it.modify({ type: 'startBeforeActivity', activityId: 'b' });
    await it.cancel('d');
    assert.deepEqual([it.open('d').length, it.open('b').length], [0, 1]);
    it.assertReplays();
    await it.engine.run(api.cancelProcessInstance, { id: it.id }, admin);
    assert.equal(it.open('d').length, 0);
    await it.settle();
    assert.deepEqual(
      [it.state, it.stored('d'), it.engine.all(instanceParts), it.engine.all(jobs)],
      ['cancelled', [], [], []],
    );
    it.assertReplays();
  });

  it('migrates with its instance before all of it is cleared away', async () => {
    const it = await begun(both());
    await it.cancel('c');
    const { definitionId: sourceProcessDefinitionId } = it.engine.instance(it.id);
    const [targetProcessDefinitionId = ''] = await it.engine.deploy(
      both().replace('<bpmn:subProcess', `${element('task', 'before')}<bpmn:subProcess`),
      'v2',
    );
    const migration = { processInstanceId: it.id, sourceProcessDefinitionId, targetProcessDefinitionId };
    await it.engine.run(it.engine.engine.jobs.migrateInstance, migration, supervisor);
    assert.deepEqual([it.open('c').length, it.open('d').length], [0, SIZE]);
    await it.complete(it.open('d')[100]);
    it.assertReplays();
    await it.settle();
    assert.deepEqual([it.stored('c').length, it.open('d').length], [0, SIZE - 1]);
    it.assertReplays();
  });

  it('ends the instance also while that is suspended', async () => {
    const it = await begun(either, 2 * SIZE);
    const { api } = it.engine;
    await it.cancel('c');
    await it.cancel('d');
    await it.engine.run(api.suspendProcessInstance, { id: it.id }, admin);
    await it.settle();
    assert.deepEqual([it.state, it.engine.all(instanceParts), it.engine.all(jobs)], ['cancelled', [], []]);
    const other = await begun(many);
    await other.modify({ type: 'cancel', activityId: 'a' }, { type: 'startBeforeActivity', activityId: 'b' });
    await other.complete(other.open('b')[0]);
    assert.equal(other.state, 'active');
    await other.engine.run(other.engine.api.suspendProcessInstance, { id: other.id }, admin);
    await other.settle();
    assert.equal(other.state, 'completed');
  });

  it('comes to the same whether what is done next is done before or after it is cleared away', async () => {
    const deed = fc.record({
      kind: fc.constantFrom('cancel c', 'cancel d', 'begin c', 'complete', 'complete', 'one'),
      which: fc.nat(1_000),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(deed, { minLength: 2, maxLength: 6 }),
        fc.constantFrom(both(), either),
        async (deeds, xml) => {
          const outcomes = [];
          for (const settles of [true, false]) {
            const it = await begun(xml, 2 * SIZE);
            for (const { kind, which } of deeds) {
              await perform(it, kind, which);
              if (settles) await it.settle();
            }
            await it.settle();
            it.assertReplays();
            outcomes.push([
              it.state,
              ...['b', 'c', 'd'].map((id) =>
                it
                  .open(id)
                  .map(({ within }) => within)
                  .sort(),
              ),
            ]);
          }
          assert.deepEqual(outcomes[1], outcomes[0]);
        },
      ),
      { numRuns: 8 },
    );
  }).timeout(120_000);
});

async function perform(it: Cancelled, kind: string, which: number): Promise<void> {
  if (it.state !== 'active') return;
  const all = [...it.open('c'), ...it.open('d')].sort((a, b) => a.tokenId - b.tokenId);
  const one = all[which % Math.max(1, all.length)];
  const group = `${it.id}:${(one?.within?.[0]?.[1] ?? 0) + 1}`;
  if (one === undefined) return;
  const instructions: Readonly<Record<string, GivenInstruction>> = {
    'cancel c': { type: 'cancel', activityId: 'c' },
    'cancel d': { type: 'cancel', activityId: 'd' },
    'begin c': { type: 'startBeforeActivity', activityId: 'c', ancestorActivityInstanceId: group },
    one: { type: 'cancel', activityInstanceId: group },
  };
  const instruction = instructions[kind];
  if (instruction === undefined) await it.complete(one);
  else await it.modify(instruction);
}
