import assert from 'node:assert/strict';
import { NOTIFIED, type Notified } from '../../../src/identity/index.js';
import { incidentNotifications, untoldIncidents } from '../../../src/server/notification/incident-notifications.js';
import { VirtualClock } from '../../../src/shared/clock.js';
import { incidents, jobs, newIncident, openIncident, operation, type PartitionPort } from '../../../src/store/index.js';
import { Store } from '../../../src/store/store.js';
import { eventually } from '../../support/eventually.js';
import { callerNamed } from '../../support/test-domain.js';

/** Opens so many incidents of a process, in one commit. */
const fail = operation('fail', (state, { definitionKey, count = 1 }: { definitionKey: string; count?: number }) => {
  const opened = Array.from({ length: count }, () =>
    openIncident(newIncident(state, { type: 'failedJob', message: 'no answer', definitionKey })),
  );
  return { write: opened.flatMap(({ write }) => write), events: opened.flatMap(({ events }) => events), answer: null };
});

describe('notifications of incidents', () => {
  const clock = new VirtualClock(1_000_000);
  const port = (id: string): PartitionPort => store.find(id);
  /** As long as it says so, nobody can be told. */
  let refusal: Error | undefined;
  /** Whether whoever tells dies behind that, and nobody knows of it. */
  let dies = false;
  const domain = incidentNotifications(port, () => {
    if (refusal !== undefined) throw refusal;
    const system = port('system');
    const send: PartitionPort['send'] = async (...told) => {
      const sent = await system.send(...told);
      if (dies) throw new Error('it has died');
      return sent;
    };
    return { ...system, workspace: 'system', send };
  });
  const store: Store = new Store({
    folder: null,
    ...domain,
    operations: [fail, ...domain.operations],
    evaluators: {},
    clock,
    jobSlots: 4,
    callerOf: callerNamed,
    inputKey: () => 'key',
  });
  let system: PartitionPort;
  let web: PartitionPort;
  before(async () => {
    system = await store.open('system', 'system');
    web = await store.open('w1', 'web');
  });
  after(() => store.close(100));

  const told = () =>
    system.replica.feed
      .keptCommits(0, 1_000)
      .flatMap(({ commit }) => commit?.events ?? [])
      .filter(({ type }) => type === NOTIFIED)
      .map(({ data }) => data as Notified);
  const titles = () => told().map(({ notification }) => notification.title);
  const waiting = () => ['immediate', 'timed'].flatMap((queue) => web.replica.read().find(jobs, 'queue', [queue]));
  const noted = () => {
    const opened = web.replica.read().get(untoldIncidents, 'tellIncidents')?.opened ?? [];
    return opened.reduce((sum, { count }) => sum + count, 0);
  };
  const later = async () => {
    clock.set(clock.now() + 60_000);
    await store.find('w1').decider.jobs.takeDue();
  };

  it('tell those who may deal with them, at once', async () => {
    await web.sendAsSystem(fail, { definitionKey: 'order' });
    await eventually('it is told', () => told().length === 1);
    const [{ notification, roles, users, groups } = assert.fail()] = told();
    assert.deepEqual([roles, users, groups], [['administrator', 'supervisor'], null, null]);
    const { id, timestamp, ...shown } = notification;
    const [{ id: incidentId } = assert.fail()] = web.replica.read().range(incidents, 'created', [0], 1);
    assert.deepEqual(shown, {
      ...{ type: 'ERROR', severity: 'HIGH' },
      ...{ title: "An incident opened in 'order' of workspace 'web'", message: 'no answer' },
      data: {
        ...{ kind: 'incident', workspace: 'web', type: 'failedJob', definitionKey: 'order' },
        ...{ count: 1, incidentId },
      },
    });
  });

  it('are few, however many open: those of a minute are told together, process by process', async () => {
    for (let n = 0; n < 10; n++) await web.sendAsSystem(fail, { definitionKey: 'order', count: 100 });
    await web.sendAsSystem(fail, { definitionKey: 'invoice' });
    await eventually('they are noted', () => noted() === 1_001);
    assert.equal(titles().length, 1);
    await later();
    await eventually('they are told', () => titles().length >= 3);
    assert.deepEqual(titles().slice(1), [
      "1000 incidents opened in 'order' of workspace 'web'",
      "An incident opened in 'invoice' of workspace 'web'",
    ]);
  });

  it('come, and once, though nobody can be told for a while', async () => {
    await later();
    refusal = new Error('the log is away');
    const before = titles().length;
    await web.sendAsSystem(fail, { definitionKey: 'order' });
    await eventually('it is tried again', () => waiting().some(({ failure }) => failure !== null));
    refusal = undefined;
    await web.sendAsSystem(fail, { definitionKey: 'order' });
    await eventually('both are noted', () => noted() === 2);
    await later();
    await eventually('they are told', () => titles().length > before);
    await later();
    assert.deepEqual(titles().slice(before), ["2 incidents opened in 'order' of workspace 'web'"]);
  });

  it('come once where whoever told of them died before that was known, and those behind them come, too', async () => {
    await later();
    dies = true;
    const before = titles().length;
    await web.sendAsSystem(fail, { definitionKey: 'order' });
    await eventually('it is tried again', () => waiting().some(({ failure }) => failure !== null));
    dies = false;
    await web.sendAsSystem(fail, { definitionKey: 'order', count: 2 });
    await eventually('all are noted', () => noted() === 3);
    await later();
    await eventually('the others are left', () => noted() === 2);
    await later();
    await eventually('they are told', () => noted() === 0);
    assert.deepEqual(titles().slice(before), [
      "An incident opened in 'order' of workspace 'web'",
      "2 incidents opened in 'order' of workspace 'web'",
    ]);
  });
});
