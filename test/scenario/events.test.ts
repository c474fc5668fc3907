import assert from 'node:assert/strict';
import { EventReader } from '../graphql/support/event-reader.js';
import { type Company, openCompany } from './support/company.js';
import { Events } from './support/events.js';
import { KillableServer } from './support/killable-server.js';
import type { Person } from './support/person.js';

// Slow: servers are killed while streams are followed.

const INVOICE = { invoiceNumber: 'R-5', creditor: 'Mill', amount: 10 };
const TASK = 'eventType timestamp task { id state assignee }';
const PROCESS = 'eventType timestamp processInstance { id state businessKey }';

describe('events of processes', () => {
  let company: Company;
  let ann: Person;
  let sue: Person;
  before(async () => {
    company = await openCompany();
    ({ ann, sue } = company.people);
  });
  after(() => company.close());

  /** A place in the feed from which a subscription may begin. */
  const position = async () => {
    const { extensions } = await company.people.admin.client.ask(
      'mutation ($input: StartProcessInput!) { startProcess(input: $input) { id } }',
      { variables: { input: { definitionKey: 'incident-handling' } } },
    );
    return extensions?.position ?? '';
  };

  for (const mode of ['distinct connections', 'single connection']) {
    it(`reach a client with ${mode}, in order, each once`, async () => {
      const after = await position();
      const events = new Events(ann.client, mode === 'single connection');
      try {
        const id = await ann.start('invoice-approval', INVOICE, 'R-5');
        const task = await ann.task(id, 'approve');
        const [started, assigned, updated, completed, ended] = [
          events.follow(
            `subscription ($after: String) { processStarted(definitionKey: "invoice-approval", after: $after) { ${PROCESS} } }`,
            { after },
          ),
          events.follow(`subscription ($after: String) { taskAssigned(assignee: "ann", after: $after) { ${TASK} } }`, {
            after,
          }),
          events.follow(
            `subscription ($id: ID, $after: String) { taskUpdated(taskId: $id, after: $after) { ${TASK} } }`,
            {
              id: task.id,
              after,
            },
          ),
          events.follow(
            `subscription ($id: ID, $after: String) { taskCompleted(processInstanceId: $id, after: $after) { ${TASK} } }`,
            { id, after },
          ),
          events.follow(
            `subscription ($after: String) { processEnded(definitionKey: "invoice-approval", after: $after) { ${PROCESS} } }`,
            { after },
          ),
        ];
        await ann.claim(task);
        await ann.complete(task, { approved: true });
        await events.connected(mode === 'single connection' ? 1 : 5);

        const [start] = await started.events(1);
        assert.deepEqual(start?.processInstance, { id, state: 'active', businessKey: 'R-5' });
        assert.equal(start?.eventType, 'STARTED');
        const [claim] = await assigned.events(1);
        assert.deepEqual(claim?.task, { id: task.id, state: 'assigned', assignee: 'ann' });
        const [completion] = await completed.events(1);
        assert.deepEqual(completion?.task, { id: task.id, state: 'completed', assignee: 'ann' });
        const [end] = await ended.events(1);
        assert.deepEqual([end?.eventType, end?.processInstance?.state], ['ENDED', 'completed']);
        assert.deepEqual(
          (await updated.events(3)).map(({ eventType, task: of }) => `${eventType} ${of?.state}`),
          ['CREATED created', 'ASSIGNED assigned', 'COMPLETED completed'],
        );
        for (const received of [started, assigned, updated, completed, ended]) {
          assert.ok(received.results.every(({ errors }) => errors === undefined));
        }
        assert.equal((await started.events(1)).length, 1, 'not the incident that started too');
      } finally {
        events.close();
      }
    });
  }

  it('tell the whole story of the tasks of an order that is cancelled', async () => {
    const after = await position();
    const { sal, admin } = company.people;
    const order = { orderId: 'A-9', items: ['mill'], amount: 5, card: 'declined' };
    const id = await sal.start('order-fulfilment', order);
    await admin.advanceClock('PT0S');
    await sal.perform(id, 'settle', { settled: false });
    const query = `subscription ($after: String) { taskUpdated(after: $after) { eventType task { taskDefinitionKey processInstanceId } } }`;
    const events = new Events(admin.client, false);
    const received = events.follow(query, { after });
    const story = (await received.events(5))
      .filter(({ task }) => task?.processInstanceId === id)
      .map(({ eventType, task }) => `${task?.taskDefinitionKey} ${eventType}`);
    assert.deepEqual(story, ['pick CREATED', 'settle CREATED', 'settle ASSIGNED', 'settle COMPLETED', 'pick DELETED']);
    events.close();
  });

  it('follow from now on where no place is named', async () => {
    const query = `subscription { processStarted(definitionKey: "incident-handling") { ${PROCESS} } }`;
    const reader = await openStream(sue, query);
    // The first frame, a heartbeat or the event, comes when the server follows: start until one has come.
    const first = nextEvent(reader);
    let isSeen = false;
    void first.then(() => (isSeen = true));
    const ids: string[] = [];
    while (!isSeen) ids.push(await sue.start('incident-handling', {}));
    const { data } = await first;
    assert.ok(ids.includes(data.processStarted.processInstance.id));
    reader.close();
  });

  it('are refused to a guest, and from a place that is none', async () => {
    const query = `subscription { processStarted { ${PROCESS} } }`;
    const guest = await fetch(company.server.as().url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream' },
      body: JSON.stringify({ query }),
    });
    assert.equal(guest.status, 401);
    await guest.body?.cancel();
    const events = new Events(ann.client, false);
    const received = events.follow(`subscription { processStarted(after: "nowhere") { ${PROCESS} } }`);
    await received.events(1);
    assert.equal(received.results[0]?.errors?.[0]?.extensions?.code, 'BAD_REQUEST');
    events.close();
  });
});

