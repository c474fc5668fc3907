import assert from 'node:assert/strict';
import { bpmn, element, extended, flows, line, timer } from '../support/bpmn.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { restClient } from './support/rest-client.js';

const external = element('serviceTask', 'pay', { 'camunda:type': 'external', 'camunda:topic': 'charge' });
const CHARGE = bpmn(line(['pay'], external), {
  key: 'charge',
  attributes: 'camunda:versionTag="v1" camunda:historyTimeToLive="P30D"',
});
const ASK = bpmn(line(['say'], element('userTask', 'say', { name: 'Ask', 'camunda:assignee': 'ann' })), { key: 'ask' });

const loop =
  '<bpmn:multiInstanceLoopCharacteristics><bpmn:loopCardinality>2</bpmn:loopCardinality></bpmn:multiInstanceLoopCharacteristics>';
const FIELD = '<camunda:formData><camunda:formField id="price" type="long"/></camunda:formData>';
const STEPS = bpmn(
  line(
    ['do', 'hear', 'rest'],
    element(
      'userTask',
      'do',
      { 'camunda:candidateUsers': 'ann,bob', 'camunda:candidateGroups': 'g' },
      extended(FIELD),
    ) +
      element('receiveTask', 'hear') +
      element('intermediateCatchEvent', 'rest', {}, timer('duration', 'PT1H')),
  ),
  { key: 'steps' },
);

