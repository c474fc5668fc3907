import assert from 'node:assert/strict';
import { bpmn, element, extended, flows, line } from '../support/bpmn.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { endOf } from './support/jobs.js';
import { restClient } from './support/rest-client.js';

const FIELDS =
  '<camunda:formData><camunda:formField id="price" type="long" defaultValue="5"/><camunda:formField id="who" type="string"/></camunda:formData>';
const WORK =
  element('startEvent', 'start', {}, extended(FIELDS)) +
  element('userTask', 'check', {
    name: 'Check',
    'camunda:candidateGroups': 'sales',
    'camunda:dueDate': '2040-01-31T08:00:00Z',
  });
const trip = (more: string, ...way: string[]) =>
  bpmn(`${WORK}${more}${element('endEvent', 'end')}${flows('start', 'check', ...way, 'end')}`, { key: 'trip' });
const FIRST = trip(element('userTask', 'pay'), 'pay');
const SECOND = trip(element('userTask', 'more') + element('userTask', 'pay'), 'more', 'pay');
const FORM = JSON.stringify({ type: 'default', id: 'asked', components: [{ type: 'textfield', key: 'name' }] });
const ASKED = bpmn(
  line(['ask'], element('userTask', 'ask', { 'camunda:formRef': 'asked', 'camunda:formRefBinding': 'latest' })),
  { key: 'asked' },
);
const DISH = `<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" id="d" name="d" namespace="n">
<decision id="dish" name="Dish"><decisionTable id="t" hitPolicy="COLLECT"><input id="i" label="Guests"><inputExpression id="e" typeRef="integer"><text>guests</text></inputExpression></input><output id="o" name="dish" typeRef="string"/>
<rule id="r1"><inputEntry id="a1"><text>&lt;= 8</text></inputEntry><outputEntry id="b1"><text>"Ribs"</text></outputEntry></rule>
<rule id="r2"><inputEntry id="a2"><text>-</text></inputEntry><outputEntry id="b2"><text>"Stew"</text></outputEntry></rule></decisionTable></decision></definitions>`;

type Named = { readonly id: string; readonly name: string };
const names = (all: readonly Named[]) => all.map(({ name }) => name);

