import assert from 'node:assert/strict';
import { hasEnded, longJobs } from '../../src/store/index.js';
import { bpmn, element, line } from '../support/bpmn.js';
import { toldUntil } from '../support/long-jobs.js';
import { admin, ann, BpmServer, bob } from './support/bpm-server.js';

const waiting = (key: string) => bpmn(line(['wait'], element('userTask', 'wait')), { key });
const broken = bpmn(
  line(
    ['print'],
    element('serviceTask', 'print', {
      'camunda:delegateExpression': `\${printer}`,
      'camunda:asyncBefore': 'true',
    }),
  ),
  { key: 'broken' },
);

describe('work on many instances', () => {
  const server = new BpmServer();
  let works = false;
  before(async () => {
    server.handlers.register('printer', async () => {
      if (!works) throw new Error('no paper');
    });
    await server.open();
    for (const key of ['one', 'two']) await server.deploy(waiting(key), key);
    await server.deploy(broken, 'broken');
  });
  after(() => server.close());

  const set = `mutation ($input: SetVariablesAsyncInput!) { begun: setVariablesAsync(input: $input) { id type status abortable } }`;
  const variables = [{ name: 'a', value: 1 }];
  const begun = async (source: string, input: object, caller = ann): Promise<string> =>
    (await server.data(source, { variables: { input }, caller })).begun.id;
  /** The job of a batch, once it is over. */
  const endOf = async (jobId: string) => {
    await toldUntil(server.partition, jobId, ({ status }) => hasEnded(status));
    const job = server.partition.replica.read().get(longJobs, jobId);
    if (job === undefined) throw new Error('it is gone');
    return { ...job.figures, status: job.actor.value, result: job.result, files: job.files ?? [] };
  };
  const variablesOf = async (id: string) => {
    const { processInstance } = await server.data(`{ processInstance(id: "${id}") { variables { name value } } }`);
    return processInstance.variables;
  };

  it('is answered with its job, and done on those that are named, each once', async () => {
    const [first, second] = [await server.start('one', {}, ann), await server.start('one', {}, ann)];
    const input = { processInstanceIds: [first, second, first], variables };
    const { begun: answer } = await server.data(set, { variables: { input }, caller: ann });
    assert.deepEqual(answer, { id: answer.id, type: 'set-variables', status: 'queued', abortable: true });
    const { status, itemsTotal, itemsProcessed, itemsError, result } = await endOf(answer.id);
    assert.deepEqual(
      { status, itemsTotal, itemsProcessed, itemsError },
      { status: 'completed', itemsTotal: 2, itemsProcessed: 2, itemsError: 0 },
    );
    assert.deepEqual(result, { succeeded: 2, failed: 0, failures: [] });
    for (const id of [first, second]) assert.deepEqual(await variablesOf(id), [{ name: 'a', value: 1 }]);
  });

  it('is done on those that a filter finds: of what the caller may manage, and what was there as it began', async () => {
    const [mine, other] = [
      await server.start('two', { businessKey: 'k' }, ann),
      await server.start('two', { businessKey: 'k' }, bob),
    ];
    const { itemsTotal } = await endOf(
      await begun(set, { processInstances: { businessKey: 'k', definitionKey: 'two' }, variables }),
    );
    assert.equal(itemsTotal, 1);
    assert.deepEqual([await variablesOf(mine), await variablesOf(other)], [[{ name: 'a', value: 1 }], []]);
    await server.data(`mutation { cancelProcessInstance(id: "${mine}") }`);
    const gone = await endOf(await begun(set, { processInstances: { businessKey: 'k' }, variables }));
    assert.deepEqual([gone.status, gone.itemsTotal], ['completed', 0]);
  });

  it('tells of each that was refused, goes on with the others, and keeps a report', async () => {
    const [mine, other] = [await server.start('one', {}, ann), await server.start('one', {}, bob)];
    const job = await endOf(await begun(set, { processInstanceIds: [other, 'nobody', mine], variables }));
    assert.deepEqual([job.status, job.itemsProcessed, job.itemsError], ['completed', 3, 2]);
    assert.match(job.errorMessage ?? '', /^2 of 3 failed; the first, '.*': expected its starter/);
    assert.deepEqual(
      job.errorSamples?.map((sample) => sample.split('\t')[0]),
      [other, 'nobody'],
    );
    assert.match(job.downloadUrl ?? '', /^\/bin\/download-archive\.cgi\/test\/.*\/report$/);
    const [file] = job.files;
    const text = file !== undefined && 'inline' in file.data ? Buffer.from(file.data.inline, 'base64').toString() : '';
    assert.deepEqual(
      text.split('\r\n').map((line) => line.split(',')[0]),
      ['\u{FEFF}id', other, 'nobody', ''],
    );
    assert.deepEqual(await variablesOf(mine), [{ name: 'a', value: 1 }]);
  });

  it('has failed where all were refused', async () => {
    const { status, errorMessage } = await endOf(await begun(set, { processInstanceIds: ['nobody'], variables }));
    assert.equal(status, 'failed');
    assert.match(errorMessage ?? '', /^1 of 1 failed; the first, 'nobody': expected a process instance/);
  });

  it('is refused where it names nothing, or what each would be refused for', async () => {
    const refused = async (source: string, input: object, caller = ann) =>
      (await server.run(source, { variables: { input }, caller })).errors[0];
    assert.match(
      (await refused(set, { variables })) ?? '',
      /^BAD_REQUEST: expected at least one id, or a filter as 'processInstanceIds'/,
    );
    const odd = { processInstanceIds: ['x'], variables: [{ name: 'a', value: 'b', type: 'Long' }] };
    assert.match((await refused(set, odd)) ?? '', /^BAD_REQUEST: .*'a'/);
    const gone = { processInstanceIds: ['x'], variables: [{ name: 'a', value: 'b', valueInfo: { transient: true } }] };
    assert.match(
      (await refused(set, gone)) ?? '',
      /^BAD_REQUEST: expected variables that stay .*'a', which is transient/,
    );
    const retries = 'mutation ($input: SetJobRetriesAsyncInput!) { setJobRetriesAsync(input: $input) { id } }';
    assert.match((await refused(retries, { jobIds: ['x'], retries: 1 })) ?? '', /^FORBIDDEN/);
  });

  it('gives failed jobs new retries', async () => {
    const ids = [await server.start('broken'), await server.start('broken')];
    for (let n = 0; n < 4; n++) {
      while ((await server.partition.decider.jobs.takeDue()) > 0) await server.partition.decider.jobs.quiet();
      await server.partition.decider.jobs.quiet();
    }
    works = true;
    const retries = 'mutation ($input: SetJobRetriesAsyncInput!) { begun: setJobRetriesAsync(input: $input) { id } }';
    const { begun: job } = await server.data(retries, {
      variables: { input: { jobs: { definitionKey: 'broken' }, retries: 3 } },
    });
    assert.equal((await endOf(job.id)).itemsProcessed, 2);
    await server.partition.decider.jobs.quiet();
    for (const id of ids) {
      const { processInstance } = await server.data(`{ processInstance(id: "${id}") { state } }`);
      assert.equal(processInstance.state, 'completed');
    }
  });

  it('modifies instances, one or many', async () => {
    const ids = [await server.start('one'), await server.start('one')];
    const [first = ''] = ids;
    const twice = `mutation { modifyProcessInstance(input: { processInstanceId: "${first}", annotation: "once more", instructions: [
      { type: startBeforeActivity, activityId: "wait", variables: [{ name: "a", value: 1 }], localVariables: [{ name: "b", value: 2 }] }
    ] }) { activeActivityIds variables { name } availableOperations } }`;
    const { modifyProcessInstance } = await server.data(twice);
    assert.deepEqual(modifyProcessInstance, {
      activeActivityIds: ['wait'],
      variables: [{ name: 'a' }],
      availableOperations: ['suspend', 'cancel', 'migrate', 'setVariables', 'modify'],
    });
    const { activityHistory } = await server.data(
      `{ activityHistory(processInstanceId: "${first}") { id activityId } }`,
    );
    const [one, two] = activityHistory.filter((each: { activityId: string }) => each.activityId === 'wait');
    await server.data(
      `mutation { modifyProcessInstance(input: { processInstanceId: "${first}", instructions: [{ type: cancel, activityInstanceId: "${one.id}" }] }) { id } }`,
    );
    const { after } = await server.data(
      `{ after: activityHistory(processInstanceId: "${first}") { id canceled endTime } }`,
    );
    const ended = after.filter((each: { id: string }) => [one.id, two.id].includes(each.id));
    assert.deepEqual(
      ended.map((each: { canceled: boolean }) => each.canceled),
      [true, false],
    );
    const many = `mutation ($input: ModifyProcessInstancesInput!) { begun: modifyProcessInstances(input: $input) { id type } }`;
    const input = { processInstanceIds: ids, instructions: [{ type: 'cancel', activityId: 'wait' }] };
    assert.match((await server.run(many, { variables: { input }, caller: ann })).errors[0] ?? '', /^FORBIDDEN/);
    const { begun: job } = await server.data(many, { variables: { input } });
    assert.equal(job.type, 'modify-instances');
    const { status, itemsProcessed } = await endOf(job.id);
    assert.deepEqual([status, itemsProcessed], ['completed', 2]);
    for (const id of ids) {
      const { processInstance } = await server.data(`{ processInstance(id: "${id}") { state deleteReason } }`);
      assert.deepEqual(processInstance, { state: 'cancelled', deleteReason: 'modified by admin' });
    }
  });

  it('starts instances anew that have ended, one or many', async () => {
    const id = await server.start('two', { businessKey: 'again', variables: [{ name: 'a', value: 1 }] });
    await server.data(`mutation { cancelProcessInstance(id: "${id}") }`);
    const one = `mutation { restartProcessInstance(input: { processInstanceId: "${id}", instructions: [{ type: startBeforeActivity, activityId: "wait" }] }) { id businessKey variables { name value } activeActivityIds } }`;
    const { restartProcessInstance: next } = await server.data(one);
    const shown = { businessKey: 'again', variables: [{ name: 'a', value: 1 }], activeActivityIds: ['wait'] };
    assert.deepEqual(next, { id: next.id, ...shown });
    const many =
      'mutation ($input: RestartProcessInstancesInput!) { begun: restartProcessInstances(input: $input) { id type } }';
    const input = { processInstances: { businessKey: 'again' }, withoutBusinessKey: true };
    const { begun: job } = await server.data(many, { variables: { input } });
    const { status, itemsTotal } = await endOf(job.id);
    assert.deepEqual([job.type, status, itemsTotal], ['restart-instances', 'completed', 1]);
  });

  it('goes on where definitions are suspended or deleted, whose instances are refused what they would be by themselves', async () => {
    const { id: deploymentId } = await server.deploy(waiting('gone'), 'gone');
    const { processDefinitions } = await server.deploy(waiting('held'), 'held');
    const [gone, held, open] = [await server.start('gone'), await server.start('held'), await server.start('two')];
    const ids = JSON.stringify([gone, held, open]);
    await server.data(
      `mutation { suspendProcessDefinition(id: "${processDefinitions[0].id}", includeInstances: true) { id } }`,
    );
    await server.data(`mutation { deleteDeployment(id: "${deploymentId}", cascade: true) }`);
    const again = '{ type: startBeforeActivity, activityId: "wait" }';
    const modify = `mutation { begun: modifyProcessInstances(input: { processInstanceIds: ${ids}, instructions: [${again}] }) { id } }`;
    const isGone = `${gone}\texpected a process instance with id '${gone}', but there is none`;
    const modified = await endOf(await begun(modify, {}, admin));
    assert.equal(modified.status, 'completed');
    assert.deepEqual(modified.errorSamples, [
      isGone,
      `${held}\texpected to begin activities of process instance '${held}', but it is suspended`,
    ]);
    const changed = await endOf(await begun(set, { processInstanceIds: [gone, held, open], variables }, admin));
    assert.deepEqual(changed.errorSamples, [isGone]);
    assert.deepEqual(await variablesOf(held), [{ name: 'a', value: 1 }]);
  });

  it('is ended by who began it', async () => {
    const id = await begun(set, { processInstanceIds: [await server.start('one', {}, ann)], variables });
    const abort = `mutation { abortBatch(id: "${id}") { id type abortable } }`;
    assert.match((await server.run(abort, { caller: bob })).errors[0] ?? '', /^FORBIDDEN/);
    assert.deepEqual((await server.data(abort, { caller: ann })).abortBatch, {
      id,
      type: 'set-variables',
      abortable: false,
    });
    assert.ok(['completed', 'aborted'].includes((await endOf(id)).status));
    const { errors } = await server.run('mutation { abortBatch(id: "1-0000") { id } }', { caller: ann });
    assert.match(errors[0] ?? '', /^BAD_REQUEST: expected the id of a batch/);
  });
});