describe('a stream that is resumed', function () {
  this.timeout(90_000);

  it('over a kill of the server leaves nothing out and repeats nothing', async () => {
    const server = new KillableServer();
    await server.start();
    const query = `subscription { processStarted(definitionKey: "incident-handling") { ${PROCESS} } }`;
    const seen: string[] = [];
    let lastId: string | undefined;
    try {
      // Where it begins: behind an instance of its own.
      const { extensions } = await server.client('sue').ask(START, { variables: { input: inputOf('before') } });
      lastId = extensions?.position;
      for (let round = 0; round < 3; round++) {
        const sue = server.person('sue');
        const reader = await openStream(sue, query, lastId);
        const load = startUntilGone(sue, `r${round}`);
        for (let n = 0; n < 5 + round; n++) {
          const { id, data } = await nextEvent(reader);
          seen.push(data.processStarted.processInstance.businessKey);
          lastId = id;
        }
        reader.close();
        await server.end('SIGKILL');
        await load;
        await server.start();
      }
      const sue = server.person('sue');
      const reader = await openStream(sue, query, lastId);
      await sue.start('incident-handling', {}, 'last');
      while (seen.at(-1) !== 'last') {
        const { data } = await nextEvent(reader);
        seen.push(data.processStarted.processInstance.businessKey);
      }
      reader.close();
      assert.deepEqual(seen, await allStarted(sue));
    } finally {
      await server.remove();
    }
  });

  const START = 'mutation ($input: StartProcessInput!) { startProcess(input: $input) { id } }';
  const inputOf = (businessKey: string) => ({ definitionKey: 'incident-handling', businessKey });

  /** Starts one instance after the other until the server has gone. */
  async function startUntilGone(sue: Person, prefix: string): Promise<void> {
    try {
      for (let n = 0; ; n++) await sue.start('incident-handling', {}, `${prefix}-${n}`);
    } catch {
      // The server has gone.
    }
  }

  /** The business keys of all instances but the first, in the order of their start. */
  async function allStarted(sue: Person): Promise<(string | null | undefined)[]> {
    const { processInstances } = await sue.client.run(
      '{ processInstances(definitionKey: "incident-handling", first: 5000) { edges { node { id businessKey startTime } } } }',
    );
    const nodes = processInstances.edges.map(({ node }) => node);
    nodes.sort((a, b) => (a.id < b.id ? -1 : 1));
    return nodes.map(({ businessKey }) => businessKey).filter((key) => key !== 'before');
  }
});

/** Opens a stream of one subscription, behind the event `lastId`. */
const openStream = ({ client }: Person, query: string, lastId?: string) =>
  EventReader.open(client.url, {
    method: 'POST',
    headers: {
      ...client.headers,
      'Content-Type': 'application/json',
      Accept: 'text/event-stream',
      ...(lastId !== undefined && { 'Last-Event-ID': lastId }),
    },
    body: JSON.stringify({ query }),
  });

/** The next event, heartbeats passed over. */
async function nextEvent(reader: EventReader) {
  for (;;) {
    const frame = await reader.next();
    if (frame === undefined) throw new Error('expected an event, but the stream has ended');
    if (frame.event === 'next') return { id: frame.id, data: JSON.parse(frame.data ?? '{}').data };
  }
}
