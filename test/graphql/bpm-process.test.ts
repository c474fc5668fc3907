import assert from 'node:assert/strict';
import type { Caller } from '../../src/shared/caller.js';
import { bpmn, element, extended, flow, flows, line, timer } from '../support/bpmn.js';
import { admin, ann, BpmServer, bob } from './support/bpm-server.js';

const approval = bpmn(
  line(['approve'], element('userTask', 'approve', { name: 'Approve', 'camunda:candidateGroups': 'clerks' })),
  { key: 'approval', attributes: 'name="Approval"' },
);
const choice = bpmn(
  `${element('startEvent', 'start')}${element('exclusiveGateway', 'large')}${element('userTask', 'check')}${element('endEvent', 'end')}
  ${flows('start', 'large')}${flow('large', 'check', `\${amount > 10}`)}${flow('large', 'end', `\${amount <= 10}`)}${flows('check', 'end')}`,
  { key: 'choice' },
);
const waiting = bpmn(
  `${element('startEvent', 'start')}<bpmn:intermediateCatchEvent id="wait">${timer('duration', 'PT1H')}</bpmn:intermediateCatchEvent>${element('endEvent', 'end')}${flows('start', 'wait', 'end')}`,
  { key: 'waiting' },
);
const called = bpmn(
  line(
    ['work'],
    element('serviceTask', 'work', { 'camunda:delegateExpression': `\${twice}`, 'camunda:resultVariable': 'result' }),
  ),
  {
    key: 'called',
  },
);

