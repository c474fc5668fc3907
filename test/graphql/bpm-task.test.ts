import assert from 'node:assert/strict';
import { bpmn, element, flows, line } from '../support/bpmn.js';
import { admin, ann, BpmServer, bob } from './support/bpm-server.js';

const task = (id: string, attributes: Readonly<Record<string, string>> = {}) => element('userTask', id, attributes);
const review = bpmn(
  line(
    ['review'],
    task('review', { name: 'Review', 'camunda:candidateGroups': 'clerks', 'camunda:formKey': `cms:/\${page}.html` }),
  ),
  { key: 'reviewing' },
);
const chain = bpmn(line(['first', 'second'], `${task('first')}${task('second')}`), { key: 'chain' });
/** Several tasks of one instance, each with attributes of its own. */
const many = (tasks: Readonly<Record<string, Readonly<Record<string, string>>>>) =>
  bpmn(
    `${element('startEvent', 'start')}${element('parallelGateway', 'fork')}${element('endEvent', 'end')}${flows('start', 'fork')}
    ${Object.entries(tasks)
      .map(([id, attributes]) => `${task(id, attributes)}${flows('fork', id, 'end')}`)
      .join('')}`,
    { key: 'many' },
  );

describe('tasks in the API', () => {
  const server = new BpmServer();
  before(async () => {
    await server.open();
    await server.deploy(review, 'review');
    await server.deploy(chain, 'chain');
  });
  after(() => server.close());

  const taskOf = async (processInstanceId: string): Promise<string> => {
    const { tasks } = await server.data(
      'query ($id: String!) { tasks(processInstanceId: $id) { edges { node { id } } } }',
      {
        variables: { id: processInstanceId },
      },
    );
    return tasks.edges[0]?.node.id;
  };
  const newTask = async (variables = [{ name: 'page', value: 'p1' }]) =>
    taskOf(await server.start('reviewing', { variables }));

  it('shows a task with all that belongs to it', async () => {
    const id = await newTask();
    const { task } = await server.data(
      `query ($id: ID!) { task(id: $id) { name description state assignee owner created due followUp priority suspended processDefinitionKey taskDefinitionKey formKey
        candidateUsers candidateGroups variables { name type value } localVariables { name } comments { id } availableOperations
        processInstance { state tasks { edges { node { id } } } } processDefinition { key } processDefinitionId processInstanceId executionId } }`,
      { variables: { id } },
    );
    const { availableOperations, processDefinitionId, processInstanceId, executionId, processInstance, ...rest } = task;
    assert.ok(availableOperations.includes('claim'));
    assert.match(processDefinitionId, /^reviewing:1:/);
    assert.ok(executionId.startsWith(processInstanceId));
    assert.deepEqual(processInstance, { state: 'active', tasks: { edges: [{ node: { id } }] } });
    assert.deepEqual(rest, {
      name: 'Review',
      description: null,
      state: 'created',
      assignee: null,
      owner: null,
      created: '2026-01-15T12:00:00.000Z',
      due: null,
      followUp: null,
      priority: 50,
      suspended: false,
      processDefinitionKey: 'reviewing',
      taskDefinitionKey: 'review',
      formKey: 'cms:/p1.html',
      candidateUsers: [],
      candidateGroups: ['clerks'],
      variables: [{ name: 'page', type: 'String', value: 'p1' }],
      localVariables: [],
      comments: [],
      processDefinition: { key: 'reviewing' },
    });
  });

  it('is claimed by one: again is no error, by another a conflict, and for no candidate it is there', async () => {
    const variables = { id: await newTask() };
    const claim = 'mutation ($id: ID!) { claimTask(taskId: $id) { assignee state } }';
    assert.match((await server.run(claim, { variables, caller: bob })).errors[0] ?? '', /^NOT_FOUND/);
    const claimed = { claimTask: { assignee: 'ann', state: 'assigned' } };
    assert.deepEqual(await server.data(claim, { variables, caller: ann }), claimed);
    assert.deepEqual(await server.data(claim, { variables, caller: ann }), claimed);
    assert.match((await server.run(claim, { variables, caller: admin })).errors[0] ?? '', /^CONFLICT.*'ann'/);
    const { unclaimTask } = await server.data('mutation ($id: ID!) { unclaimTask(taskId: $id) { assignee state } }', {
      variables,
      caller: ann,
    });
    assert.deepEqual(unclaimTask, { assignee: null, state: 'created' });
    assert.match((await server.run(claim, { variables: { id: 'none' } })).errors[0] ?? '', /^NOT_FOUND/);
  });

  it('is assigned, given to nobody, delegated and resolved', async () => {
    const variables = { id: await newTask() };
    const { a, b, c, d, e } = await server.data(
      `mutation ($id: ID!) {
        a: assignTask(taskId: $id, assignee: "ann") { assignee state }
        b: setTaskAssignee(taskId: $id, assignee: null) { assignee state }
        c: setTaskAssignee(taskId: $id, assignee: "ann") { assignee state }
        d: delegateTask(taskId: $id, assignee: "bob") { assignee owner state availableOperations }
        e: resolveTask(taskId: $id, variables: [{ name: "found", value: 1 }]) { assignee owner state variables { name value } }
      }`,
      { variables },
    );
    assert.deepEqual(a, { assignee: 'ann', state: 'assigned' });
    assert.deepEqual(b, { assignee: null, state: 'created' });
    assert.deepEqual(c, { assignee: 'ann', state: 'assigned' });
    assert.equal(d.availableOperations.includes('complete'), false);
    assert.deepEqual([d.assignee, d.owner, d.state], ['bob', 'ann', 'delegated']);
    assert.deepEqual([e.assignee, e.owner, e.state], ['ann', 'ann', 'resolved']);
    assert.ok(e.variables.some(({ name }: { readonly name: string }) => name === 'found'));
    const empty = await server.run('mutation ($id: ID!) { assignTask(taskId: $id, assignee: "") { id } }', {
      variables,
    });
    assert.match(empty.errors[0] ?? '', /^BAD_REQUEST/);
  });

  it('is completed with variables, answered whole, and then no open task any more', async () => {
    const id = await newTask();
    const { completeTask } = await server.data(
      `mutation ($input: CompleteTaskInput!) { completeTask(input: $input) { id name state assignee created executionId taskDefinitionKey priority availableOperations
        processInstance { state ended variables { name value } } variables { name } candidateGroups comments { id } } }`,
      {
        variables: {
          input: { taskId: id, variables: [{ name: 'approved', value: true }], withVariablesInReturn: true },
        },
        caller: ann,
      },
    );
    const { created, executionId, variables, ...rest } = completeTask;
    assert.deepEqual([typeof created, typeof executionId, variables.length], ['string', 'string', 2]);
    assert.deepEqual(rest, {
      id,
      name: 'Review',
      state: 'completed',
      assignee: null,
      taskDefinitionKey: 'review',
      priority: 50,
      availableOperations: [],
      processInstance: {
        state: 'completed',
        ended: true,
        variables: [
          { name: 'approved', value: true },
          { name: 'page', value: 'p1' },
        ],
      },
      candidateGroups: ['clerks'],
      comments: [],
    });
    assert.deepEqual(await server.data('query ($id: ID!) { task(id: $id) { id } }', { variables: { id } }), {
      task: null,
    });
    const again = await server.run('mutation ($id: ID!) { completeTask(input: { taskId: $id }) { id } }', {
      variables: { id },
    });
    assert.match(again.errors[0] ?? '', /^NOT_FOUND/);
    assert.deepEqual(again.data, { completeTask: null });
  });

  it('is completed once for the same idempotency key, and answered whole both times', async () => {
    const variables = { id: await newTask() };
    const complete = 'mutation ($id: ID!) { completeTask(input: { taskId: $id }) { id name state executionId } }';
    const first = await server.data(complete, { variables, idempotencyKey: 'once' });
    assert.equal(first.completeTask.state, 'completed');
    assert.deepEqual(await server.data(complete, { variables, idempotencyKey: 'once' }), first);
  });

  it('leads to the next task in the same call', async () => {
    const instance = await server.start('chain');
    const first = await taskOf(instance);
    const { completeTask } = await server.data(
      'mutation ($id: ID!) { completeTask(input: { taskId: $id }) { processInstance { activeActivityIds tasks { edges { node { taskDefinitionKey } } } } } }',
      { variables: { id: first } },
    );
    assert.deepEqual(completeTask.processInstance, {
      activeActivityIds: ['second'],
      tasks: { edges: [{ node: { taskDefinitionKey: 'second' } }] },
    });
  });

  it('takes variables of the process and of its own, and shows inner ones first', async () => {
    const id = await newTask();
    const set = (local: boolean) =>
      server.data(
        'mutation ($id: ID!, $local: Boolean) { setTaskVariables(taskId: $id, variables: [{ name: "page", value: "p2" }], local: $local) { variables { name value } localVariables { name value } processInstance { variables { name value } } } }',
        { variables: { id, local } },
      );
    const local = await set(true);
    assert.deepEqual(local.setTaskVariables, {
      variables: [{ name: 'page', value: 'p2' }],
      localVariables: [{ name: 'page', value: 'p2' }],
      processInstance: { variables: [{ name: 'page', value: 'p1' }] },
    });
  });

  it('is commented on by the caller, oldest first', async () => {
    const variables = { id: await newTask() };
    const say =
      'mutation ($id: ID!, $message: String!) { addTaskComment(taskId: $id, message: $message) { taskId userId time message } }';
    const { addTaskComment } = await server.data(say, { variables: { ...variables, message: 'one' }, caller: ann });
    server.clock.set(server.clock.now() + 1);
    await server.data(say, { variables: { ...variables, message: 'two' } });
    assert.deepEqual(addTaskComment, {
      taskId: variables.id,
      userId: 'ann',
      time: '2026-01-15T12:00:00.000Z',
      message: 'one',
    });
    const { task } = await server.data('query ($id: ID!) { task(id: $id) { comments { message } } }', { variables });
    assert.deepEqual(task.comments, [{ message: 'one' }, { message: 'two' }]);
    const empty = await server.run('mutation ($id: ID!) { addTaskComment(taskId: $id, message: " ") { id } }', {
      variables,
    });
    assert.match(empty.errors[0] ?? '', /^BAD_REQUEST/);
  });
});