/** A task with events that catch an error and an escalation, which begins a sub-process and what waits for its job. */
const CAUGHT = bpmn(
  line(['pay'], element('userTask', 'pay', { name: 'Pay it' })) +
    '<bpmn:boundaryEvent id="no" attachedToRef="pay"><bpmn:errorEventDefinition errorRef="e"/></bpmn:boundaryEvent>' +
    '<bpmn:boundaryEvent id="late" attachedToRef="pay" cancelActivity="false"><bpmn:escalationEventDefinition escalationRef="s"/></bpmn:boundaryEvent>' +
    element('userTask', 'off') +
    element(
      'subProcess',
      'held',
      {},
      line(['many'], element('userTask', 'many', {}, loop)).replaceAll(/"(start|end)/g, '"i-$1'),
    ) +
    element('task', 'later', { 'camunda:asyncBefore': 'true' }) +
    flows('no', 'off') +
    flows('late', 'held') +
    flows('late', 'later'),
  { key: 'caught', root: '<bpmn:error id="e" errorCode="NO"/><bpmn:escalation id="s" escalationCode="LATE"/>' },
);

describe("Camunda's lists by REST", function () {
  this.timeout(60_000);
  let server: LiveServer;
  let first: { readonly id: string; readonly definitionId: string };
  const ask = restClient(() => server);
  const get = async (path: string, user = 'admin') => (await ask('GET', path, { user })).json;
  const start = async (key: string, body: object = {}) =>
    (await ask('POST', `/process-definition/key/${key}/start`, { body, user: 'admin' })).json;

  before(async () => {
    server = await liveServer({
      users: [{ userId: 'robot', roles: ['worker'] }, { userId: 'ann' }, { userId: 'bob' }],
    });
    const body = new FormData();
    body.append('deployment-name', 'lists');
    for (const [name, model] of [
      ['charge.bpmn', CHARGE],
      ['ask.bpmn', ASK],
      ['steps.bpmn', STEPS],
      ['caught.bpmn', CAUGHT],
    ] as const)
      body.append(name, new Blob([model]), name);
    const deployed = await ask('POST', '/deployment/create', { body, user: 'admin' });
    assert.equal(deployed.status, 200, deployed.text);
    first = await start('charge', { businessKey: 'k1', variables: { n: { value: 1, type: 'Long' } } });
    await start('charge', { businessKey: 'k2' });
    await start('ask', { businessKey: 'k3' });
  });
  after(() => server.remove());

  it('has deployments', async () => {
    const [deployed, ...more] = await get('/deployment?name=lists');
    assert.deepEqual(
      [deployed.links, deployed.name, deployed.source, deployed.tenantId, more],
      [[], 'lists', null, null, []],
    );
    assert.deepEqual(await get(`/deployment/${deployed.id}`), deployed);
    assert.deepEqual(await get('/deployment/count?nameLike=%25ist%25'), { count: 1 });
    const all = await get('/deployment');
    assert.deepEqual(await get('/deployment?firstResult=1&maxResults=1'), all.slice(1, 2));
    assert.deepEqual(await get('/deployment?sortBy=deploymentTime&sortOrder=desc'), all.toReversed());
    assert.deepEqual(await get('/deployment?firstResult=1000'), []);
  });

  it('has definitions, by id, by key and as XML', async () => {
    const definition = await get('/process-definition/key/charge');
    assert.deepEqual(
      [definition.id, definition.version, definition.versionTag, definition.historyTimeToLive, definition.resource],
      [first.definitionId, 1, 'v1', 30, 'charge.bpmn'],
    );
    assert.deepEqual(await get(`/process-definition/${definition.id}`), definition);
    assert.deepEqual(await get('/process-definition?key=charge&latestVersion=true'), [definition]);
    assert.deepEqual(await get('/process-definition?key=charge&version=2'), []);
    assert.deepEqual(await get('/process-definition/count?keysIn=charge,ask'), { count: 2 });
    const xml = await get('/process-definition/key/charge/xml');
    assert.deepEqual(xml, { id: definition.id, bpmn20Xml: CHARGE });
    assert.equal((await ask('GET', '/process-definition/key/none')).status, 404);
  });

  it('has running instances with their variables', async () => {
    const [instance] = await get('/process-instance?businessKey=k1');
    assert.deepEqual([instance.id, instance.ended, instance.suspended, instance.links], [first.id, false, false, []]);
    assert.deepEqual(await get(`/process-instance/${first.id}`), instance);
    assert.deepEqual(await get('/process-instance/count?processDefinitionKey=charge&active=true'), { count: 2 });
    assert.deepEqual(await get('/process-instance?suspended=true'), []);
    const { deploymentId } = await get('/process-definition/key/charge');
    assert.deepEqual(await get(`/process-instance/count?deploymentId=${deploymentId}`), { count: 3 });
    assert.deepEqual(await get('/process-instance/count?businessKeyLike=k%25'), { count: 3 });
    assert.deepEqual(await get('/process-instance/count?businessKeyLike=k%25&processDefinitionKeyNotIn=ask'), {
      count: 2,
    });
    assert.deepEqual(await get(`/process-instance/count?subProcessInstance=${first.id}`), { count: 0 });
    assert.deepEqual(await get('/process-instance/count?incidentId=none'), { count: 0 });
    const n = { type: 'Long', value: 1, valueInfo: {} };
    assert.deepEqual(await get(`/process-instance/${first.id}/variables`), { n });
    assert.deepEqual(await get(`/process-instance/${first.id}/variables/n`), n);
    assert.equal((await ask('GET', `/process-instance/${first.id}/variables/m`)).status, 404);
    assert.equal((await ask('GET', `/process-instance/${first.id}`, { user: 'ann' })).status, 404);
    assert.deepEqual(await get('/process-instance', 'ann'), []);
  });

  it('has tasks of workers', async () => {
    const tasks = await get('/external-task?topicName=charge&sortBy=createTime&sortOrder=asc', 'robot');
    const [task] = tasks;
    assert.deepEqual(
      [tasks.length, task.processInstanceId, task.businessKey, task.workerId, task.retries],
      [2, first.id, 'k1', null, null],
    );
    assert.ok(!('variables' in task) && !('createTime' in task));
    assert.deepEqual(await get(`/external-task/${task.id}`), task);
    assert.deepEqual(await get('/external-task/count?notLocked=true'), { count: 2 });
    assert.deepEqual(await get('/external-task/topic-names'), ['charge']);
    assert.deepEqual(await get('/external-task/topic-names?withLockedTasks=true&withRetriesLeft=false'), []);
    assert.deepEqual(await get('/external-task/topic-names', 'ann'), []);
    assert.equal((await ask('GET', '/external-task/topic-names?nonsense=true', { user: 'admin' })).status, 400);
    assert.deepEqual(await get('/external-task/count', 'ann'), { count: 0 });
    await ask('POST', `/external-task/${task.id}/lock`, { body: { workerId: 'w', lockDuration: 60_000 } });
    assert.equal((await ask('GET', `/external-task/${task.id}/errorDetails`)).status, 204);
    const failure = { workerId: 'w', retries: 0, errorMessage: 'away', errorDetails: 'trace' };
    await ask('POST', `/external-task/${task.id}/failure`, { body: failure });
    assert.deepEqual(await get('/external-task/count?noRetriesLeft=true'), { count: 1 });
    const details = await ask('GET', `/external-task/${task.id}/errorDetails`);
    assert.deepEqual([details.status, details.type, details.text], [200, 'text/plain', 'trace']);
    const retry = (user: string, retries = 2) =>
      ask('PUT', `/external-task/${task.id}/retries`, { body: { retries }, user });
    assert.equal((await retry('robot')).status, 403);
    assert.equal((await retry('admin')).status, 204);
    assert.equal((await get(`/external-task/${task.id}`)).retries, 2);
    assert.equal((await retry('admin', 0)).status, 204);
    assert.deepEqual(await get('/external-task/count?noRetriesLeft=true'), { count: 1 });
  });

  it('has tasks of users', async () => {
    const [task, ...more] = await get('/task?processDefinitionKey=ask', 'ann');
    assert.deepEqual(
      [task.name, task.assignee, task.taskDefinitionKey, task.priority, task.taskState, task.suspended, more],
      ['Ask', 'ann', 'say', 50, 'Created', false, []],
    );
    assert.match(task.created, /\+0000$/);
    assert.deepEqual(await get(`/task/${task.id}`, 'ann'), task);
    assert.deepEqual(await get('/task/count?assignee=ann', 'ann'), { count: 1 });
    assert.deepEqual(await get('/task/count?unassigned=true', 'ann'), { count: 0 });
    assert.equal((await ask('GET', `/task/${task.id}`, { user: 'robot' })).status, 404);
  });

  /** Does it; answers what is wrong with it, or nothing. */
  const does = async (method: string, path: string, body: unknown = {}, user = 'admin') => {
    const { status, json } = await ask(method, path, { ...(/^P/.test(method) && { body }), user });
    return status === 204 ? undefined : `${status} ${json?.type}: ${json?.message}`;
  };

  it('takes what is asked for in a body', async () => {
    const found = async (path: string, body: object) => (await ask('POST', path, { body, user: 'admin' })).json;
    const sorting = [{ sortBy: 'businessKey', sortOrder: 'desc' }];
    const asked = { processDefinitionKeyIn: ['charge', 'ask'], active: true, businessKey: null };
    const keys = (await found('/process-instance?maxResults=2', { ...asked, sorting })).map(
      ({ businessKey }: { readonly businessKey: string }) => businessKey,
    );
    assert.deepEqual(keys, ['k3', 'k2']);
    assert.deepEqual(await found('/process-instance/count', asked), { count: 3 });
    assert.match((await found('/task', { orQueries: [{ nonsense: 1 }] })).message, /but found 'nonsense'$/);
    assert.match((await found('/task', { name: { like: 'x' } })).message, /as 'name'/);
  });

  it('looks for variables', async () => {
    const begun = async (n: number, s: string) =>
      (await start('ask', { businessKey: `v${n}`, variables: { n: { value: n }, s: { value: s } } })).id;
    const ids = [await begun(1, 'One'), await begun(2, 'two'), await begun(3, 'one%')];
    const found = async (path: string, body: object) =>
      (await ask('POST', path, { body, user: 'admin' })).json.map(({ id }: { readonly id: string }) => ids.indexOf(id));
    const by = (operator: string, value: unknown, name = 'n') => ({ variables: [{ name, operator, value }] });
    assert.deepEqual(await found('/process-instance', by('gteq', 2)), [1, 2]);
    // One that is no one of these has the variable, too.
    assert.deepEqual(await found('/process-instance?firstResult=1&maxResults=2', by('neq', 7)), [0, 1]);
    assert.deepEqual(await found('/process-instance', by('eq', '2')), []);
    assert.deepEqual(await found('/process-instance', { ...by('eq', 'ONE', 'S'), variableNamesIgnoreCase: true }), []);
    const anyCase = { variableNamesIgnoreCase: true, variableValuesIgnoreCase: true };
    assert.deepEqual(await found('/history/process-instance', { ...by('like', 'ONE%', 'S'), ...anyCase }), [0, 2]);
    assert.deepEqual(await get('/process-instance/count?variables=s_like_%25o%25'), { count: 2 });
    assert.deepEqual(await get('/process-instance/count?variables=s_notLike_%25o%25,s_neq_x'), { count: 1 });
    const [task] = await get('/task?processVariables=s_eq_two');
    assert.equal(task.processInstanceId, ids[1]);
    assert.equal(await does('PUT', `/task/${task.id}/localVariables/own`, { value: true }), undefined);
    const own = { taskVariables: [{ name: 'own', operator: 'eq', value: true }] };
    const { json } = await ask('POST', '/task', { body: own, user: 'admin' });
    assert.deepEqual(
      json.map((each: { readonly id: string }) => each.id),
      [task.id],
    );
    assert.match((await does('POST', '/process-instance', by('is', 1))) ?? '', /^400 .*one of eq, neq/);
    assert.match((await does('GET', '/process-instance?variables=s')) ?? '', /^400 .*name_operator_value/);
  });

  it('lets people work on tasks', async () => {
    const { id } = await start('steps', { businessKey: 's1' });
    const [{ id: taskId }] = await get(`/task?processInstanceId=${id}`);
    const path = `/task/${taskId}`;
    const assignee = async () => (await get(path)).assignee;
    assert.equal(await does('POST', `${path}/claim`, { userId: 'ann' }, 'ann'), undefined);
    assert.equal(await assignee(), 'ann');
    assert.match(
      (await does('POST', `${path}/claim`, { userId: 'bob' })) ?? '',
      /^500 ProcessEngineException: .*'ann'$/,
    );
    assert.equal(await does('POST', `${path}/unclaim`, undefined, 'ann'), undefined);
    assert.equal(await does('POST', `${path}/claim`, { userId: 'bob' }), undefined);
    assert.equal(await assignee(), 'bob');
    assert.equal(await does('POST', `${path}/assignee`, { userId: 'ann' }), undefined);
    assert.equal(await does('POST', `${path}/delegate`, { userId: 'bob' }, 'ann'), undefined);
    assert.match((await does('POST', `${path}/complete`, {}, 'bob')) ?? '', /^500 .*it is delegated to 'bob'$/);
    const links = (await get(`${path}/identity-links`)).map((link: object) => Object.values(link).join());
    assert.deepEqual(links, ['bob,,assignee', 'ann,,owner', 'ann,,candidate', 'bob,,candidate', ',g,candidate']);
    assert.match(
      (await does('POST', `${path}/submit-form`, { variables: { price: { value: 'x' } } }, 'bob')) ?? '',
      /^400/,
    );
    assert.equal(await does('POST', `${path}/submit-form`, { variables: { price: { value: '7' } } }, 'bob'), undefined);
    const { delegationState, owner } = await get(path);
    assert.deepEqual([delegationState, owner, await assignee()], ['RESOLVED', 'ann', 'ann']);
    const price = { type: 'Long', value: 7, valueInfo: {} };
    assert.deepEqual(await get(`${path}/variables`), { price });
    assert.equal(await does('PUT', `${path}/localVariables/own`, { value: 1 }, 'ann'), undefined);
    assert.equal(
      await does('POST', `${path}/variables`, { modifications: { seen: { value: true } } }, 'ann'),
      undefined,
    );
    assert.deepEqual(Object.keys(await get(`${path}/variables`)).sort(), ['own', 'price', 'seen']);
    assert.deepEqual(Object.keys(await get(`${path}/localVariables`)), ['own']);
    const more = { modifications: { seen: { value: false }, other: { value: 1 } }, deletions: ['seen'] };
    assert.equal(await does('POST', `${path}/variables`, more, 'ann'), undefined);
    assert.equal(await does('DELETE', `${path}/variables/other`, undefined, 'ann'), undefined);
    assert.equal(await does('DELETE', `${path}/localVariables/own`, undefined, 'ann'), undefined);
    assert.deepEqual(Object.keys(await get(`${path}/variables`)), ['price']);
    assert.equal(await does('PUT', `${path}/localVariables/own`, { value: 1 }, 'ann'), undefined);
    assert.equal(await does('PUT', `${path}/variables/seen`, { value: true }, 'ann'), undefined);
    assert.deepEqual(await get(`${path}/variables/price`), price);
    const comment = await ask('POST', `${path}/comment/create`, { body: { message: 'Dear.' }, user: 'ann' });
    assert.deepEqual([comment.json.userId, comment.json.message, comment.json.taskId], ['ann', 'Dear.', taskId]);
    const done = { variables: {}, withVariablesInReturn: true };
    const { json } = await ask('POST', `${path}/submit-form`, { body: done, user: 'ann' });
    assert.deepEqual(Object.keys(json).sort(), ['price', 'seen']);
  });

  it('lets people change tasks, and tell what the model catches', async () => {
    const { id } = await start('caught');
    const [{ id: taskId }] = await get(`/task?processInstanceId=${id}&name=PAY%20it`);
    const path = `/task/${taskId}`;
    const due = '2040-01-31T08:00:00.000+0000';
    assert.equal(await does('PUT', path, { name: 'Pay', priority: 3, due, assignee: 'ann' }), undefined);
    const { name, priority, assignee, description, ...changed } = await get(path);
    assert.deepEqual([name, priority, assignee, description, changed.due], ['Pay', 3, 'ann', null, due]);
    assert.match((await does('PUT', path, { delegationState: 'PENDING' })) ?? '', /^400 .*delegate and resolve/);
    assert.equal(await does('POST', `${path}/identity-links`, { groupId: 'g', type: 'candidate' }), undefined);
    assert.equal(await does('POST', `${path}/identity-links`, { userId: 'bob', type: 'owner' }), undefined);
    const links = async () => (await get(`${path}/identity-links`)).map((link: object) => Object.values(link).join());
    assert.deepEqual(await links(), ['ann,,assignee', 'bob,,owner', ',g,candidate']);
    assert.equal(await does('POST', `${path}/identity-links/delete`, { groupId: 'g', type: 'candidate' }), undefined);
    assert.deepEqual(await links(), ['ann,,assignee', 'bob,,owner']);
    assert.match((await does('POST', `${path}/identity-links`, { type: 'candidate' })) ?? '', /^400 .*not both/);
    await ask('POST', `${path}/comment/create`, { body: { message: 'One.' }, user: 'ann' });
    assert.deepEqual(
      (await get(`${path}/comment`)).map((each: { message: string }) => each.message),
      ['One.'],
    );
    const variables = { n: { value: 1 } };
    const escalation = (escalationCode: string) =>
      does('POST', `${path}/bpmnEscalation`, { escalationCode, variables }, 'ann');
    assert.match((await escalation('OTHER')) ?? '', /^500 .*escalation 'OTHER' to be caught/);
    assert.equal(await escalation('LATE'), undefined);
    const tree = await get(`/process-instance/${id}/activity-instances`);
    type Node = { activityId: string; activityType: string; childActivityInstances: readonly Node[] };
    const shown = ({ activityId, activityType, childActivityInstances }: Node): unknown[] => [
      ...[activityId, activityType],
      ...childActivityInstances.map(shown),
    ];
    const [root, type, ...within] = shown(tree);
    assert.deepEqual(
      [tree.id, root, type, tree.executionIds],
      [id, tree.processDefinitionId, 'processDefinition', [id]],
    );
    assert.deepEqual(within.sort(), [
      [
        'held',
        'subProcess',
        ['many#multiInstanceBody', 'multiInstanceBody', ['many', 'userTask'], ['many', 'userTask']],
      ],
      ['pay', 'userTask'],
    ]);
    const [later] = tree.childTransitionInstances;
    assert.deepEqual([later.activityId, later.parentActivityInstanceId], ['later', id]);
    assert.equal(await does('POST', `${path}/bpmnError`, { errorCode: 'NO', variables }, 'ann'), undefined);
    assert.deepEqual((await does('GET', path))?.slice(0, 3), '404');
    const [{ taskDefinitionKey }] = await get(`/task?processInstanceId=${id}&taskDefinitionKey=off`);
    assert.equal(taskDefinitionKey, 'off');
  });

  it('signals executions, and lets operators work on jobs, incidents and instances', async () => {
    const [{ id }] = await get('/process-instance?businessKey=s1');
    const [waits] = await get(`/event-subscription?processInstanceId=${id}`);
    assert.deepEqual([waits.eventType, waits.activityId, waits.processInstanceId], ['message', 'hear', id]);
    assert.deepEqual(await get('/event-subscription/count?eventName=hear'), { count: 1 });
    const heard = { variables: { heard: { value: 1 } } };
    assert.match((await does('POST', `/execution/${id}:999/signal`, heard)) ?? '', /^500 .*but found 0$/);
    assert.match(
      (await does('POST', `/execution/${waits.executionId}/messageSubscriptions/none/trigger`)) ?? '',
      /^400/,
    );
    assert.equal(await does('POST', `/execution/${waits.executionId}/signal`, heard, 'robot'), undefined);
    const [job, ...more] = await get(`/job?processInstanceId=${id}&timers=true`);
    assert.deepEqual([job.retries, job.suspended, job.exceptionMessage, more], [3, false, null, []]);
    assert.deepEqual(await get(`/job/${job.id}`), job);
    const duedate = '2040-01-31T08:00:00.000+0000';
    assert.equal(await does('PUT', `/job/${job.id}/duedate`, { duedate }), undefined);
    assert.equal((await get(`/job/${job.id}`)).dueDate, duedate);
    assert.match((await does('PUT', `/job/${job.id}/duedate`, { duedate: 'soon' })) ?? '', /^400 .*a date such as/);
    assert.equal(await does('PUT', `/job/${job.id}/retries`, { retries: 0 }), undefined);
    const [incident] = await get(`/incident?processInstanceId=${id}`);
    assert.deepEqual(
      [incident.incidentType, incident.configuration, incident.failedActivityId, incident.causeIncidentId],
      ['failedJob', job.id, 'rest', incident.id],
    );
    assert.equal(await does('PUT', `/incident/${incident.id}/annotation`, { annotation: 'mine' }), undefined);
    assert.equal((await get(`/incident/${incident.id}`)).annotation, 'mine');
    assert.match((await does('DELETE', `/incident/${incident.id}`)) ?? '', /^400/);
    assert.deepEqual(await get('/job/count?noRetriesLeft=true'), { count: 1 });
    assert.equal(await does('PUT', `/process-instance/${id}/suspended`, { suspended: true }), undefined);
    assert.deepEqual(await get(`/job/count?processInstanceId=${id}&suspended=true`), { count: 0 }, 'a dead one');
    assert.equal(await does('PUT', `/process-instance/${id}/suspended`, { suspended: false }), undefined);
    const again = {
      instructions: [
        { type: 'startBeforeActivity', activityId: 'do' },
        { type: 'cancel', activityId: 'do' },
      ],
    };
    assert.equal(await does('POST', `/process-instance/${id}/modification`, again), undefined);
    assert.equal(await does('PUT', `/process-instance/${id}/variables/more`, { value: 2, type: 'Short' }), undefined);
    assert.equal(await does('DELETE', `/process-instance/${id}/variables/seen`), undefined);
    assert.deepEqual(Object.keys(await get(`/process-instance/${id}/variables`)).sort(), ['heard', 'more', 'price']);
    assert.equal(await does('POST', '/signal', { name: 'nobody waits' }), undefined);
    assert.match((await does('GET', '/job/none')) ?? '', /^404/);
    assert.equal(await does('POST', `/job/${job.id}/execute`), undefined);
    assert.deepEqual(await get(`/incident/count?processInstanceId=${id}`), { count: 0 });
  });

  it('has what has happened', async () => {
    const [ended, ...more] = await get('/history/process-instance?processInstanceBusinessKey=s1&finished=true');
    assert.deepEqual(
      [ended.state, ended.processDefinitionVersion, ended.startUserId, more],
      ['COMPLETED', 1, 'admin', []],
    );
    assert.equal(ended.durationInMillis >= 0, true);
    assert.deepEqual(await get(`/history/process-instance/${ended.id}`), ended);
    const { id } = await start('steps', { businessKey: 's2' });
    assert.match((await does('DELETE', `/process-instance/${id}`, undefined, 'bob')) ?? '', /^404/);
    assert.equal(await does('DELETE', `/process-instance/${id}`), undefined);
    assert.match((await does('DELETE', `/process-instance/${id}`)) ?? '', /^404/);
    const since = encodeURIComponent(ended.startTime);
    const counted = `/history/process-instance/count?startedAfter=${since}&externallyTerminated=true`;
    assert.deepEqual(await get(counted), { count: 1 });
    const activities = await get(`/history/activity-instance?processInstanceId=${ended.id}&finished=true`);
    const begun = activities.map(({ activityId }: { readonly activityId: string }) => activityId);
    assert.deepEqual(begun, ['start', 'do', 'hear', 'rest', 'do', 'end']);
    const canceled = await get(`/history/activity-instance?processInstanceId=${ended.id}&canceled=true`);
    assert.deepEqual([canceled.length, canceled[0].activityType], [1, 'userTask']);
    const [more2] = await get(`/history/variable-instance?processInstanceId=${ended.id}&variableName=more`);
    assert.deepEqual([more2.name, more2.type, more2.value], ['more', 'Short', 2]);
    assert.match((await does('GET', '/history/activity-instance')) ?? '', /^400 .*processInstanceId/);
  });

  it('says what of a query it does not know', async () => {
    const wrong = async (path: string) => {
      const { status, json } = await ask('GET', path, { user: 'admin' });
      assert.deepEqual([status, json.type, json.code], [400, 'InvalidRequestException', null], path);
      return json.message;
    };
    assert.match(await wrong('/task?nonsense=1'), /^expected one of taskId, .* but found 'nonsense'$/);
    await wrong('/task?maxResults=-1');
    await wrong('/task?sortBy=name');
    await wrong('/task?sortBy=nonsense&sortOrder=asc');
    await wrong('/task?sortBy=name&sortOrder=up');
    await wrong('/task?unassigned=perhaps');
    await wrong('/task?priority=high');
  });

  it('finds texts by patterns, wherever the percent sign stands', async () => {
    const found = async (path: string) => (await get(path)).map(({ key }: { key: string }) => key).sort();
    assert.deepEqual(await found('/process-definition?keyLike=c%25'), ['caught', 'charge', 'claim-settlement']);
    assert.deepEqual(await found('/process-definition?keyLike=%25ep%25'), ['steps']);
    assert.deepEqual(await found('/process-definition?keyLike=%25e'), ['charge']);
    assert.deepEqual(await found('/process-definition?keyLike=c%25g%25'), ['caught', 'charge']);
    assert.deepEqual(await found('/process-definition?keyLike=_s_'), ['ask']);
    assert.deepEqual(await found('/process-definition?keyLike=ask'), ['ask']);
    assert.deepEqual(await found('/process-definition?keyLike=C%25'), []);
    assert.notDeepEqual(await get('/task?nameLike=a%25'), []);
    assert.notDeepEqual(await get('/task?assigneeLike=a%25&taskDefinitionKeyLike=s%25'), []);
    assert.deepEqual(await get('/task?assigneeLike=a%25&taskDefinitionKeyNotIn=say'), []);
  });

  it('has all of a long list, and any part of it', async () => {
    const body = new FormData();
    body.append('deployment-name', 'crowd');
    const many = loop.replace('>2<', '>2100<');
    const crowd = bpmn(line(['one'], element('userTask', 'one', {}, many)), { key: 'crowd' });
    body.append('crowd.bpmn', new Blob([crowd]), 'crowd.bpmn');
    await ask('POST', '/deployment/create', { body, user: 'admin' });
    await start('crowd');
    const tasks = async (page: string): Promise<string[]> =>
      (await get(`/task?processDefinitionKey=crowd&sortBy=created&sortOrder=asc${page}`)).map(
        ({ id }: { id: string }) => id,
      );
    const all = await tasks('');
    assert.equal(new Set(all).size, 2100);
    assert.deepEqual(await tasks('&maxResults=2147483647'), all);
    assert.deepEqual(await tasks('&firstResult=7&maxResults=1500'), all.slice(7, 1507));
    assert.deepEqual(await tasks('&firstResult=2099'), all.slice(2099));
    assert.deepEqual(await tasks('&maxResults=0'), []);
  });
});
