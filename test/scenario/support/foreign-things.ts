import { bpmn, element, extended, line, timer } from '../../support/bpmn.js';
import { decision, dmn, literal } from '../../support/dmn.js';
import { eventually } from '../../support/eventually.js';
import type { GraphqlClient } from '../../support/graphql-client.js';

/** Who has to do with the things, beside the administrator who makes them. */
export const BEN = 'ben';

const GUARDED = bpmn(
  line(['work'], element('userTask', 'work', { 'camunda:candidateUsers': BEN })) +
    `<bpmn:boundaryEvent id="late" attachedToRef="work">${timer('duration', 'P9D')}</bpmn:boundaryEvent>${element('endEvent', 'missed')}` +
    '<bpmn:boundaryEvent id="wrong" attachedToRef="work"><bpmn:errorEventDefinition/></bpmn:boundaryEvent><bpmn:sequenceFlow id="wrong-missed" sourceRef="wrong" targetRef="missed"/>' +
    '<bpmn:boundaryEvent id="told" attachedToRef="work" cancelActivity="false"><bpmn:escalationEventDefinition/></bpmn:boundaryEvent><bpmn:sequenceFlow id="told-missed" sourceRef="told" targetRef="missed"/>' +
    '<bpmn:sequenceFlow id="late-missed" sourceRef="late" targetRef="missed"/>',
  { key: 'guarded' },
);
const BROKEN = bpmn(
  line(
    ['fail'],
    element(
      'scriptTask',
      'fail',
      { 'camunda:asyncBefore': 'true', scriptFormat: 'javascript' },
      `${extended('<camunda:failedJobRetryTimeCycle>R1/PT1S</camunda:failedJobRetryTimeCycle>')}<bpmn:script>throw new Error("no")</bpmn:script>`,
    ),
  ),
  { key: 'broken' },
);
const OPEN = bpmn(line(['some'], element('adHocSubProcess', 'some', {}, element('userTask', 'chosen'))), {
  key: 'open',
});
const OUTSIDE = bpmn(
  line(['out'], element('serviceTask', 'out', { 'camunda:type': 'external', 'camunda:topic': 'outside' })) +
    `<bpmn:boundaryEvent id="failed" attachedToRef="out"><bpmn:errorEventDefinition/></bpmn:boundaryEvent>${element('endEvent', 'off')}` +
    '<bpmn:sequenceFlow id="failed-off" sourceRef="failed" targetRef="off"/>',
  { key: 'outside' },
);
const TOLD = bpmn(
  `<bpmn:startEvent id="start"><bpmn:messageEventDefinition messageRef="m"/></bpmn:startEvent>${element('endEvent', 'end')}
   <bpmn:startEvent id="where"><bpmn:conditionalEventDefinition><bpmn:condition xsi:type="bpmn:tFormalExpression">\${told}</bpmn:condition></bpmn:conditionalEventDefinition></bpmn:startEvent>
   <bpmn:sequenceFlow id="start-end" sourceRef="start" targetRef="end"/><bpmn:sequenceFlow id="where-end" sourceRef="where" targetRef="end"/>`,
  { key: 'told', root: '<bpmn:message id="m" name="told"/>' },
);

const DECIDED = dmn(decision('guarded', literal('1')));

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape are looked into
type Answer = Record<string, any>;

/** Things in which nobody has a part but `admin`, who makes them, and {@link BEN}: another one with each call. */
export class ForeignThings {
  readonly admin: GraphqlClient;
  readonly #ben: GraphqlClient;
  readonly #signIn: () => Promise<unknown>;
  #made = 0;

  /** `signIn` gives {@link BEN} a session. */
  constructor(admin: GraphqlClient, ben: GraphqlClient, signIn: () => Promise<unknown>) {
    this.admin = admin;
    this.#ben = ben;
    this.#signIn = signIn;
  }