describe('lists of tasks', () => {
  const now = Date.UTC(2026, 0, 15, 12);
  const server = new BpmServer(now);
  before(async () => {
    await server.open();
    await server.deploy(
      many({
        a: {
          name: 'Alpha',
          'camunda:candidateGroups': 'clerks',
          'camunda:dueDate': '2026-01-15T11:00:00Z',
          'camunda:priority': '10',
        },
        b: {
          name: 'Beta',
          'camunda:candidateUsers': 'ann',
          'camunda:dueDate': '2026-01-15T20:00:00Z',
          'camunda:priority': '90',
        },
        c: {
          name: 'Gamma',
          'camunda:assignee': 'ann',
          'camunda:dueDate': '2026-01-15T11:00:00Z',
          'camunda:followUpDate': '2026-01-16T00:00:00Z',
        },
        d: { name: 'Delta', 'camunda:assignee': 'bob', 'camunda:dueDate': '2026-01-18T00:00:00Z' },
        e: { name: 'Epsilon', 'camunda:candidateGroups': 'bosses' },
        f: {
          name: 'Zeta',
          'camunda:assignee': 'ann',
          'camunda:candidateGroups': 'clerks',
          'camunda:dueDate': '2026-01-15T16:00:00Z',
        },
      }),
      'many',
    );
    await server.start('many');
  });
  after(() => server.close());

  const keys = async (args: string): Promise<string> => {
    const { tasks } = await server.data(`{ tasks(${args}) { edges { node { taskDefinitionKey } } totalCount } }`);
    const found = tasks.edges.map(({ node }: { node: { taskDefinitionKey: string } }) => node.taskDefinitionKey);
    assert.equal(tasks.totalCount, found.length);
    return found.join('');
  };
  const set = async (args: string) => [...(await keys(args))].sort().join('');

  it('are filtered by assignee', async () => {
    assert.equal(await set('assignee: "ann"'), 'cf');
    assert.equal(await set('assigneeIn: ["bob", "carl"]'), 'd');
    assert.equal(await set('assigneeIn: []'), '');
    assert.equal(await set('assignee: "ann", assigneeIn: ["bob"]'), '');
    assert.equal(await set('unassigned: true'), 'abe');
    assert.equal(await set('unassigned: false'), 'abcdef');
  });

  it('are filtered by candidates, as a union and unassigned only', async () => {
    assert.equal(await set('candidateUser: "ann"'), 'ab', 'by itself and by its groups');
    assert.equal(await set('candidateUser: "bob"'), '');
    assert.equal(await set('candidateGroup: "clerks"'), 'a');
    assert.equal(await set('candidateGroups: ["clerks", "bosses"]'), 'ae');
    assert.equal(await set('candidateUser: "ann", candidateGroups: ["bosses"]'), 'abe');
    assert.equal(await set('candidateGroups: []'), '');
  });

  it('are filtered by time, priority and process', async () => {
    assert.equal(await set('dueBefore: "2026-01-15T12:00:00Z"'), 'ac');
    assert.equal(await set('dueAfter: "2026-01-15T16:00:00Z"'), 'bd');
    assert.equal(await set('createdBefore: "2026-01-15T12:00:00Z"'), '');
    assert.equal(await set('createdAfter: "2026-01-15T11:59:00Z", taskDefinitionKey: "a"'), 'a');
    assert.equal(await set('priority: 90'), 'b');
    assert.equal(await set('priorityHigherThanOrEquals: 50'), 'bcdef');
    assert.equal(await set('priorityLowerThanOrEquals: 10'), 'a');
    assert.equal(await set('processDefinitionKey: "many"'), 'abcdef');
    assert.equal(await set('processDefinitionKey: "other"'), '');
  });

  it('are ordered by every field, descending unless told otherwise', async () => {
    assert.equal(await keys('sortBy: NAME, sortOrder: ASC'), 'abdecf');
    assert.equal(await keys('sortBy: NAME'), 'fcedba');
    assert.equal(await keys('sortBy: PRIORITY, priorityHigherThanOrEquals: 90'), 'b');
    assert.equal((await keys('sortBy: PRIORITY')).slice(0, 1), 'b');
    assert.equal((await keys('sortBy: PRIORITY, sortOrder: ASC')).slice(0, 1), 'a');
    assert.equal((await keys('sortBy: DUE')).slice(0, 3), 'dbf');
    assert.equal((await keys('sortBy: FOLLOW_UP')).slice(0, 1), 'c');
    assert.equal((await keys('sortBy: ASSIGNEE')).slice(0, 1), 'd');
    assert.equal(await keys('sortBy: ID, sortOrder: ASC'), 'abcdef');
    assert.equal(await keys('sortBy: ID'), 'fedcba');
    assert.equal(await keys('sortBy: PROCESS_INSTANCE_ID, sortOrder: ASC'), 'abcdef');
    assert.equal(await keys('sortBy: CREATED, sortOrder: ASC'), 'abcdef');
    assert.equal(await keys('first: 20'), 'fedcba', 'newest first by default');
  });

  it('are paged to the end in any order, also by a field that some do not have', async () => {
    for (const sortBy of ['ID', 'NAME', 'ASSIGNEE', 'DUE', 'FOLLOW_UP', 'PRIORITY', 'CREATED']) {
      const seen: string[] = [];
      let after: string | null = null;
      do {
        const { tasks } = await server.data(
          `query ($after: String) { tasks(first: 2, after: $after, sortBy: ${sortBy}) { edges { node { taskDefinitionKey } } pageInfo { hasNextPage endCursor hasPreviousPage } } }`,
          { variables: { after } },
        );
        assert.equal(tasks.pageInfo.hasPreviousPage, after !== null);
        seen.push(...tasks.edges.map(({ node }: { node: { taskDefinitionKey: string } }) => node.taskDefinitionKey));
        after = tasks.pageInfo.hasNextPage ? tasks.pageInfo.endCursor : null;
      } while (after !== null);
      assert.equal(seen.join(''), await keys(`sortBy: ${sortBy}`), sortBy);
    }
  });

  it('are empty for first: 0, and show relations of every task without asking one by one', async () => {
    const { none, all } = await server.data(
      '{ none: tasks(first: 0) { edges { cursor } totalCount pageInfo { startCursor endCursor } } all: tasks { edges { node { comments { id } processInstance { tasks(first: 2) { totalCount edges { cursor } } activityInstances { activityId } } } } } }',
    );
    assert.deepEqual(none, { edges: [], totalCount: 6, pageInfo: { startCursor: null, endCursor: null } });
    for (const { node } of all.edges) {
      assert.equal(node.processInstance.tasks.totalCount, 6);
      assert.equal(node.processInstance.tasks.edges.length, 2);
      assert.equal(node.processInstance.activityInstances.length, 8);
    }
  });

  const counts = async (args: string) => {
    const { taskCounts } = await server.data(
      `{ taskCounts${args} { total unassigned assigned overdue dueToday dueThisWeek } }`,
    );
    return Object.values(taskCounts);
  };

  it('are counted in the scope of assignee and candidates, by due time for the assignee', async () => {
    assert.deepEqual(await counts(''), [6, 3, 3, 2, 4, 5]);
    assert.deepEqual(await counts('(assignee: "ann")'), [2, 0, 2, 1, 2, 2]);
    assert.deepEqual(await counts('(candidateUser: "ann")'), [2, 2, 0, 2, 4, 5]);
    assert.deepEqual(await counts('(candidateGroups: ["bosses"])'), [1, 1, 0, 2, 4, 5]);
    assert.deepEqual(await counts('(assignee: "ann", candidateGroups: ["bosses"])'), [0, 0, 0, 1, 2, 2]);
  });

  it('are counted by days that begin in the time zone, in UTC where it is unknown', async () => {
    // In Tokyo it is 21:00 of the 15th; what is due at 20:00Z is due tomorrow there.
    assert.deepEqual(await counts('(timeZone: "Asia/Tokyo")'), [6, 3, 3, 2, 2, 5]);
    assert.deepEqual(await counts('(timeZone: "Nowhere/Land")'), [6, 3, 3, 2, 4, 5]);
  });
});
