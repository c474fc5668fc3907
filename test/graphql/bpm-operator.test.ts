import assert from 'node:assert/strict';
import { bpmn, element, flows, line, timer } from '../support/bpmn.js';
import { ann, BpmServer, bob } from './support/bpm-server.js';

const catching = (key: string, definition: string, root: string, inner = element('userTask', 'after')) =>
  bpmn(
    `${element('startEvent', 'start')}<bpmn:intermediateCatchEvent id="wait">${definition}</bpmn:intermediateCatchEvent>${inner}${element('endEvent', 'end')}${flows('start', 'wait', 'after', 'end')}`,
    { key, root },
  );
const failing = bpmn(
  line(['work'], element('serviceTask', 'work', { name: 'Work', 'camunda:delegateExpression': `\${fragile}` })),
  { key: 'failing' },
);
const message = catching(
  'payment',
  '<bpmn:messageEventDefinition messageRef="m"/>',
  '<bpmn:message id="m" name="paid"/>',
);
const signal = catching('alarm', '<bpmn:signalEventDefinition signalRef="s"/>', '<bpmn:signal id="s" name="fire"/>');
const hour = catching('hour', timer('duration', 'PT1H'), '');

describe('incidents and jobs in the API', () => {
  const server = new BpmServer();
  let works = false;
  before(async () => {
    server.handlers.register('fragile', async () => {
      if (!works) throw new Error('the printer is out of paper');
    });
    await server.open();
    for (const [name, model] of Object.entries({ failing, hour, message, signal })) await server.deploy(model, name);
  });
  after(() => server.close());

  /** An instance whose job has died. */
  const broken = async (): Promise<string> => {
    works = false;
    const id = await server.start('failing');
    for (let n = 0; n < 4; n++) {
      while ((await server.partition.decider.jobs.takeDue()) > 0) await server.partition.decider.jobs.quiet();
      await server.partition.decider.jobs.quiet();
    }
    return id;
  };
  const incidentOf = async (id: string) => {
    const { incidents } = await server.data(
      'query ($id: ID!) { incidents(processInstanceId: $id) { edges { node { id } } totalCount } }',
      { variables: { id } },
    );
    assert.equal(incidents.totalCount, 1);
    return incidents.edges[0].node.id;
  };

  it('show what failed, with its stack trace where it is asked for', async () => {
    const id = await broken();
    const incident = await incidentOf(id);
    const { one, brief, listed, instance } = await server.data(
      `query ($id: ID!, $instance: ID!) {
        one: incident(id: $id) { type message incidentTimestamp activityId activityName processInstanceId processDefinitionKey jobRetries configuration jobId annotation stackTrace tenantId }
        brief: incident(id: $id, includeStackTrace: false) { stackTrace }
        listed: incidents(processInstanceId: $instance, incidentType: "failedJob", activityId: "work", processDefinitionKey: "failing") { edges { node { stackTrace } } }
        instance: processInstance(id: $instance) { incidentCount incidents { edges { node { id } } } jobs { edges { node { state type retries attempts exceptionMessage failedAt suspended activityId } } } }
      }`,
      { variables: { id: incident, instance: id } },
    );
    const { stackTrace, jobId, configuration, ...rest } = one;
    assert.match(stackTrace, /out of paper/);
    assert.equal(configuration, jobId);
    assert.deepEqual(rest, {
      type: 'failedJob',
      message: 'the printer is out of paper',
      incidentTimestamp: '2026-01-15T12:00:00.000Z',
      activityId: 'work',
      activityName: 'Work',
      processInstanceId: id,
      processDefinitionKey: 'failing',
      jobRetries: 0,
      annotation: null,
      tenantId: null,
    });
    assert.deepEqual([brief.stackTrace, listed.edges], [null, [{ node: { stackTrace: null } }]]);
    assert.equal(instance.incidentCount, 1);
    assert.deepEqual(instance.incidents.edges, [{ node: { id: incident } }]);
    assert.deepEqual(instance.jobs.edges, [
      {
        node: {
          state: 'dead',
          type: 'call',
          retries: 0,
          attempts: 3,
          exceptionMessage: 'the printer is out of paper',
          failedAt: '2026-01-15T12:00:00.000Z',
          suspended: false,
          activityId: 'work',
        },
      },
    ]);
    const { processInstances } = await server.data(
      '{ processInstances(withIncidents: true) { edges { node { id } } } }',
    );
    assert.deepEqual(processInstances.edges, [{ node: { id } }]);
  });

  it('are annotated, and go when their job runs again', async () => {
    const id = await broken();
    const variables = { id: await incidentOf(id) };
    const annotate =
      'mutation ($id: ID!, $note: String) { setIncidentAnnotation(input: { id: $id, annotation: $note }) { annotation } }';
    const noted = await server.data(annotate, { variables: { ...variables, note: 'fetch paper' } });
    assert.equal(noted.setIncidentAnnotation.annotation, 'fetch paper');
    const cleared = await server.data(annotate, { variables: { ...variables, note: '' } });
    assert.equal(cleared.setIncidentAnnotation.annotation, null);
    await server.data(annotate, { variables: { ...variables, note: 'fetch paper again' } });
    const retry =
      'mutation ($id: ID!, $retries: Int!) { setJobRetries(input: { incidentId: $id, retries: $retries, clearAnnotation: true }) { id type annotation } }';
    const none = await server.run(retry, { variables: { ...variables, retries: -1 } });
    assert.match(none.errors[0] ?? '', /^BAD_REQUEST/);
    const resolved = await server.run('mutation ($id: ID!) { resolveIncident(id: $id) }', { variables });
    assert.match(resolved.errors[0] ?? '', /^BAD_REQUEST/);
    works = true;
    const { setJobRetries } = await server.data(retry, { variables: { ...variables, retries: 2 } });
    assert.deepEqual(setJobRetries, { id: variables.id, type: 'failedJob', annotation: null });
    await server.partition.decider.jobs.quiet();
    const after = await server.data(
      'query ($id: ID!, $instance: ID!) { incident(id: $id) { id } processInstance(id: $instance) { state incidentCount } }',
      { variables: { ...variables, instance: id } },
    );
    assert.deepEqual(after, { incident: null, processInstance: { state: 'completed', incidentCount: 0 } });
  });

  it('jobs get retries and due dates by their ids', async () => {
    const id = await broken();
    const jobOf = async (instance: string) => {
      const { jobs } = await server.data(
        'query ($id: ID!) { jobs(processInstanceId: $id) { edges { node { id } } } }',
        {
          variables: { id: instance },
        },
      );
      return jobs.edges[0].node.id;
    };
    works = true;
    const retry = 'mutation ($id: ID!) { setRetriesOfJob(id: $id, retries: 2) { state retries } }';
    const { setRetriesOfJob } = await server.data(retry, { variables: { id: await jobOf(id) } });
    assert.deepEqual(setRetriesOfJob, { state: 'waiting', retries: 2 });
    await server.partition.decider.jobs.quiet();
    const { processInstance } = await server.data(
      'query ($id: ID!) { processInstance(id: $id) { state incidentCount } }',
      {
        variables: { id },
      },
    );
    assert.deepEqual(processInstance, { state: 'completed', incidentCount: 0 });
    const timed = await jobOf(await server.start('hour'));
    const due = 'mutation ($id: ID!, $due: DateTime!) { setJobDueDate(id: $id, due: $due, cascade: true) { id due } }';
    const wanted = '2027-03-01T08:00:00.000Z';
    const { setJobDueDate } = await server.data(due, { variables: { id: timed, due: '2027-03-01T09:00:00+01:00' } });
    assert.deepEqual(setJobDueDate, { id: timed, due: wanted });
    for (const mutation of [retry, due]) {
      const { errors } = await server.run(mutation, { variables: { id: timed, due: wanted }, caller: bob });
      assert.match(errors[0] ?? '', /^FORBIDDEN/);
    }
  });

  it('are reported and resolved by operators, not by just anyone', async () => {
    const id = await server.start('hour');
    const report =
      'mutation ($id: ID!) { createIncident(input: { type: "late", processInstanceId: $id, activityId: "wait", message: "too late", configuration: "c" }) { id type message activityId jobRetries configuration } }';
    assert.match((await server.run(report, { variables: { id }, caller: ann })).errors[0] ?? '', /^FORBIDDEN/);
    const { createIncident } = await server.data(report, { variables: { id } });
    const { id: incident, ...rest } = createIncident;
    assert.deepEqual(rest, {
      type: 'late',
      message: 'too late',
      activityId: 'wait',
      jobRetries: 0,
      configuration: 'c',
    });
    const resolve = 'mutation ($id: ID!) { resolveIncident(id: $id) }';
    assert.deepEqual(await server.data(resolve, { variables: { id: incident } }), { resolveIncident: true });
    assert.match((await server.run(resolve, { variables: { id: incident } })).errors[0] ?? '', /^BAD_REQUEST/);
  });

  it('jobs are listed by every filter, and executed before their time', async () => {
    const id = await server.start('hour');
    const list = async (args: string) => {
      const { jobs } = await server.data(
        `{ jobs(processInstanceId: "${id}", ${args}) { edges { node { id } } totalCount } }`,
      );
      assert.equal(jobs.totalCount, jobs.edges.length);
      return jobs.totalCount;
    };
    const { jobs } = await server.data(
      `{ jobs(processInstanceId: "${id}") { edges { node { id type state due created processInstanceId definitionId definitionKey activityId executionId retries attempts exceptionMessage failedAt } } } }`,
    );
    const { id: job, definitionId, executionId, ...rest } = jobs.edges[0].node;
    assert.match(definitionId, /^hour:1:/);
    assert.ok(executionId.startsWith(id));
    assert.deepEqual(rest, {
      type: 'timer',
      state: 'waiting',
      due: '2026-01-15T13:00:00.000Z',
      created: '2026-01-15T12:00:00.000Z',
      processInstanceId: id,
      definitionKey: 'hour',
      activityId: 'wait',
      retries: 3,
      attempts: 0,
      exceptionMessage: null,
      failedAt: null,
    });
    assert.equal(await list('type: "timer", state: waiting, activityId: "wait", definitionKey: "hour"'), 1);
    assert.equal(await list('dueBefore: "2026-01-15T13:00:00Z"'), 0);
    assert.equal(await list('dueAfter: "2026-01-15T12:59:00Z", dueBefore: "2026-01-15T13:01:00Z"'), 1);
    assert.equal(await list('state: dead'), 0);
    const execute = 'mutation ($id: ID!) { executeJob(id: $id) { id state } }';
    assert.match((await server.run(execute, { variables: { id: job }, caller: bob })).errors[0] ?? '', /^FORBIDDEN/);
    assert.deepEqual(await server.data(execute, { variables: { id: job } }), { executeJob: null });
    const { processInstance } = await server.data(`{ processInstance(id: "${id}") { activeActivityIds } }`);
    assert.deepEqual(processInstance.activeActivityIds, ['after']);
    assert.match((await server.run(execute, { variables: { id: job } })).errors[0] ?? '', /^NOT_FOUND/);
  });

  it('a virtual clock is set forward, and timers fire', async () => {
    const id = await server.start('hour');
    const { advanceClock } = await server.data('mutation { advanceClock(to: "2026-01-15T14:00:00Z") }');
    assert.equal(advanceClock, '2026-01-15T14:00:00.000Z');
    const { processInstance } = await server.data(`{ processInstance(id: "${id}") { activeActivityIds } }`);
    assert.deepEqual(processInstance.activeActivityIds, ['after']);
  });

  it('gives a message to what waits at the execution that is shown', async () => {
    const [a, b] = [await server.start('payment'), await server.start('payment')];
    const { eventSubscriptions } = await server.data(
      `{ eventSubscriptions(processInstanceId: "${b}") { edges { node { executionId } } } }`,
    );
    const { executionId } = eventSubscriptions.edges[0].node;
    const correlate = 'mutation ($input: CorrelateMessageInput!) { correlateMessage(input: $input) { id } }';
    const input = { messageName: 'paid', executionId };
    assert.deepEqual(await server.data(correlate, { variables: { input } }), { correlateMessage: { id: b } });
    const byId = { messageName: 'paid', processInstanceId: a };
    assert.deepEqual(await server.data(correlate, { variables: { input: byId } }), { correlateMessage: { id: a } });
  });

  it('shows what waits for a message, and gives it to the one that has the business key', async () => {
    const [a, b] = [
      await server.start('payment', { businessKey: 'A' }),
      await server.start('payment', { businessKey: 'B' }),
    ];
    const { eventSubscriptions } = await server.data(
      `{ eventSubscriptions(processInstanceId: "${b}", eventType: "message", eventName: "paid") { edges { node { eventType eventName activityId processInstanceId definitionKey created } } totalCount } }`,
    );
    assert.equal(eventSubscriptions.totalCount, 1);
    const { created, ...waiting } = eventSubscriptions.edges[0].node;
    assert.match(created, /^2026-01-15T/);
    assert.deepEqual(waiting, {
      eventType: 'message',
      eventName: 'paid',
      activityId: 'wait',
      processInstanceId: b,
      definitionKey: 'payment',
    });
    const correlate =
      'mutation ($input: CorrelateMessageInput!) { correlateMessage(input: $input) { id activeActivityIds variables { name value } } }';
    const several = await server.run(correlate, { variables: { input: { messageName: 'paid' } } });
    assert.match(several.errors[0] ?? '', /^CONFLICT/);
    const input = { messageName: 'paid', businessKey: 'B', variables: [{ name: 'sum', value: 5 }] };
    const { correlateMessage } = await server.data(correlate, { variables: { input } });
    assert.deepEqual(correlateMessage, {
      id: b,
      activeActivityIds: ['after'],
      variables: [{ name: 'sum', value: 5 }],
    });
    const byId = await server.data(correlate, { variables: { input: { messageName: 'paid', processInstanceId: a } } });
    assert.equal(byId.correlateMessage.id, a);
    const nobody = await server.run(correlate, { variables: { input: { messageName: 'paid' } } });
    assert.match(nobody.errors[0] ?? '', /^NOT_FOUND/);
  });

  it('gives a signal to all that wait for it', async () => {
    const ids = [await server.start('alarm'), await server.start('alarm')];
    const publish = 'mutation { publishSignal(input: { signalName: "fire" }) { receivers { eventName } hasMore } }';
    const receivers = [{ eventName: 'fire' }, { eventName: 'fire' }];
    assert.deepEqual(await server.data(publish), { publishSignal: { receivers, hasMore: false } });
    for (const id of ids) {
      const { processInstance } = await server.data(`{ processInstance(id: "${id}") { activeActivityIds } }`);
      assert.deepEqual(processInstance.activeActivityIds, ['after']);
    }
    assert.deepEqual(await server.data(publish), { publishSignal: { receivers: [], hasMore: false } });
  });
});
