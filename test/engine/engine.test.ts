import assert from 'node:assert/strict';
import { compileDecisions } from '../../src/engine/decision/compile-decisions.js';
import { DecisionStore } from '../../src/engine/decision-store.js';
import {
  advance,
  createEngine,
  Handlers,
  ModelParser,
  ProgramStore,
  processInstances,
  runId,
  runs,
  tasks,
} from '../../src/engine/index.js';
import { VirtualClock } from '../../src/shared/clock.js';
import { type Partition, Store } from '../../src/store/index.js';
import { bpmn, element, flows, timer } from '../support/bpmn.js';
import { callerNamed } from '../support/harness.js';
import { temporaryFolder } from '../support/temporary.js';

const admin = callerNamed('admin', { roles: ['administrator'] });
const model = bpmn(
  `<bpmn:startEvent id="start"/>${element('userTask', 'work', { 'camunda:candidateGroups': 'clerks' })}
  ${element('serviceTask', 'call', { 'camunda:delegateExpression': `\${worker}`, 'camunda:resultVariable': 'answer' })}
  <bpmn:intermediateCatchEvent id="wait">${timer('duration', 'PT1H')}</bpmn:intermediateCatchEvent>
  <bpmn:endEvent id="end"/>${flows('start', 'work', 'call', 'wait', 'end')}`,
);

function engineOf(parser: ModelParser) {
  const handlers = new Handlers();
  handlers.register('worker', async ({ variables }) => Number(variables.amount) * 2);
  return createEngine({
    decisions: new DecisionStore(),
    parseDecisions: compileDecisions,
    advance,
    programs: new ProgramStore(),
    handlers,
    parseModel: (xml) => parser.parse(xml),
    evaluators: {},
  });
}

describe('the engine in a store', () => {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const parser = new ModelParser({ budgetMs: 20_000 });
  const folder = temporaryFolder();
  const parts = engineOf(parser);
  let store: Store;
  let partition: Partition;

  const open = async () => {
    store = new Store({
      folder: folder.path,
      ...parts,
      reactions: [],
      clock,
      jobSlots: 8,
      callerOf: (userId, workspace, cause) => callerNamed(userId, { workspace, cause }),
    });
    partition = await store.open('test', 'test');
  };
  before(open);
  after(async () => {
    await store.close(1_000);
    await parser.close();
    folder.remove();
  });

  it('deploys, runs, calls, waits, and goes on after the store was closed', async () => {
    const { api } = parts;
    await partition.send(
      api.deployProcess,
      { name: 'd', resources: [{ name: 'p.bpmn', content: model }] },
      { caller: admin },
    );
    const variables = [
      { name: 'amount', value: 21 },
      { name: 'text', value: 'x'.repeat(50_000) },
    ];
    const started = await partition.send(
      api.startProcess,
      { definitionKey: 'p', businessKey: 'b', variables },
      { caller: admin },
    );
    const [task] = partition.replica.read().findMulti(tasks, 'candidateGroup', 'clerks');
    const clerk = callerNamed('carl', { groups: ['clerks'] });
    await partition.send(api.claimTask, { taskId: task?.id ?? '' }, { caller: clerk });
    const done = await partition.send(api.completeTask, { taskId: task?.id ?? '' }, { caller: clerk });
    await partition.replica.settled(done.commandId, 5_000);
    const waiting = partition.replica.read().get(processInstances, started.answer);
    assert.deepEqual(waiting?.state.scopes[0]?.variables.answer, { type: 'Integer', value: 42 });

    await store.close(1_000);
    await open();
    clock.set(Date.UTC(2026, 0, 1, 1));
    await partition.decider.jobs.takeDue();
    await partition.decider.jobs.quiet();
    assert.equal(partition.replica.read().get(processInstances, started.answer)?.actor.value, 'completed');
    const kept = [1, 2, 3, 4, 5].map((n) => partition.replica.read().get(runs, runId(started.answer, n))?.type);
    assert.deepEqual(kept, ['startProcess', 'completeTask', 'completeCall', 'runJob', undefined]);
  });
});