describe("What else Camunda's clients ask for by REST", function () {
  this.timeout(60_000);
  let server: LiveServer;
  let deployment: string;
  let definition: string;
  const ask = restClient(() => server);
  const get = async (path: string, user = 'admin') => (await ask('GET', path, { user })).json;
  const post = async (path: string, body: object = {}) => (await ask('POST', path, { body, user: 'admin' })).json;
  const does = async (method: string, path: string, body?: unknown, user = 'admin') => {
    const { status, json } = await ask(method, path, { body, user });
    return status === 204 ? undefined : `${status} ${json?.type}: ${json?.message}`;
  };
  const deploy = async (files: Readonly<Record<string, string>>) => {
    const body = new FormData();
    for (const [name, content] of Object.entries(files)) body.append(name, new Blob([content]), name);
    const { status, json, text } = await ask('POST', '/deployment/create', { body, user: 'admin' });
    assert.equal(status, 200, text);
    return json;
  };
  const start = (key: string, body: object = {}) => post(`/process-definition/key/${key}/start`, body);
  const active = async (id: string) => (await get(`/task?processInstanceId=${id}`)).map(taskKey).sort();
  const taskKey = ({ taskDefinitionKey }: { readonly taskDefinitionKey: string }) => taskDefinitionKey;

  before(async () => {
    server = await liveServer({ users: [{ userId: 'robot', roles: ['worker'] }, { userId: 'ann' }] });
    const first = await deploy({ 'trip.bpmn': FIRST, 'asked.bpmn': ASKED, 'asked.form': FORM, 'dish.dmn': DISH });
    deployment = first.id;
    definition = (await get('/process-definition/key/trip')).id;
  });
  after(() => server.remove());

  it('evaluates decisions, and tells what was decided', async () => {
    const [{ id }, ...more] = await get('/decision-definition?key=dish&latestVersion=true');
    assert.deepEqual([(await get('/decision-definition/key/dish')).id, more], [id, []]);
    assert.deepEqual(await get(`/decision-definition/${id}/xml`), { id, dmnXml: DISH });
    const dish = (value: string) => ({ dish: { type: 'String', value, valueInfo: {} } });
    const guests = (value: unknown) => ({ variables: { guests: { value, type: 'Integer' } } });
    assert.deepEqual(await post('/decision-definition/key/dish/evaluate', guests(4)), [dish('Ribs'), dish('Stew')]);
    assert.deepEqual(await post(`/decision-definition/${id}/evaluate`, guests(9)), [dish('Stew')]);
    assert.match((await does('POST', '/decision-definition/key/dish/evaluate', guests('x'))) ?? '', /^400 .*guests/);
    const none = await ask('POST', '/decision-definition/key/none/evaluate', { body: {}, user: 'admin' });
    assert.deepEqual([none.status, none.json.type, none.json.code], [404, 'RestException', null]);
    const [last] = await get(
      '/history/decision-instance?decisionDefinitionKey=dish&includeInputs=true&includeOutputs=true&sortBy=evaluationTime&sortOrder=desc',
    );
    assert.deepEqual([last.inputs[0].clauseName, last.inputs[0].value, last.outputs[0].ruleId], ['Guests', 9, 'r2']);
    assert.deepEqual(await get('/history/decision-instance/count?decisionDefinitionKey=dish'), { count: 2 });
    assert.equal((await get(`/history/decision-instance/${last.id}`)).inputs, null);
  });

  it('shows and takes forms', async () => {
    const variables = {
      price: { type: 'Long', value: 5, valueInfo: {} },
      who: { type: 'String', value: null, valueInfo: {} },
    };
    assert.deepEqual(await get('/process-definition/key/trip/form-variables'), variables);
    assert.deepEqual(await get(`/process-definition/${definition}/form-variables?variableNames=who`), {
      who: variables.who,
    });
    const price = (value: unknown) => ({ variables: { price: { value } } });
    const wrong = await does('POST', '/process-definition/key/trip/submit-form', price('x'));
    assert.match(wrong ?? '', /^400 .*form field 'price'/);
    const { id } = await post('/process-definition/key/trip/submit-form', price('7'));
    const [{ id: taskId }] = await get(`/task?processInstanceId=${id}`);
    assert.equal((await get(`/task/${taskId}/form-variables`)).price.value, 7);
    const asked = await start('asked');
    const [{ id: askedTask }] = await get(`/task?processInstanceId=${asked.id}`);
    assert.deepEqual((await get(`/task/${askedTask}/form`)).camundaFormRef, {
      key: 'asked',
      binding: 'version',
      version: 1,
    });
    assert.equal((await get(`/task/${askedTask}/deployed-form`)).id, 'asked');
    assert.match((await does('GET', '/process-definition/key/trip/deployed-start-form')) ?? '', /^400/);
  });

  it('finds variables of all scopes, while an instance runs and when it has ended', async () => {
    const { id } = await start('trip', { variables: { b: { value: 2, type: 'Integer' }, a: { value: 'x' } } });
    const [{ id: taskId }] = await get(`/task?processInstanceId=${id}`);
    await does('PUT', `/task/${taskId}/localVariables/own`, { value: true });
    const path = `/variable-instance?processInstanceIdIn=${id}&sortBy=variableName&sortOrder=asc`;
    const all = await get(path);
    assert.deepEqual(names(all), ['a', 'b', 'own']);
    assert.deepEqual([all[2].taskId, all[0].taskId, all[0].activityInstanceId], [taskId, null, id]);
    assert.deepEqual(await get(`/variable-instance/${encodeURIComponent(all[1].id)}`), all[1]);
    assert.deepEqual(names(await get(`${path}&firstResult=1&maxResults=1`)), ['b']);
    assert.deepEqual(names(await post('/variable-instance', { taskIdIn: [taskId] })), ['own']);
    assert.deepEqual(await get(`/variable-instance/count?processInstanceIdIn=${id}&variableNameLike=%25w%25`), {
      count: 1,
    });
    assert.match((await does('GET', '/variable-instance')) ?? '', /^400 .*processInstanceIdIn/);
    assert.match((await does('GET', `${path}&nonsense=1`)) ?? '', /^400 .*but found 'nonsense'/);
    assert.match(
      (await does('GET', path.replace(/\?.*/, `?processInstanceIdIn=${id}`), undefined, 'ann')) ?? '',
      /^404/,
    );
    assert.equal(await does('DELETE', `/process-instance/${id}`), undefined);
    assert.deepEqual(await get(path), []);
    const ended = await get(`/history/variable-instance?processInstanceId=${id}&variableTypeIn=integer`);
    assert.deepEqual([names(ended), ended[0].value], [['b'], 2]);
    const [check, ...more] = await get(`/history/task?processInstanceId=${id}&finished=true`);
    assert.deepEqual(
      [check.id, check.name, check.deleteReason, check.taskState, more],
      [taskId, 'Check', 'deleted', 'Deleted', []],
    );
    assert.deepEqual(await get(`/history/activity-instance/count?processInstanceId=${id}&activityType=userTask`), {
      count: 1,
    });
    const [activity] = await get(
      `/history/activity-instance?processInstanceId=${id}&sortBy=activityId&sortOrder=asc&maxResults=1`,
    );
    assert.equal(activity.activityId, 'check');
    assert.deepEqual(await get(`/history/activity-instance/${encodeURIComponent(activity.id)}`), activity);
    assert.equal((await get(`/history/process-instance/${id}`)).rootProcessInstanceId, id);
  });

  it('finds tasks as tasklists do', async () => {
    const { id } = await start('trip', { businessKey: 'list-1' });
    const count = async (query: string) => (await get(`/task/count?processInstanceId=${id}&${query}`)).count;
    assert.equal(await count('processInstanceBusinessKey=list-1&active=true'), 1);
    assert.equal(await count('processInstanceBusinessKey=other'), 0);
    assert.equal(await count('candidateGroup=sales'), 1);
    assert.equal(await count('candidateGroups=buying,sales'), 1);
    assert.equal(await count('candidateUser=ann'), 0);
    assert.equal(await count('dueAfter=2040-01-30T00:00:00.000%2B0000&dueBefore=2040-02-01T00:00:00.000%2B0000'), 1);
    assert.equal(await count('withoutDueDate=true'), 0);
    assert.equal(await count('createdBefore=2020-01-01T00:00:00.000%2B0000'), 0);
    const either = { processInstanceId: id, orQueries: [{ name: 'check', assignee: 'nobody' }] };
    assert.deepEqual(names(await post('/task', either)), ['Check']);
    assert.deepEqual(await post('/task', { ...either, orQueries: [{ assignee: 'nobody' }] }), []);
    const [{ id: taskId }] = await get(`/task?processInstanceId=${id}`);
    await does('POST', `/task/${taskId}/claim`, { userId: 'ann' });
    assert.equal(await count('candidateGroup=sales'), 0);
    assert.equal(await count('candidateGroup=sales&includeAssignedTasks=true'), 1);
    assert.equal(await count('involvedUser=ann'), 1);
    assert.equal(
      await does('PUT', '/process-instance/suspended', { processInstanceIds: [id], suspended: true }),
      undefined,
    );
    assert.deepEqual([await count('active=true'), await count('suspended=true')], [0, 1]);
    assert.equal(
      await does('PUT', '/process-instance/suspended', { processInstanceIds: [id], suspended: false }),
      undefined,
    );
    assert.deepEqual((await get('/identity/groups?userId=ann', 'ann')).groups, [{ id: 'everyone', name: 'everyone' }]);
    assert.equal((await get('/user/ann/profile', 'ann')).id, 'ann');
    assert.match((await does('GET', '/identity/groups?userId=admin', undefined, 'ann')) ?? '', /^404/);
  });

  it('takes what generated clients send: each flag as false, and as many as there are', async () => {
    const { id } = await start('trip', { businessKey: 'flags' });
    const flags = {
      active: true,
      suspended: false,
      leafProcessInstances: false,
      processDefinitionWithoutTenantId: false,
    };
    const all = await post('/process-instance?firstResult=0&maxResults=2147483647', { businessKey: 'flags', ...flags });
    assert.deepEqual([all.length, all[0].id], [1, id]);
    const path = `/history/task?processInstanceId=${id}&withoutTaskDueDate=false&maxResults=2147483647`;
    assert.equal((await get(path)).length, 1);
    const definitions = await get(
      '/process-definition?key=trip&startablePermissionCheck=false&includeProcessDefinitionsWithoutTenantId=true&latestVersion=true',
    );
    assert.equal(definitions.length, 1);
    assert.match((await does('GET', '/process-definition?startablePermissionCheck=true')) ?? '', /^400 .*startable/);
    const [{ executionId }] = await get(`/task?processInstanceId=${id}`);
    const executions = await post('/execution', { processInstanceId: id });
    assert.deepEqual(
      executions.map((each: Named) => each.id),
      [id, executionId],
    );
    assert.deepEqual(await get(`/execution/count?processInstanceId=${id}&activityId=check`), { count: 1 });
    assert.equal(await does('PUT', `/execution/${id}/localVariables/n`, { value: 3 }), undefined);
    assert.equal((await get(`/execution/${id}/localVariables/n`)).value, 3);
    assert.equal(await does('DELETE', `/execution/${id}/localVariables/n`), undefined);
    assert.deepEqual(await get(`/execution/${id}/localVariables`), {});
    assert.equal(await does('PUT', `/execution/${executionId}/localVariables/own`, { value: 1 }), undefined);
    const more = { modifications: { other: { value: true } }, deletions: ['own', 'none'] };
    assert.equal(await does('POST', `/execution/${executionId}/localVariables`, more), undefined);
    assert.deepEqual(Object.keys(await get(`/execution/${executionId}/localVariables`)), ['other']);
    assert.equal(await does('DELETE', `/execution/${executionId}/localVariables/other`), undefined);
    assert.deepEqual(await get(`/execution/${executionId}/localVariables`), {});
    assert.match((await does('PUT', `/execution/${id}:77/localVariables/own`, { value: 1 })) ?? '', /^404 .*:77'/);
  });

  it('modifies, restarts and migrates many, within the request and as batches', async () => {
    const [a, b] = [
      (await start('trip', { businessKey: 'many' })).id,
      (await start('trip', { businessKey: 'many' })).id,
    ];
    const to = (activityId: string, from: string) => ({
      instructions: [
        { type: 'startBeforeActivity', activityId },
        { type: 'cancel', activityId: from },
      ],
    });
    assert.equal(
      await does('POST', '/modification/execute', { processInstanceIds: [a, b], ...to('pay', 'check') }),
      undefined,
    );
    assert.deepEqual([await active(a), await active(b)], [['pay'], ['pay']]);
    const batch = await post('/modification/executeAsync', {
      processInstanceQuery: { businessKey: 'many' },
      ...to('check', 'pay'),
    });
    assert.deepEqual([batch.type, batch.createUserId, batch.suspended], ['instance-modification', 'admin', false]);
    await endOf(server.as('admin'), batch.id);
    assert.deepEqual([await active(a), await active(b)], [['check'], ['check']]);
    const again = {
      instructions: [
        { type: 'startBeforeActivity', activityId: 'check' },
        { type: 'cancel', activityId: 'check', cancelCurrentActiveActivityInstances: true },
      ],
    };
    assert.equal(await does('POST', '/modification/execute', { processInstanceIds: [a], ...again }), undefined);
    assert.deepEqual(await active(a), ['check']);
    const ended = await get(`/history/batch/${batch.id}`);
    assert.deepEqual([ended.totalJobs, typeof ended.endTime], [2, 'string']);
    assert.match((await does('GET', `/batch/${batch.id}`)) ?? '', /^404/);
    assert.match((await does('GET', `/history/batch/${batch.id}`, undefined, 'ann')) ?? '', /^404/);
    await deploy({ 'trip.bpmn': SECOND });
    const target = (await get('/process-definition/key/trip')).id;
    const plan = await post('/migration/generate', {
      sourceProcessDefinitionId: definition,
      targetProcessDefinitionId: target,
    });
    const sources = plan.instructions.flatMap(
      (each: { readonly sourceActivityIds: string[] }) => each.sourceActivityIds,
    );
    assert.deepEqual([sources.sort(), plan.variables], [['check', 'pay'], null]);
    assert.deepEqual(await post('/migration/validate', plan), { instructionReports: [], variableReports: {} });
    const broken = { ...plan, instructions: [{ sourceActivityIds: ['check'], targetActivityIds: ['none'] }] };
    const [{ instruction, failures }] = (await post('/migration/validate', broken)).instructionReports;
    assert.deepEqual([instruction.targetActivityIds, failures.length], [['none'], 1]);
    const migrate = (migrationPlan: object) =>
      does('POST', '/migration/execute', { migrationPlan, processInstanceIds: [a, b] });
    assert.match((await migrate(broken)) ?? '', /^400 MigrationPlanValidationException: .*'none'/);
    const [, pay] = plan.instructions;
    assert.match((await migrate({ ...plan, instructions: [pay] })) ?? '', /^400 Migrating\w+: .*'check'/);
    assert.equal(await migrate(plan), undefined);
    const definitionOf = async (id: string) => (await get(`/process-instance/${id}`)).definitionId;
    assert.deepEqual([await definitionOf(a), await definitionOf(b)], [target, target]);
    const happened = await get(`/history/activity-instance?processInstanceId=${a}&sortBy=startTime&sortOrder=asc`);
    const ran = (isOver: boolean) =>
      new Set(
        happened.flatMap((each: { readonly endTime: string | null; readonly processDefinitionId: string }) =>
          (each.endTime !== null) === isOver ? each.processDefinitionId : [],
        ),
      );
    assert.deepEqual([ran(true), ran(false)], [new Set([definition]), new Set([target])]);
    const tasksOf = await get(`/history/task?processInstanceId=${a}&processDefinitionId=${definition}&unfinished=true`);
    assert.deepEqual(tasksOf, []);
    assert.equal(await does('DELETE', `/process-instance/${a}`), undefined);
    const body = { processInstanceIds: [a], instructions: [{ type: 'startBeforeActivity', activityId: 'more' }] };
    for (const of of ['restart', 'restart-async'])
      assert.match(
        (await does('POST', `/process-definition/${definition}/${of}`, body)) ?? '',
        /^400 .* is of 'trip:2/,
      );
    assert.equal(await does('POST', `/process-definition/${target}/restart`, body), undefined);
    const [anew] = await get(`/process-instance?businessKey=many&sortBy=instanceId&sortOrder=desc`);
    assert.deepEqual(await active(anew.id), ['more']);
    assert.match((await does('POST', `/process-definition/${target}/restart`, {})) ?? '', /^400 .*processInstanceIds/);
    const many = { processInstanceIds: Array.from({ length: 1_001 }, (_, n) => String(n)), ...to('pay', 'check') };
    assert.match((await does('POST', '/modification/execute', many)) ?? '', /^400 .*at most 1000 .*begin a batch$/);
  });

  it('suspends definitions, and gives and takes deployments', async () => {
    const path = '/process-definition/key/asked';
    assert.equal(await does('PUT', `${path}/suspended`, { suspended: true }), undefined);
    assert.match((await does('POST', `${path}/start`, {})) ?? '', /^500/);
    const all = { processDefinitionKey: 'asked', suspended: false, includeProcessInstances: true };
    assert.equal(await does('PUT', '/process-definition/suspended', all), undefined);
    assert.match((await does('PUT', `${path}/suspended`, {})) ?? '', /^400 .*suspended/);
    const later = { suspended: true, executionDate: '2040-01-31T08:00:00.000+0000' };
    assert.match((await does('PUT', `${path}/suspended`, later)) ?? '', /^400 .*executionDate/);
    assert.match((await does('PUT', `${path}/suspended`, { suspended: true }, 'ann')) ?? '', /^403/);
    const files = await get(`/deployment/${deployment}/resources`);
    const dish = files.find(({ name }: Named) => name === 'dish.dmn');
    const data = await ask('GET', `/deployment/${deployment}/resources/${encodeURIComponent(dish.id)}/data`, {
      user: 'admin',
    });
    assert.deepEqual([data.text, data.type], [DISH, 'application/octet-stream']);
    assert.match((await does('DELETE', `/deployment/${deployment}`)) ?? '', /^500/);
    assert.equal(await does('DELETE', `/deployment/${deployment}?cascade=true`), undefined);
    assert.match((await does('GET', `/deployment/${deployment}`)) ?? '', /^404 InvalidRequestException/);
  });
});