  /** What all things need to be made. */
  async prepare(): Promise<void> {
    await this.#do('createNode(input: { path: "/", name: "closed", nodeType: "nt:unstructured" }) { path }');
    await this.#do(
      'setAccessControl(path: "/closed", entries: [{ principal: "everyone", privileges: ["jcr:all"], allow: false }]) { __typename }',
    );
    for (const model of [GUARDED, BROKEN, OPEN, OUTSIDE, TOLD]) await this.deployment(model);
    await this.deployment(DECIDED, 'dmn');
    await this.#do('correlateMessages(input: { messageName: "waits", timeToLive: "PT1H" }) { hasMore }');
    await this.#do(
      'setAccessControl(path: "/etc/eip/routes", entries: [{ principal: "everyone", privileges: ["jcr:all"], allow: true }]) { __typename }',
    );
    const template =
      'routeTemplate: {id: quiet, parameters: [{name: at}], from: {uri: "direct:{{at}}", steps: [{to: {uri: "mock:quiet"}}]}}';
    const content = Buffer.from(`- ${template}`).toString('base64');
    await this.#do(`createFile(path: "/etc/eip/routes", name: "quiet.yaml", content: "${content}") { path }`);
  }

  /** A name that nothing has. */
  name(): string {
    this.#made++;
    return `n${this.#made}`;
  }

  async #do(field: string, client = this.admin): Promise<Answer> {
    const data = (await client.run(`mutation { it: ${field} }`)) as unknown as { readonly it: Answer };
    const problems = data.it.errors;
    if (Array.isArray(problems) && problems.length > 0) throw new Error(`${field}: ${JSON.stringify(problems)}`);
    return data.it;
  }

  async deployment(model = GUARDED, ending = 'bpmn'): Promise<string> {
    const resource = `{ name: "${this.name()}.${ending}", content: ${JSON.stringify(model)} }`;
    return (await this.#do(`deployProcess(input: { name: "it", resources: [${resource}] }) { id }`)).id;
  }

  /** A route in Camel's YAML, as a text in a document. */
  routeYaml(id: string): string {
    return JSON.stringify(`- route: {id: ${id}, from: {uri: "direct:${id}", steps: [{to: {uri: "mock:${id}"}}]}}`);
  }

  /** A route that runs, or one that an operation has taken elsewhere. */
  async route(verb?: 'stop' | 'suspend'): Promise<string> {
    const id = this.name();
    await this.#do(`createRoute(input: { routeId: "${id}", yaml: ${this.routeYaml(id)}, autoStart: true }) { id }`);
    if (verb !== undefined) await this.#do(`${verb}Route(input: { id: "${id}" }) { id }`);
    return id;
  }

  /** A deployment of which nothing runs. */
  idle(): Promise<string> {
    return this.deployment(bpmn(line(['x'], element('task', 'x')), { key: this.name() }));
  }

  async definition(): Promise<string> {
    const data = await this.admin.run('{ processDefinition(key: "guarded") { id } }');
    return data.processDefinition?.id ?? '';
  }

  async decision(): Promise<string> {
    const data = await this.admin.run('{ decisionDefinition(key: "guarded") { id } }');
    return data.decisionDefinition?.id ?? '';
  }

  /** A decision in the history. */
  async evaluation(): Promise<string> {
    return (await this.#do('evaluateDecision(input: { key: "guarded" }) { id }')).id;
  }

  async instance(key = 'guarded'): Promise<string> {
    return (await this.#do(`startProcess(input: { definitionKey: "${key}" }) { id }`)).id;
  }

  async suspended(): Promise<string> {
    return (await this.#do(`suspendProcessInstance(id: "${await this.instance()}") { id }`)).id;
  }

  async task(): Promise<string> {
    const id = await this.instance();
    const data = await this.admin.run(`{ tasks(processInstanceId: "${id}") { edges { node { id } } } }`);
    return data.tasks.edges[0]?.node.id ?? '';
  }

  async external(): Promise<string> {
    const id = await this.instance('outside');
    const data = await this.admin.run(`{ externalTasks(processInstanceId: "${id}") { edges { node { id } } } }`);
    return data.externalTasks.edges[0]?.node.id ?? '';
  }

  /** An external task that `admin` has locked, and its token, as two fields of an input. */
  async held(): Promise<string> {
    const id = await this.external();
    const topics = '[{ topic: "outside" }]';
    const fetched = await this.#do(
      `fetchAndLock(input: { workerId: "w", topics: ${topics}, maxTasks: 500 }) { id lockToken }`,
    );
    const { lockToken } = fetched.find((task: Answer) => task.id === id);
    return `taskId: "${id}", lockToken: "${lockToken}"`;
  }

  async delegated(): Promise<string> {
    const id = await this.task();
    await this.#do(`claimTask(taskId: "${id}") { id }`);
    await this.#do(`delegateTask(taskId: "${id}", assignee: "${BEN}") { id }`);
    return id;
  }

  /** A job that waits for its time; of the process `broken`: that fails for good when it runs. */
  async job(key = 'guarded'): Promise<string> {
    const id = await this.instance(key);
    const data = await this.admin.run(`{ jobs(processInstanceId: "${id}") { edges { node { id } } } }`);
    return data.jobs.edges[0]?.node.id ?? '';
  }

  async ended(): Promise<string> {
    const id = await this.instance();
    await this.#do(`cancelProcessInstance(id: "${id}")`);
    return id;
  }

  /** A batch that `admin` has begun. */
  async batch(): Promise<string> {
    const input = `{ processInstanceIds: ["${await this.instance()}"], variables: [] }`;
    return (await this.#do(`setVariablesAsync(input: ${input}) { id }`)).id;
  }

  async incident(): Promise<string> {
    const id = await this.instance();
    return (await this.#do(`createIncident(input: { type: "odd", processInstanceId: "${id}" }) { id }`)).id;
  }

  /** The incident of a job that has failed for good. */
  async failed(): Promise<string> {
    const id = await this.instance('broken');
    await this.#do('advanceClock(by: "PT5S")');
    const data = await this.admin.run(`{ incidents(processInstanceId: "${id}") { edges { node { id } } } }`);
    return data.incidents.edges[0]?.node.id ?? '';
  }

  /** The path of a node that only the administrator may read. */
  async node(mixins: readonly string[] = []): Promise<string> {
    const input = `{ path: "/closed", name: "${this.name()}", nodeType: "nt:unstructured", mixins: ${JSON.stringify(mixins)} }`;
    return (await this.#do(`createNode(input: ${input}) { path }`)).path;
  }

  async file(): Promise<string> {
    return (await this.#do(`createFile(path: "/closed", name: "${this.name()}", content: "aGVsbG8=") { path }`)).path;
  }

  /** The path of the folder of a web application. */
  async app(): Promise<string> {
    const path = await this.node();
    await this.#do(`createFile(path: "${path}", name: "app.yml", content: "dGl0bGU6IEl0") { path }`);
    return path;
  }

  async locked(): Promise<string> {
    return (await this.#do(`lockNode(path: "${await this.node()}", timeout: 900) { path }`)).path;
  }

  async listed(): Promise<string> {
    const path = await this.node();
    await this.#do(`setAccessControl(path: "${path}", principal: "${BEN}", privileges: ["read"]) { __typename }`);
    return path;
  }

  /** A node with a version that has the label `l`, checked in. */
  async checkedIn(): Promise<string> {
    const { path } = await this.#do(`addVersionControl(input: { path: "${await this.node()}" }) { path }`);
    await this.#do(`addVersionLabel(input: { path: "${path}", versionName: "1.0", label: "l" }) { name }`);
    return path;
  }

  /** As {@link checkedIn}, and checked out again; with a second version. */
  async checkedOut(): Promise<string> {
    const path = await this.checkedIn();
    await this.#run(`checkout(input: { path: "${path}" })`);
    await this.#do(`checkpoint(input: { path: "${path}" }) { name }`);
    return path;
  }

  async #run(field: string): Promise<void> {
    await this.admin.run(`mutation { ${field} }`);
  }

  async nodeType(): Promise<string> {
    const prefix = await this.namespace();
    await this.#do(`registerNodeTypes(cnd: "[${prefix}:it] > nt:unstructured") { name }`);
    return `${prefix}:it`;
  }

  async namespace(): Promise<string> {
    const prefix = this.name();
    await this.#do(`registerNamespace(prefix: "${prefix}", uri: "urn:${prefix}") { prefix }`);
    return prefix;
  }

  async upload(): Promise<string> {
    return (await this.#do('initiateMultipartUpload { uploadId }', this.#ben)).uploadId;
  }

  /** A long job of the administrator's, which has not begun; `paths`: what it is about. */
  async longJob(kind: 'DeleteNodes' | 'DownloadArchive' | 'ImportArchive', paths: readonly string[] = []) {
    const { jobId } = await this.#do(`init${kind}(input: {}) { jobId }`);
    if (paths.length > 0)
      await this.#do(`append${kind}(input: { jobId: "${jobId}", paths: ${JSON.stringify(paths)} }) { jobId }`);
    return String(jobId);
  }

  async user(): Promise<string> {
    const name = this.name();
    await this.#do(`createUser(input: { username: "${name}", service: true }) { errors { code } }`);
    return name;
  }

  /** A user with a password; hashing that takes a while. */
  async person(): Promise<string> {
    const name = this.name();
    await this.#do(`createUser(input: { username: "${name}", password: "${name}-${name}" }) { errors { code } }`);
    return name;
  }

  /** The id of a token of {@link BEN}'s. */
  async token(): Promise<string> {
    const made = await this.#do(
      `createApiToken(input: { name: "${this.name()}", scopes: [READ] }) { token { id } errors { code } }`,
      this.#ben,
    );
    return made.token.id;
  }

  /** The id of an identity that a provider may vouch by for a user. */
  async linked(): Promise<string> {
    const input = `{ username: "${await this.user()}", issuer: "https://provider.example", subject: "${this.name()}" }`;
    const { user } = await this.#do(
      `linkExternalIdentity(input: ${input}) { user { externalIdentities { id } } errors { code } }`,
    );
    return user.externalIdentities[0].id;
  }

  /** The name of a workspace that is not about to become something else. */
  async workspace(name = 'web'): Promise<string> {
    await eventually(`workspace ${name} rests`, async () => {
      const data = await this.admin.run(`{ workspace(name: "${name}") { availableOperations state } }`);
      return data.workspace != null && data.workspace.state !== 'STARTING';
    });
    return name;
  }

  /** A workspace that may be deleted. */
  async spare(): Promise<string> {
    const name = this.name();
    await this.#do(`createWorkspace(input: { name: "${name}" }) { errors { code } }`);
    return this.workspace(name);
  }

  async group(): Promise<string> {
    const name = this.name();
    await this.#do(`createGroup(input: { name: "${name}" }) { errors { code } }`);
    return name;
  }

  async role(): Promise<string> {
    const name = this.name();
    await this.#do(`createRole(input: { name: "${name}" }) { errors { code } }`);
    return name;
  }

  /** The id of a session of {@link BEN}'s. */
  async session(): Promise<string> {
    await this.#signIn();
    const data = await this.admin.run(`{ mySessions(username: "${BEN}") { id } }`);
    return data.mySessions.at(-1)?.id ?? '';
  }
}
