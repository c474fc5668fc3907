import assert from 'node:assert/strict';
import { compileDecisions } from '../../src/engine/decision/compile-decisions.js';
import { DecisionStore } from '../../src/engine/decision-store.js';
import { advance, createEngine, engineGauges, Handlers, ProgramStore } from '../../src/engine/index.js';
import { compileModel } from '../../src/engine/model/compile-model.js';
import { VirtualClock } from '../../src/shared/clock.js';
import { Reader, Store } from '../../src/store/index.js';
import { bpmn, element, line, timer } from '../support/bpmn.js';
import { admin } from '../support/engine-harness.js';
import { callerNamed } from '../support/harness.js';
import { temporaryFolder } from '../support/temporary.js';

describe('the counts of the engine', () => {
  it('are of running instances, open incidents and jobs that are due', async () => {
    const folder = temporaryFolder();
    const clock = new VirtualClock(Date.UTC(2026, 0, 15));
    const handlers = new Handlers();
    handlers.register('failing', () => {
      throw new Error('the service is away');
    });
    const engine = createEngine({
      decisions: new DecisionStore(),
      parseDecisions: compileDecisions,
      advance,
      programs: new ProgramStore(),
      handlers,
      parseModel: compileModel,
      evaluators: {},
    });
    const callerOf = (userId: string) => callerNamed(userId, { roles: ['administrator'] });
    const store = new Store({ ...engine, folder: folder.path, reactions: [], clock, jobSlots: 8, callerOf });
    const partition = await store.open('test', 'test');
    const modules = [new URL('../../src/engine/reader/reader-module.js', import.meta.url).href];
    const reader = new Reader({ dataFolder: folder.path, modules });
    const counts = async () => (await reader.query('test', engineGauges, { now: clock.now() }, admin)).answer;
    const deploy = (name: string, content: string) =>
      partition.send(
        engine.api.deployProcess,
        { name, resources: [{ name: `${name}.bpmn`, content }] },
        { caller: admin },
      );
    const start = async (definitionKey: string) => {
      const sent = await partition.send(engine.api.startProcess, { definitionKey }, { caller: admin });
      await partition.replica.settled(sent.commandId, 5_000);
      return sent.answer;
    };
    try {
      assert.deepEqual(await counts(), { instances: [], incidents: [], dueJobs: 0 });
      const call = element('serviceTask', 'call', { 'camunda:delegateExpression': `\${failing}` });
      await deploy('broken', bpmn(line(['call'], call), { key: 'broken' }));
      const pause = element('intermediateCatchEvent', 'pause', {}, timer('duration', 'PT1H'));
      await deploy('slow', bpmn(line(['pause'], pause), { key: 'slow' }));
      await start('broken');
      while ((await partition.decider.jobs.takeDue()) > 0) await partition.decider.jobs.quiet();
      await start('slow');
      const held = await start('slow');
      await partition.send(engine.api.suspendProcessInstance, { id: held }, { caller: admin });
      clock.set(clock.now() + 3_600_000);
      const { instances, ...others } = await counts();
      assert.deepEqual(
        new Set(instances.map(({ key, state, count }) => `${count} ${key} ${state}`)),
        new Set(['1 broken active', '1 slow active', '1 slow suspended']),
      );
      assert.deepEqual(others, { incidents: [{ type: 'failedJob', count: 1 }], dueJobs: 1 });
    } finally {
      await reader.close();
      await store.close(1_000);
      folder.remove();
    }
  });
});
