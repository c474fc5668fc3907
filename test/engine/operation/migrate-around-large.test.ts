import assert from 'node:assert/strict';
import {
  externalTasks,
  instanceParts,
  jobs,
  processInstances,
  subscriptions,
  tasks,
} from '../../../src/engine/collections.js';
import { presentJob, presentSubscription, presentTask } from '../../../src/engine/run/present.js';
import { bpmn, element, flows, line, timer } from '../../support/bpmn.js';
import { admin, EngineHarness, refusalOf, supervisor } from '../../support/engine-harness.js';

const SIZE = 60;
const multi = `<bpmn:multiInstanceLoopCharacteristics><bpmn:loopCardinality>${SIZE}</bpmn:loopCardinality></bpmn:multiInstanceLoopCharacteristics>`;
const task = (id: string, content = '') => element('userTask', id, {}, content);
/** All that an activity may wait for, at once. */
const waits = (loop = '') =>
  element(
    'subProcess',
    'g',
    {},
    `${loop}${element('startEvent', 'gs')}${element('parallelGateway', 'all')}${flows('gs', 'all')}
    ${task('c')}${flows('all', 'c')}
    ${element('receiveTask', 'r', { messageRef: 'm' })}${flows('all', 'r')}
    ${element('serviceTask', 'x', { 'camunda:type': 'external', 'camunda:topic': 't' })}${flows('all', 'x')}
    ${element('callActivity', 'call', { calledElement: 'leaf' })}${flows('all', 'call')}
    ${element('intermediateCatchEvent', 'late', {}, timer('duration', 'PT1H'))}${flows('all', 'late')}`,
  );
const looped = line(['g', 'z'], waits(multi) + task('z'));
/** Without the loop, in a sub-process that a message ends. */
const inside = line(['g'], waits()).replaceAll(/"(start|end)/g, '"in-h-$1');
const held = line(['h', 'z'], task('z') + element('subProcess', 'h', {}, inside)) + halted('h');

function halted(id: string): string {
  const halt = element(
    'boundaryEvent',
    'stop',
    { attachedToRef: id },
    '<bpmn:messageEventDefinition messageRef="halt"/>',
  );
  return halt + task('s') + flows('stop', 's');
}

class Moving {
  readonly engine = new EngineHarness();
  id = '';
  #versions = 0;

  async start(body: string): Promise<this> {
    await this.engine.deploy(bpmn(line(['t'], task('t')), { key: 'leaf' }), 'leaf');
    await this.#deploy(body);
    this.id = await this.engine.start();
    await this.engine.settle();
    return this;
  }

  async to(body: string): Promise<void> {
    const { definitionId: sourceProcessDefinitionId } = this.engine.instance(this.id);
    const targetProcessDefinitionId = await this.#deploy(body);
    const instructions = ['g', 'c'].map((id) => ({ sourceActivityIds: [id], targetActivityIds: [id] }));
    const input = { processInstanceId: this.id, sourceProcessDefinitionId, targetProcessDefinitionId, instructions };
    const found = instructions.filter(({ sourceActivityIds: [id] }) => body.includes(`id="${id}"`));
    await this.engine.run(this.engine.engine.jobs.migrateInstance, { ...input, instructions: found }, supervisor);
  }

  halt(): Promise<unknown> {
    const message = { processInstanceId: this.id, messageName: 'halt', variables: [] };
    return this.engine.run(this.engine.api.correlateMessage, message, admin);
  }

  tasks(elementId: string) {
    return this.engine.all(tasks).filter((each) => each.elementId === elementId);
  }

  async complete(elementId: string): Promise<void> {
    const [one] = this.tasks(elementId);
    await this.engine.run(this.engine.api.completeTask, { taskId: one?.id ?? '' }, admin);
  }

  /** How many tasks, jobs and subscriptions are shown of what is in the loop. */
  get shown(): number[] {
    const state = this.engine.state(undefined, Number.MAX_SAFE_INTEGER);
    const of = <T>(all: readonly T[], shown: (one: T) => unknown) =>
      all.filter((one) => shown(one) !== undefined).length;
    return [
      of(this.tasks('c'), (one) => presentTask(state, one)),
      of(this.engine.all(externalTasks), (one) => presentTask(state, one)),
      of(
        this.engine.all(subscriptions).filter(({ eventName }) => eventName === 'go'),
        (one) => presentSubscription(state, one),
      ),
      of(
        this.engine.all(jobs).filter(({ type }) => type === 'timer'),
        (one) => presentJob(state, one),
      ),
    ];
  }

  get called(): number {
    return this.engine.all(processInstances).filter(({ calledBy, endTime }) => calledBy !== null && endTime === null)
      .length;
  }

  assertReplays(): void {
    const { stored, again } = this.engine.replayed(this.id);
    assert.deepEqual(again, stored);
  }

  async #deploy(body: string): Promise<string> {
    const root = '<bpmn:message id="m" name="go"/><bpmn:message id="halt" name="halt"/>';
    const [id = ''] = await this.engine.deploy(bpmn(body, { root }), `v${++this.#versions}`);
    return id;
  }
}

