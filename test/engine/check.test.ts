import assert from 'node:assert/strict';
import {
  completedBundles,
  type ProcessInstance,
  processInstances,
  subscriptions,
  tasks,
} from '../../src/engine/collections.js';
import { engineModule } from '../../src/engine/engine.js';
import { type Collection, type Document, jobs, put, remove, type StoredDocuments } from '../../src/store/index.js';
import { bpmn, element, flows, timer } from '../support/bpmn.js';
import { admin, EngineHarness } from '../support/engine-harness.js';

/** An instance that waits for a task with a timer on it, and for a message. */
async function waiting() {
  const engine = new EngineHarness();
  const body =
    `<bpmn:startEvent id="start"/><bpmn:parallelGateway id="fork"/>${element('userTask', 'work')}` +
    `<bpmn:boundaryEvent id="late" attachedToRef="work">${timer('duration', 'PT1H')}</bpmn:boundaryEvent>` +
    `${element('receiveTask', 'hear', { messageRef: 'm' })}${flows('start', 'fork', 'work')}${flows('fork', 'hear')}`;
  await engine.deploy(bpmn(body, { root: '<bpmn:message id="m" name="paid"/>' }));
  return { engine, id: await engine.start() };
}

/** What the check finds wrong, as `collection id: sentence`. */
function problemsOf(engine: EngineHarness, knows = true): string[] {
  const problems: string[] = [];
  const stored = {
    knows: () => knows,
    has: (collection: Collection<Document>, id: string) => engine.get(collection, id) !== undefined,
    get: (collection: Collection<Document>, id: string) => engine.get(collection, id),
    *each<T extends Document>(collection: Collection<T>, check: (document: T) => void): Generator<void> {
      for (const document of engine.all(collection)) check(document);
      yield;
    },
  } as unknown as StoredDocuments;
  const report = (what: string, id: string | null, found: string) => void problems.push(`${what} ${id}: ${found}`);
  for (const _ of engineModule.check(stored, report));
  return problems;
}

describe('the check of what the engine has stored', () => {
  it('finds nothing where nothing is wrong: while an instance waits, and when it has ended', async () => {
    const { engine, id } = await waiting();
    assert.deepEqual(problemsOf(engine), []);
    await engine.run(engine.api.cancelProcessInstance, { id }, admin);
    assert.deepEqual(problemsOf(engine), []);
  });

  it('finds that what a token waits for is gone', async () => {
    const { engine, id } = await waiting();
    const { id: task } = engine.task();
    const { id: timerJob } = engine.job('timer');
    const [subscription] = engine.all(subscriptions);
    engine.documents.apply([
      remove(tasks, task),
      remove(jobs, timerJob),
      remove(subscriptions, subscription?.id ?? ''),
    ]);
    const found = problemsOf(engine);
    assert.equal(found.length, 3);
    for (const [index, missing] of [
      `task '${task}'`,
      `job '${timerJob}'`,
      `subscription '${subscription?.id}'`,
    ].entries()) {
      assert.match(
        found[index] ?? '',
        new RegExp(`^processInstance ${id}: token \\d+ waits for ${missing}, which is not there$`),
      );
    }
    assert.deepEqual(problemsOf(engine, false), [], 'a partition that has no instances yet');
  });

  it('finds that what has completed, and may be compensated, is gone', async () => {
    const engine = new EngineHarness();
    const loop = '<bpmn:standardLoopCharacteristics loopMaximum="60"/>';
    const body = `${element('startEvent', 'start')}${element('task', 'a', {}, loop)}${element('userTask', 'b')}${flows('start', 'a', 'b')}
      ${element('boundaryEvent', 'u', { attachedToRef: 'a' }, '<bpmn:compensateEventDefinition/>')}${element('task', 'h', { isForCompensation: 'true' })}
      <bpmn:association id="as" sourceRef="u" targetRef="h" associationDirection="One"/>`;
    await engine.deploy(bpmn(body));
    const id = await engine.start();
    assert.deepEqual(problemsOf(engine), []);
    const [first = '', second = ''] = engine.all(completedBundles).map((bundle) => bundle.id);
    engine.documents.apply([remove(completedBundles, first)]);
    assert.deepEqual(problemsOf(engine), [`completedBundle ${second}: the bundle '${first}' before it is not there`]);
    engine.documents.apply([remove(completedBundles, second)]);
    assert.deepEqual(problemsOf(engine), [
      `processInstance ${id}: what has completed is in bundle '${second}', which is not there`,
    ]);
  });

  it('finds a task that no token waits for beside one that is waited for', async () => {
    const { engine, id } = await waiting();
    engine.documents.apply([put(tasks, { ...engine.task(), id: 'other' })]);
    assert.deepEqual(problemsOf(engine), [`task other: no token of process instance '${id}' waits for it`]);
  });

  it('finds that no token waits for what is there, and that a scope or an instance is gone', async () => {
    const { engine, id } = await waiting();
    const instance = engine.instance(id);
    const { id: task } = engine.task();
    const [subscription] = engine.all(subscriptions);
    const { state } = instance;
    const change = (changed: ProcessInstance) => engine.documents.apply([put(processInstances, changed)]);
    change({ ...instance, state: { ...state, tokens: [] } });
    assert.deepEqual(problemsOf(engine), [
      `task ${task}: no token of process instance '${id}' waits for it`,
      `subscription ${subscription?.id}: no token of process instance '${id}' waits for it`,
    ]);
    change({ ...instance, state: { ...state, scopes: [] } });
    assert.deepEqual(
      problemsOf(engine),
      state.tokens.map((token) => `processInstance ${id}: token ${token.id} is in scope 0, which is not there`),
    );
    engine.documents.apply([remove(processInstances, id)]);
    assert.deepEqual(problemsOf(engine), [
      `task ${task}: its process instance '${id}' is not there`,
      `subscription ${subscription?.id}: its process instance '${id}' is not there`,
    ]);
  });
});
