import assert from 'node:assert/strict';
import { bpmn, element, extended, flows, line, timer } from '../../support/bpmn.js';
import { type DataFolder, dataFolder } from '../../support/data-folder.js';
import { fillAsStarted } from '../../support/first-start.js';
import { type ServerProcess, serverProcess } from '../../support/server-process.js';

const PASSWORD = 'a password for tests';

/** What a client sees of the whole server, on a clock that stands still. */
describe('processes over HTTP', () => {
  let folder: DataFolder;
  let server: ServerProcess;
  before(async () => {
    folder = dataFolder();
    await fillAsStarted(folder.path);
    const env = { MILLRACE_DATA: folder.path, MILLRACE_ADMIN_PASSWORD: PASSWORD, MILLRACE_CLOCK: 'virtual' };
    server = await serverProcess({ ...env, MILLRACE_LOG_LEVEL: 'error' });
  });
  after(async () => {
    await server.end();
    folder.remove();
  });

  const authorization = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;
  async function ask(query: string, variables: object = {}): Promise<Answer> {
    const headers = { 'Content-Type': 'application/json', authorization };
    const body = JSON.stringify({ query, variables });
    const reply = await fetch(`${server.baseUrl}/bin/graphql.cgi/web`, { method: 'POST', headers, body });
    return (await reply.json()) as Answer;
  }
  const data = async (query: string, variables: object = {}) => {
    const { data: found, errors } = await ask(query, variables);
    assert.equal(errors, undefined, JSON.stringify(errors));
    return found as Fields;
  };
  const deploy = async (content: string, options: object = {}) => {
    const input = { name: 'm', resources: [{ name: 'm.bpmn', content }], ...options };
    const { deployProcess } = await data(
      'mutation ($input: DeployProcessInput!) { deployProcess(input: $input) { id } }',
      { input },
    );
    return (deployProcess as { id: string }).id;
  };
  const start = async (definitionKey: string, businessKey?: string) => {
    const input = { definitionKey, businessKey };
    const { startProcess } = await data(
      'mutation ($input: StartProcessInput!) { startProcess(input: $input) { id } }',
      {
        input,
      },
    );
    return (startProcess as { id: string }).id;
  };

  it('are listed in the order in which they were started, though no time goes by', async () => {
    await deploy(bpmn(line(['u'], element('userTask', 'u')), { key: 'ordered' }));
    const started: string[] = [];
    for (let n = 0; n < 10; n++) started.push(await start('ordered'));
    const { processInstances } = await data('{ processInstances(definitionKey: "ordered") { edges { node { id } } } }');
    const listed = (processInstances as Page).edges.map(({ node }) => node.id);
    assert.deepEqual(listed, started.toReversed());
  });

  it('are deployed once with duplicate filtering, whichever came in between', async () => {
    const model = (name: string) => bpmn(line(['u'], element('userTask', 'u', { name })), { key: 'twice' });
    await deploy(model('one'), { name: 'twice' });
    const newest = await deploy(model('two'), { name: 'twice' });
    const filtered = { name: 'twice', enableDuplicateFiltering: true };
    assert.equal(await deploy(model('two'), filtered), newest);
    assert.notEqual(await deploy(model('one'), filtered), newest);
  });

  it('tell their history when their deployment is gone', async () => {
    const deployment = await deploy(bpmn(line(['t'], element('task', 't', { name: 'Work' })), { key: 'gone' }));
    const id = await start('gone');
    await data('mutation ($id: ID!) { deleteDeployment(id: $id) }', { id: deployment });
    const { processInstance, activityHistory } = await data(
      'query ($id: ID!) { processInstance(id: $id) { definition { id } activityInstances { activityId } } activityHistory(processInstanceId: $id) { activityName activityType } }',
      { id },
    );
    const ids = ['start', 't', 'end'].map((activityId) => ({ activityId }));
    assert.deepEqual(processInstance, { definition: null, activityInstances: ids });
    assert.deepEqual((activityHistory as object[])[1], { activityName: 'Work', activityType: 'task' });
  });

  it('leave nothing behind when they are cancelled', async () => {
    const failing = element(
      'scriptTask',
      'fail',
      { scriptFormat: 'javascript', 'camunda:asyncBefore': 'true' },
      `${extended('<camunda:failedJobRetryTimeCycle>R1/PT1S</camunda:failedJobRetryTimeCycle>')}<bpmn:script>throw new Error("no")</bpmn:script>`,
    );
    const body = `${element('startEvent', 's')}${element('parallelGateway', 'f')}${element('userTask', 'u')}${failing}
      ${element('intermediateCatchEvent', 'w', {}, timer('duration', 'PT1H'))}${element('receiveTask', 'r', { messageRef: 'm' })}
      ${flows('s', 'f', 'u')}${flows('f', 'w')}${flows('f', 'r')}${flows('f', 'fail')}`;
    await deploy(bpmn(body, { key: 'messy', root: '<bpmn:message id="m" name="word"/>' }));
    const id = await start('messy');
    await data('mutation { advanceClock(by: "PT1M") }');
    const counts =
      'query ($id: ID!) { processInstance(id: $id) { state tasks { totalCount } jobs { totalCount } incidents { totalCount } } eventSubscriptions(processInstanceId: $id) { totalCount } }';
    const some = { tasks: { totalCount: 1 }, jobs: { totalCount: 2 }, incidents: { totalCount: 1 } };
    assert.deepEqual(await data(counts, { id }), {
      processInstance: { state: 'active', ...some },
      eventSubscriptions: { totalCount: 1 },
    });
    await data('mutation ($id: ID!) { cancelProcessInstance(id: $id) }', { id });
    const none = { tasks: { totalCount: 0 }, jobs: { totalCount: 0 }, incidents: { totalCount: 0 } };
    assert.deepEqual(await data(counts, { id }), {
      processInstance: { state: 'cancelled', ...none },
      eventSubscriptions: { totalCount: 0 },
    });
  });
});

type Fields = Readonly<Record<string, unknown>>;

interface Answer {
  readonly data?: Fields | null;
  readonly errors?: readonly { readonly message: string }[];
}

interface Page {
  readonly edges: readonly { readonly node: { readonly id: string } }[];
}