const moving = (body: string) => new Moving().start(body);
const all = (count: number) => [count, count, count, count];

describe('what is stored apart of an instance that migrates to another scope', () => {
  it('goes there with all that it waits for, by one write, and each may be done before', async () => {
    const it = await moving(looped);
    await it.to(held);
    const written = it.engine.lastDecision?.write?.length ?? 0;
    assert.ok(written <= 8, `${written} documents were written`);
    await it.complete('c');
    it.assertReplays();
    await it.engine.settle();
    assert.deepEqual([it.shown, it.called], [[SIZE - 1, SIZE, SIZE, SIZE], SIZE]);
    assert.equal(it.engine.instance(it.id).state.moves, undefined);
    it.assertReplays();
    await it.halt();
    assert.deepEqual(it.shown, all(0));
    await it.engine.settle();
    assert.deepEqual([it.called, it.tasks('s').length, it.engine.all(instanceParts).length], [0, 1, 0]);
    it.assertReplays();
  }).timeout(30_000);

  it('is gone at once with that scope, before it has come there', async () => {
    const it = await moving(looped);
    await it.to(held);
    await it.halt();
    assert.deepEqual(it.shown, all(0));
    it.assertReplays();
    await it.engine.settle();
    assert.deepEqual([it.called, it.tasks('s').length, it.engine.all(instanceParts).length], [0, 1, 0]);
    assert.deepEqual([it.engine.all(externalTasks), it.engine.all(jobs)], [[], []]);
    it.assertReplays();
    await it.complete('s');
    assert.equal(it.engine.instance(it.id).actor.value, 'completed');
  }).timeout(30_000);

  it('is gone with the instance, which is cancelled before', async () => {
    const it = await moving(looped);
    await it.to(held);
    await it.engine.run(it.engine.api.cancelProcessInstance, { id: it.id, reason: 'no' }, admin);
    await it.engine.settle();
    assert.deepEqual([it.called, it.engine.all(tasks), it.engine.all(instanceParts)], [0, [], []]);
    it.assertReplays();
  }).timeout(30_000);

  it('is refused where it would be together with what looks at all of that scope', async () => {
    const it = await moving(looped);
    const begins = element('startEvent', 'es', {}, '<bpmn:messageEventDefinition messageRef="halt"/>');
    const event = element('subProcess', 'e', { triggeredByEvent: 'true' }, begins + task('f') + flows('es', 'f'));
    assert.match(
      await refusalOf(it.to(line(['g', 'z'], waits() + task('z')) + event)),
      /^CONFLICT: .*expected no event sub-process, .* directly in 'p', for 60 of the instance's tokens are at 'c', so many that they are stored apart/,
    );
  });
});
