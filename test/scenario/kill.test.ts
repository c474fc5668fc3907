import assert from 'node:assert/strict';
import type { Job } from '../../src/graphql/generated/schema.js';
import { eventually } from '../support/eventually.js';
import { refusal } from '../support/graphql-client.js';
import { assertReplays } from './support/company.js';
import { KillableServer } from './support/killable-server.js';
import { again, Lane, LOAD_MODEL } from './support/load.js';

// Slow: servers are killed under load, and started again.

/** Each is a server killed at another instant of the same work. */
const ROUNDS = Number(process.env.MILLRACE_TEST_SERVER_KILLS ?? 5);

describe('a server that is killed', function () {
  this.timeout(180_000);
  let server: KillableServer;
  before(async () => {
    server = new KillableServer();
    await server.start();
  });
  after(() => server.remove());

  const deploy = (model = LOAD_MODEL) =>
    server.client('admin').run('mutation ($input: DeployProcessInput!) { deployProcess(input: $input) { id } }', {
      input: { name: 'load', resources: [{ name: 'load.bpmn', content: model }] },
    });

  it(`in the middle of work, ${ROUNDS} times, has lost nothing and done nothing twice`, async () => {
    await deploy();
    const lanes = ['a', 'b', 'c', 'd'].map((name) => new Lane(server, name));
    for (let round = 0; round < ROUNDS; round++) {
      const work = Promise.all(lanes.map((lane) => lane.work(new AbortController().signal)));
      const answered = () => lanes.reduce((sum, lane) => sum + lane.answered.length, 0);
      const enough = answered() + 20 + ((round * 37) % 50);
      await eventually('the load goes on', async () => answered() >= enough, 60_000);
      await server.end('SIGKILL');
      await work;
      await server.start();
      await sameAnswers(lanes, round);
      for (const taskId of lanes.flatMap((lane) => [...lane.held])) await stillHeld(taskId);
    }
    await Promise.all(lanes.map((lane) => lane.work(AbortSignal.abort())));
    const started = lanes.flatMap((lane) => lane.started);
    assert.ok(started.length > ROUNDS, `only ${started.length} instances came through`);
    await allEnded(started);
    assertReplays(server.folder);
  });

  /** Keys of this and the last rounds give the answers that they gave. */
  async function sameAnswers(lanes: readonly Lane[], round: number): Promise<void> {
    for (const lane of lanes) {
      const recent = lane.answered.slice(-12);
      for (const call of round % 2 === 0 ? recent : lane.answered.slice(0, 12)) {
        assert.deepEqual(await again(server, call), call.answer, call.key);
      }
    }
  }

  /** Ann's claim is still ann's, and nobody else's. */
  async function stillHeld(taskId: string): Promise<void> {
    const claimed = await server.person('ann').claim({ id: taskId });
    assert.deepEqual([claimed.state, claimed.assignee], ['assigned', 'ann']);
    assert.equal((await refusal(server.person('dora').claim({ id: taskId }))).code, 'CONFLICT');
  }

  async function allEnded(started: readonly string[]): Promise<void> {
    const admin = server.person('admin');
    const count = async (filter: string) => {
      const { processInstances } = await admin.client.run(
        `{ processInstances(definitionKey: "load", first: 0${filter}) { totalCount } }`,
      );
      return processInstances.totalCount;
    };
    await eventually('every instance ends', async () => (await count(', active: true')) === 0);
    assert.equal(await count(''), started.length, 'no instance was started twice, or without an answer');
    assert.equal(await count(', withIncidents: true'), 0);
    for (const id of started) {
      assert.deepEqual(await admin.path(id), ['start', 'first', 'work', 'second', 'pause', 'end']);
      const { number, square } = await admin.variables(id);
      assert.equal(square, Number(number) ** 2);
    }
  }

  /** An instance that has come to its timer, which is due in a while: in a longer one where this machine takes so long to tell. */
  async function waitingAtTimer(seconds = 1): Promise<{ readonly id: string; readonly timer: Job }> {
    const ann = server.person('ann');
    const id = await ann.start('load', { number: 3, pause: `PT${seconds}S` });
    await ann.perform(id, 'first');
    await eventually('the continuation is through', async () => (await ann.tasks(id)).length > 0);
    await ann.perform(id, 'second');
    const [timer] = await server.person('admin').jobs(id);
    return timer?.state === 'waiting' ? { id, timer } : waitingAtTimer(4 * seconds);
  }

  it('fires a timer that was due while it was down', async () => {
    await deploy(LOAD_MODEL.replace('PT1S', '${pause}'));
    const { id, timer } = await waitingAtTimer();
    assert.equal(timer.activityId, 'pause');
    await server.end('SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, Date.parse(String(timer.due)) - Date.now()));
    await server.start();
    const after = server.person('ann');
    await eventually('the timer fires', async () => (await after.instance(id)).state === 'completed');
    assert.deepEqual(await after.path(id), ['start', 'first', 'work', 'second', 'pause', 'end']);
  });

  it('goes on with a continuation that it had not done', async () => {
    await deploy();
    const ann = server.person('ann');
    const id = await ann.start('load', { number: 4 });
    const task = await ann.task(id, 'first');
    const done = ann.complete(task).catch(() => {}); // whether it is answered or not
    await new Promise((resolve) => setTimeout(resolve, 3));
    await server.end('SIGKILL');
    await done;
    await server.start();
    const after = server.person('ann');
    if ((await after.tasks(id)).some(({ taskDefinitionKey }) => taskDefinitionKey === 'first'))
      await after.complete(task);
    await eventually('the second task is there', async () =>
      (await after.tasks(id)).some(({ taskDefinitionKey }) => taskDefinitionKey === 'second'),
    );
    assert.equal((await after.variables(id)).square, 16);
  });
});