describe('processes in the API', () => {
  const server = new BpmServer();
  before(async () => {
    server.handlers.register('twice', async ({ variables }) => Number(variables.n) * 2);
    await server.open();
  });
  after(() => server.close());

  it('deploys a model and shows the deployment and its definition', async () => {
    const deployment = await server.deploy(approval, 'approvals');
    assert.equal(deployment.name, 'approvals');
    assert.equal(deployment.deploymentTime, '2026-01-15T12:00:00.000Z');
    const [definition] = deployment.processDefinitions;
    assert.deepEqual([definition.key, definition.version], ['approval', 1]);
    assert.match(definition.id, /^approval:1:/);
  });

  it('shows the lanes in which the model draws what was and is done', async () => {
    const lane = (id: string, attributes: string, node: string, inner = '') =>
      `<bpmn:lane id="${id}" ${attributes}><bpmn:flowNodeRef>${node}</bpmn:flowNodeRef>${inner}</bpmn:lane>`;
    const inner = `<bpmn:childLaneSet id="in">${lane('desk', '', 'ask')}</bpmn:childLaneSet>`;
    const lanes = `<bpmn:laneSet id="set">${lane('sales', 'name="Sales"', 'ask', inner)}</bpmn:laneSet>`;
    await server.deploy(bpmn(lanes + line(['ask'], element('userTask', 'ask')), { key: 'drawn' }), 'drawn');
    const { startProcess } = await server.data(
      `mutation { startProcess(input: { definitionKey: "drawn" }) { activityInstances { activityId lanes } tasks { edges { node { lanes } } } } }`,
    );
    assert.deepEqual(startProcess.tasks.edges, [{ node: { lanes: ['Sales', 'desk'] } }]);
    assert.deepEqual(startProcess.activityInstances, [
      { activityId: 'start', lanes: [] },
      { activityId: 'ask', lanes: ['Sales', 'desk'] },
    ]);
  });

  it('makes a new version of a key with every deployment, and finds the latest by key', async () => {
    await server.deploy(approval, 'approvals');
    const { latest, first, none, all, newest } = await server.data(`{
      latest: processDefinition(key: "approval") { version latest name deploymentName resourceName suspended diagramResourceName tenantId }
      first: processDefinition(key: "approval", version: 1) { version latest }
      none: processDefinition { id }
      all: processDefinitions(key: "prov") { edges { node { version } } totalCount }
      newest: processDefinitions(name: "Appro", latestVersion: true, suspended: false) { edges { node { version } } }
    }`);
    assert.deepEqual(latest, {
      version: 2,
      latest: true,
      name: 'Approval',
      deploymentName: 'approvals',
      resourceName: 'approvals.bpmn',
      suspended: false,
      diagramResourceName: null,
      tenantId: null,
    });
    assert.deepEqual(first, { version: 1, latest: false });
    assert.equal(none, null);
    assert.deepEqual(versions(all), [2, 1]);
    assert.equal(all.totalCount, 2);
    assert.deepEqual(versions(newest), [2]);
  });

  it('tells which definitions lists of what may be started should show', async () => {
    const hidden = { key: 'approval-part', attributes: 'camunda:isStartableInTasklist="false"' };
    await server.deploy(bpmn(line(['work'], element('userTask', 'work')), hidden), 'hidden');
    const { shown, others } = await server.data(`{
      shown: processDefinitions(key: "approval", isStartableInTasklist: true) { edges { node { key isStartableInTasklist } } }
      others: processDefinitions(key: "approval", isStartableInTasklist: false) { edges { node { key isStartableInTasklist } } totalCount }
    }`);
    assert.deepEqual(shown.edges[0].node, { key: 'approval', isStartableInTasklist: true });
    assert.ok(!JSON.stringify(shown).includes('approval-part'));
    assert.deepEqual(others, {
      edges: [{ node: { key: 'approval-part', isStartableInTasklist: false } }],
      totalCount: 1,
    });
  });

  it('tells which definitions the caller may start', async () => {
    const attributes = 'camunda:candidateStarterUsers="carl" camunda:candidateStarterGroups="clerks"';
    const reserved = bpmn(line(['work'], element('userTask', 'work')), { key: 'approval-reserved', attributes });
    await server.deploy(reserved, 'reserved');
    const seen = async (caller: Caller) => {
      const { yes, no } = await server.data(
        `{
          yes: processDefinitions(key: "approval", latestVersion: true, startable: true) { edges { node { key } } }
          no: processDefinitions(key: "approval", startable: false) { edges { node { key candidateStarterUsers candidateStarterGroups } } }
        }`,
        { caller },
      );
      const isReserved = ({ node }: { readonly node: { readonly key: string } }) => node.key === 'approval-reserved';
      assert.ok(yes.edges.length > 0 && no.edges.every(isReserved));
      return [yes.edges.some(isReserved), no.edges[0]?.node ?? null];
    };
    const node = {
      key: 'approval-reserved',
      candidateStarterUsers: ['carl'],
      candidateStarterGroups: ['clerks'],
    };
    assert.deepEqual(await seen(bob), [false, node]);
    for (const caller of [ann, { ...bob, userId: 'carl' }, admin]) assert.deepEqual(await seen(caller), [true, null]);
    const start = 'mutation { startProcess(input: { definitionKey: "approval-reserved" }) { id } }';
    assert.match((await server.run(start, { caller: bob })).errors[0] ?? '', /^FORBIDDEN/);
    assert.deepEqual((await server.run(start, { caller: ann })).errors, []);
  });

  it('finds an instance by the business key that it has now', async () => {
    const rekeyed = element(
      'userTask',
      'work',
      {},
      extended(`<camunda:taskListener event="assignment" expression="\${execution.setProcessBusinessKey('later')}"/>`),
    );
    await server.deploy(bpmn(line(['work'], rekeyed), { key: 'rekeyed' }), 'rekeyed');
    const id = await server.start('rekeyed', { businessKey: 'earlier' });
    const found = async (businessKey: string) => {
      const { processInstances } = await server.data(
        'query ($businessKey: String) { processInstances(businessKey: $businessKey) { edges { node { id businessKey } } totalCount } }',
        { variables: { businessKey } },
      );
      return processInstances.edges.map(({ node }: { node: { id: string } }) => node.id);
    };
    assert.deepEqual([await found('earlier'), await found('later')], [[id], []]);
    const { tasks } = await server.data(
      'query ($id: String) { tasks(processInstanceId: $id) { edges { node { id } } } }',
      { variables: { id } },
    );
    await server.data('mutation ($id: ID!) { assignTask(taskId: $id, assignee: "ann") { id } }', {
      variables: { id: tasks.edges[0].node.id },
    });
    assert.deepEqual([await found('earlier'), await found('later')], [[], [id]]);
  });

  it('gives the XML as it was deployed, and null for an unknown definition', async () => {
    const { processDefinition: definition } = await server.data('{ processDefinition(key: "approval") { id } }');
    const { known, unknown } = await server.data(
      'query ($id: ID!) { known: processDefinitionXml(id: $id) unknown: processDefinitionXml(id: "none:1:x") }',
      { variables: { id: definition.id } },
    );
    assert.equal(known, approval);
    assert.equal(unknown, null);
  });

  it('refuses a broken model as BAD_REQUEST, and deploying by just anyone as FORBIDDEN', async () => {
    const deploy =
      'mutation ($c: String!) { deployProcess(input: { name: "x", resources: [{ name: "x.bpmn", content: $c }] }) { id } }';
    const broken = await server.run(deploy, { variables: { c: bpmn(element('task', 'alone', {}, '<bpmn:what/>')) } });
    assert.match(broken.errors[0] ?? '', /^BAD_REQUEST/);
    const forbidden = await server.run(deploy, { variables: { c: approval }, caller: bob });
    assert.match(forbidden.errors[0] ?? '', /^FORBIDDEN/);
  });

  it('starts an instance with typed variables and answers it as it waits', async () => {
    const { startProcess } = await server.data(
      `mutation { startProcess(input: { definitionKey: "approval", businessKey: "A-1", variables: [
        { name: "amount", type: "Long", value: 42 }, { name: "big", type: "Long", value: "9007199254740993" }, { name: "ok", type: "boolean", value: "true" },
        { name: "half", value: 0.5 }, { name: "note", value: "x" }, { name: "at", type: "Date", value: "2026-01-01T09:00:00+09:00" },
        { name: "list", value: [1, { a: null }] }, { name: "nothing", value: null } ] }) {
        id definitionKey businessKey state suspended ended startTime endTime durationInMillis incidentCount startUserId
        variables { name type value valueInfo } activeActivityIds availableOperations
        definition { key } tasks { totalCount edges { node { name candidateGroups } } } superProcessInstance { id } subProcessInstances { totalCount }
      } }`,
      { caller: ann },
    );
    const { id, variables, availableOperations, ...rest } = startProcess;
    assert.equal(typeof id, 'string');
    assert.deepEqual(
      variables.map(({ name, type, value }: Named) => [name, type, value]),
      [
        ['amount', 'Long', 42],
        ['at', 'Date', '2026-01-01T00:00:00.000Z'],
        ['big', 'Long', '9007199254740993'],
        ['half', 'Double', 0.5],
        ['list', 'Json', [1, { a: null }]],
        ['note', 'String', 'x'],
        ['nothing', 'Null', null],
        ['ok', 'Boolean', true],
      ],
    );
    assert.ok(
      ['suspend', 'cancel'].every((operation) => availableOperations.includes(operation)),
      availableOperations,
    );
    assert.deepEqual(rest, {
      definitionKey: 'approval',
      businessKey: 'A-1',
      state: 'active',
      suspended: false,
      ended: false,
      startTime: '2026-01-15T12:00:00.000Z',
      endTime: null,
      durationInMillis: null,
      incidentCount: 0,
      startUserId: 'ann',
      activeActivityIds: ['approve'],
      definition: { key: 'approval' },
      tasks: { totalCount: 1, edges: [{ node: { name: 'Approve', candidateGroups: ['clerks'] } }] },
      superProcessInstance: null,
      subProcessInstances: { totalCount: 0 },
    });
  });

  it('refuses to start what is not there, and a variable that is not of its type', async () => {
    const start = 'mutation ($input: StartProcessInput!) { startProcess(input: $input) { id } }';
    const unknown = await server.run(start, { variables: { input: { definitionKey: 'none' } } });
    assert.match(unknown.errors[0] ?? '', /^NOT_FOUND/);
    const nothing = await server.run(start, { variables: { input: {} } });
    assert.match(nothing.errors[0] ?? '', /^BAD_REQUEST/);
    const input = { definitionKey: 'approval', variables: [{ name: 'n', type: 'Long', value: 'many' }] };
    assert.match((await server.run(start, { variables: { input } })).errors[0] ?? '', /^BAD_REQUEST.*'n'/);
  });

  it('waits for the calls that a start set off, and shows the ended instance with its last variables', async () => {
    await server.deploy(called, 'called');
    const { startProcess } = await server.data(
      'mutation { startProcess(input: { definitionKey: "called", variables: [{ name: "n", value: 21 }] }) { state ended endTime variables { name value } activeActivityIds } }',
    );
    assert.equal(startProcess.state, 'completed');
    assert.equal(startProcess.ended, true);
    assert.deepEqual(startProcess.activeActivityIds, []);
    assert.deepEqual(startProcess.variables, [
      { name: 'n', value: 21 },
      { name: 'result', value: 42 },
    ]);
  });

  it('answers the same start again for the same idempotency key, and refuses the key for another input', async () => {
    const start =
      'mutation ($key: String!) { a: startProcess(input: { definitionKey: $key }) { id } b: startProcess(input: { definitionKey: $key }) { id } }';
    const asked = { variables: { key: 'approval' }, idempotencyKey: 'k-1' };
    const first = await server.data(start, asked);
    const again = await server.data(start, asked);
    assert.deepEqual(again, first);
    assert.notEqual(first.a.id, first.b.id);
    const other = await server.run(start, { ...asked, variables: { key: 'called' } });
    assert.match(other.errors[0] ?? '', /^BAD_REQUEST/);
    const someoneElse = await server.data(start, { ...asked, caller: ann });
    assert.notEqual(someoneElse.a.id, first.a.id);
  });

  it('answers the administrator again what a former version has, which knew users by their names; not another user of a name', async () => {
    const start = 'mutation { startProcess(input: { definitionKey: "approval" }) { id } }';
    const started = async (caller: Caller) =>
      (await server.data(start, { caller, idempotencyKey: 'k-former' })).startProcess.id;
    const [byName, byId] = [await started(admin), await started({ ...admin, principalId: 'p-1' })];
    assert.equal(byName, byId);
    const ids = new Set([await started(ann)]);
    for (const principalId of ['p-2', 'p-3']) ids.add(await started({ ...ann, principalId }));
    assert.equal(ids.size, 3);
  });

  it('tells the position of what a mutation did, and none of a query', async () => {
    const start = await server.run('mutation { startProcess(input: { definitionKey: "approval" }) { id } }');
    assert.equal(start.position, server.partition.replica.feed.position());
    assert.equal((await server.run('{ processInstances { totalCount } }')).position, undefined);
  });

  it('refuses the whole start where a gateway fails', async () => {
    await server.deploy(choice, 'choice');
    const failed = await server.run('mutation { startProcess(input: { definitionKey: "choice" }) { id } }');
    assert.match(failed.errors[0] ?? '', /^EXECUTION_FAILED/);
    const { processInstances } = await server.data('{ processInstances(definitionKey: "choice") { totalCount } }');
    assert.equal(processInstances.totalCount, 0);
  });

  it('shows the history of an instance, by start time', async () => {
    const id = await server.start('choice', { variables: [{ name: 'amount', value: 11 }] });
    const history =
      'query ($id: ID!) { activityHistory(processInstanceId: $id) { id activityId activityType startTime endTime durationInMillis canceled completeScope taskId } }';
    const before = await server.data(history, { variables: { id } });
    assert.deepEqual(
      before.activityHistory.map((it: Visit) => [it.activityId, it.activityType, it.endTime !== null]),
      [
        ['start', 'startEvent', true],
        ['large', 'exclusiveGateway', true],
        ['check', 'userTask', false],
      ],
    );
    await server.data('mutation ($id: ID!) { cancelProcessInstance(id: $id) }', { variables: { id } });
    const after = await server.data(history, { variables: { id } });
    const [last] = after.activityHistory.slice(-1);
    assert.deepEqual([last.canceled, last.completeScope, last.durationInMillis], [true, false, 0]);
    const { processInstance } = await server.data(
      'query ($id: ID!) { processInstance(id: $id) { state deleteReason activityInstances { id } } }',
      { variables: { id } },
    );
    assert.equal(processInstance.state, 'cancelled');
    assert.equal(processInstance.activityInstances.length, after.activityHistory.length);
  });

  it('has no history of an unknown instance, and refuses an empty id', async () => {
    assert.deepEqual(await server.data('{ activityHistory(processInstanceId: "none") { id } }'), {
      activityHistory: [],
    });
    const empty = await server.run('{ activityHistory(processInstanceId: "") { id } }');
    assert.match(empty.errors[0] ?? '', /^BAD_REQUEST/);
  });

  it('suspends and activates an instance with its tasks, and answers null for an unknown one', async () => {
    const id = await server.start('approval');
    const change = (field: string, of: string) =>
      server.data(
        `mutation ($id: ID!) { ${field}(id: $id) { state suspended tasks { edges { node { suspended availableOperations } } } } }`,
        { variables: { id: of } },
      );
    const { suspendProcessInstance: held } = await change('suspendProcessInstance', id);
    assert.deepEqual([held.state, held.suspended], ['suspended', true]);
    assert.deepEqual(held.tasks.edges[0].node, { suspended: true, availableOperations: ['setVariables'] });
    const { activateProcessInstance: active } = await change('activateProcessInstance', id);
    assert.equal(active.state, 'active');
    assert.ok(active.tasks.edges[0].node.availableOperations.includes('claim'));
    assert.deepEqual(await change('suspendProcessInstance', 'none'), { suspendProcessInstance: null });
  });

  it('replaces the variables of an instance', async () => {
    const id = await server.start('approval', {
      variables: [
        { name: 'a', value: 1 },
        { name: 'b', value: 2 },
      ],
    });
    const { setProcessVariables } = await server.data(
      'mutation ($id: ID!) { setProcessVariables(processInstanceId: $id, variables: [{ name: "b", value: "two" }]) { variables { name value } } }',
      { variables: { id } },
    );
    assert.deepEqual(setProcessVariables.variables, [{ name: 'b', value: 'two' }]);
  });

  it('suspends a definition with its instances, which all show it at once', async () => {
    await server.deploy(waiting, 'waiting');
    const id = await server.start('waiting');
    const { processDefinition } = await server.data('{ processDefinition(key: "waiting") { id } }');
    const { suspendProcessDefinition } = await server.data(
      'mutation ($id: ID!) { suspendProcessDefinition(id: $id, includeInstances: true) { suspended instances { edges { node { state } } } } }',
      { variables: { id: processDefinition.id } },
    );
    assert.equal(suspendProcessDefinition.suspended, true);
    assert.deepEqual(suspendProcessDefinition.instances.edges, [{ node: { state: 'suspended' } }]);
    const { processInstance } = await server.data('query ($id: ID!) { processInstance(id: $id) { state } }', {
      variables: { id },
    });
    assert.equal(processInstance.state, 'suspended');
    const refused = await server.run('mutation { startProcess(input: { definitionKey: "waiting" }) { id } }');
    assert.match(refused.errors[0] ?? '', /^CONFLICT/);
    const unknown = await server.data('mutation { activateProcessDefinition(id: "none:1:x") { id } }');
    assert.equal(unknown.activateProcessDefinition, null);
  });

  it('lists instances by every filter, newest start first, page by page', async () => {
    const others = new BpmServer();
    await others.open();
    await others.deploy(approval, 'approvals');
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      others.clock.set(Date.UTC(2026, 0, 15, 13 + n));
      ids.unshift(await others.start('approval', { businessKey: `order ${n % 2}` }));
    }
    await others.data('mutation ($id: ID!) { cancelProcessInstance(id: $id) }', { variables: { id: ids[0] } });
    await others.data('mutation ($id: ID!) { suspendProcessInstance(id: $id) { id } }', { variables: { id: ids[1] } });
    const list = async (args: string) => {
      const { processInstances } = await others.data(
        `{ processInstances(${args}) { edges { node { id } } totalCount } }`,
      );
      const found = processInstances.edges.map(({ node }: { node: { id: string } }) => ids.indexOf(node.id));
      assert.equal(processInstances.totalCount, found.length);
      return found;
    };
    assert.deepEqual(await list('first: 5000'), [0, 1, 2, 3, 4]);
    assert.deepEqual(await list('active: true'), [1, 2, 3, 4]);
    assert.deepEqual(await list('active: false'), [0]);
    assert.deepEqual(await list('suspended: true'), [1]);
    assert.deepEqual(await list('suspended: false, active: true'), [2, 3, 4]);
    assert.deepEqual(await list('businessKey: "order 1"'), [1, 3]);
    assert.deepEqual(await list('withIncidents: true'), []);
    assert.deepEqual(await list('startedAfter: "2026-01-15T15:00:00Z", startedBefore: "2026-01-15T16:00:00Z"'), [1, 2]);
    const seen: number[] = [];
    let after: string | null = null;
    for (;;) {
      const page = await others.data(
        'query ($after: String) { processInstances(first: 2, after: $after) { edges { node { id } cursor } pageInfo { hasNextPage endCursor } } }',
        { variables: { after } },
      );
      const { edges, pageInfo } = page.processInstances;
      seen.push(...edges.map(({ node }: { node: { id: string } }) => ids.indexOf(node.id)));
      after = pageInfo.endCursor;
      if (!pageInfo.hasNextPage) break;
    }
    assert.deepEqual(seen, [0, 1, 2, 3, 4]);
    const bad = await others.run('{ processInstances(after: "nonsense") { totalCount } }');
    assert.match(bad.errors[0] ?? '', /^BAD_REQUEST/);
    await others.close();
  });

  it('deletes a deployment: nobody sees its definitions any more', async () => {
    const { id } = await server.deploy(bpmn(line([], ''), { key: 'short' }), 'short');
    assert.deepEqual(await server.data('mutation ($id: ID!) { deleteDeployment(id: $id) }', { variables: { id } }), {
      deleteDeployment: true,
    });
    const { one, list } = await server.data(
      '{ one: processDefinition(key: "short") { id } list: processDefinitions(key: "short") { totalCount } }',
    );
    assert.deepEqual([one, list.totalCount], [null, 0]);
  });
});

interface Named {
  readonly name: string;
  readonly type: string;
  readonly value: unknown;
}

interface Visit {
  readonly activityId: string;
  readonly activityType: string;
  readonly endTime: string | null;
}

const versions = ({ edges }: { edges: { node: { version: number } }[] }): number[] =>
  edges.map(({ node }) => node.version);
