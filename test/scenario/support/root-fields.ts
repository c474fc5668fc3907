import { BEN, type ForeignThings } from './foreign-things.js';

/** A call of a root field that is about a thing of others, as its text in a document. */
type Call = (things: ForeignThings) => string | Promise<string>;

/** The call about the thing that is made for it: `IT` stands for it. */
const about =
  (make: (things: ForeignThings) => Promise<string>, text: string): Call =>
  async (things) =>
    text.replaceAll('IT', await make(things));

const aNode = (text: string) => about((things) => things.node(), text);
const checkedIn = (text: string) => about((things) => things.checkedIn(), text);
const checkedOut = (text: string) => about((things) => things.checkedOut(), text);
const aTask = (text: string) => about((things) => things.task(), text);
const external = (text: string) => about((things) => things.external(), text);
const held = (text: string) => about((things) => things.held(), text);
const anInstance = (text: string) => about((things) => things.instance(), text);
const anUpload = (text: string) => about((things) => things.upload(), text);
const aJob = (text: string) => about((things) => things.job(), text);
const anIncident = (text: string) => about((things) => things.incident(), text);
const aUser = (text: string) => about((things) => things.user(), text);
const aPerson = (text: string) => about((things) => things.person(), text);
const aGroup = (text: string) => about((things) => things.group(), text);
const aRole = (text: string) => about((things) => things.role(), text);
const named =
  (text: string): Call =>
  (things) =>
    text.replaceAll('IT', things.name());
const aRoute = (text: string) => about((things) => things.route(), text);
const ERRORS = '{ errors { code } }';

/** Each query, so that there is something to be found. */
export const QUERIES: Readonly<Record<string, Call>> = {
  me: () => 'me { username }',
  user: aUser('user(username: "IT") { username }'),
  users: aUser('users(query: "IT") { edges { node { username } } }'),
  searchPrincipals: () => 'searchPrincipals(keyword: "admin") { identifier }',
  group: aGroup('group(groupId: "IT") { name }'),
  groups: () => 'groups { edges { node { name } } }',
  groupTree: () => 'groupTree { name }',
  role: aRole('role(roleId: "IT") { name }'),
  roles: () => 'roles { edges { node { name } } }',
  roleTree: () => 'roleTree { name }',
  mySessions: () => `mySessions(username: "${BEN}") { id }`,
  apiTokens: about((things) => things.token(), `apiTokens(username: "${BEN}") { id }`),
  cluster: () => 'cluster { enabled }',
  workspaces: () => 'workspaces { edges { node { name } } }',
  workspaceList: () => 'workspaceList { name }',
  workspace: () => 'workspace(name: "web") { name }',
  auditLog: () => 'auditLog { edges { node { userId } } }',
  historyExchanges: () => 'historyExchanges { pageInfo { hasNextPage } }',
  historyExchange: () => 'historyExchange(exchange: "kept") { path }',
  routeStats: () => 'routeStats(buckets: 1) { points { bucket } }',
  processDefinition: () => 'processDefinition(key: "guarded") { id }',
  processDefinitions: () => 'processDefinitions { edges { node { id } } }',
  processDefinitionXml: about((things) => things.definition(), 'processDefinitionXml(id: "IT")'),
  processDefinitionDiff: about(
    (things) => things.definition(),
    'processDefinitionDiff(sourceId: "IT", targetId: "IT") { added { elementId } }',
  ),
  migrationReport: about(
    (things) => things.definition(),
    'migrationReport(input: { sourceProcessDefinitionId: "IT", targetProcessDefinitionId: "IT" }) { instancesChecked }',
  ),
  deployment: about((things) => things.deployment(), 'deployment(id: "IT") { id }'),
  decisionDefinition: () => 'decisionDefinition(key: "guarded") { id }',
  decisionDefinitions: () => 'decisionDefinitions { edges { node { id } } }',
  decisionDefinitionXml: about((things) => things.decision(), 'decisionDefinitionXml(id: "IT")'),
  decisionHistory: about((things) => things.evaluation(), 'decisionHistory { edges { node { id } } }'),
  processInstance: anInstance('processInstance(id: "IT") { id }'),
  processInstances: () => 'processInstances(definitionKey: "guarded") { edges { node { id } } }',
  activityHistory: anInstance('activityHistory(processInstanceId: "IT") { id }'),
  activityHistoryConnection: anInstance('activityHistoryConnection(processInstanceId: "IT") { edges { node { id } } }'),
  incident: anIncident('incident(id: "IT") { id }'),
  incidents: anIncident('incidents { edges { node { id } } }'),
  jobs: aJob('jobs { edges { node { id } } }'),
  bufferedMessages: () => 'bufferedMessages(messageName: "waits") { edges { node { id } } }',
  eventSubscriptions: () => 'eventSubscriptions(eventName: "told") { edges { node { id } } }',
  task: aTask('task(id: "IT") { id }'),
  tasks: aTask('tasks { edges { node { id } } }'),
  externalTask: external('externalTask(id: "IT") { id }'),
  externalTasks: external('externalTasks { edges { node { id } } }'),
  taskCounts: aTask('taskCounts { total }'),
  route: aRoute('route(id: "IT") { id }'),
  routes: aRoute('routes(search: "IT") { edges { node { id } } }'),
  camelContext: aRoute('camelContext { sourceFile }'),
  camelContexts: () => 'camelContexts { edges { node { name } } }',
  component: () => 'component(name: "direct") { name }',
  components: () => 'components { edges { node { name } } }',
  mockEndpoint: () => 'mockEndpoint(name: "tried") { receivedCounter }',
  evaluateExpression: () => 'evaluateExpression(input: { language: "simple", expression: "${body}" }) { result }',
  endpoints: aRoute('endpoints(component: "direct") { edges { node { uri } } }'),
  routeTemplate: () => 'routeTemplate(id: "quiet") { id }',
  routeTemplates: () => 'routeTemplates { edges { node { id } } }',
  validateRouteDefinition: () => 'validateRouteDefinition(yaml: "") { valid }',
  node: aNode('node(path: "IT") { path }'),
  children: aNode('children(path: "/closed") { edges { node { path } } }'),
  apps: about((things) => things.app(), 'apps(path: "IT") { edges { node { path } } }'),
  references: about(
    (things) => things.node(['mix:referenceable']),
    'references(path: "IT") { totalCount pageInfo { hasNextPage } }',
  ),
  exportXml: aNode('exportXml(path: "IT", view: SYSTEM)'),
  versionHistory: checkedIn('versionHistory(path: "IT") { versionableUuid }'),
  accessControl: aNode('accessControl(path: "IT") { path }'),
  effectiveAccessControl: aNode('effectiveAccessControl(path: "IT") { path }'),
  privileges: aNode('privileges(path: "IT")'),
  nodeTypes: () => 'nodeTypes { edges { node { name } } }',
  nodeType: () => 'nodeType(name: "nt:file") { name }',
  namespaces: () => 'namespaces { prefix }',
  multipartUpload: anUpload('multipartUpload(uploadId: "IT") { uploadId }'),
  jobProgress: about((things) => things.longJob('DeleteNodes'), 'jobProgress(jobId: "IT") { jobId }'),
};

const identity: Readonly<Record<string, Call>> = {
  revokeSession: about((things) => things.session(), `revokeSession(input: { id: "IT" }) ${ERRORS}`),
  revokeOtherSessions: () => `revokeOtherSessions(input: { username: "${BEN}" }) ${ERRORS}`,
  createApiToken: aUser(`createApiToken(input: { name: "it", scopes: [READ], username: "IT" }) ${ERRORS}`),
  revokeApiToken: about((things) => things.token(), `revokeApiToken(input: { id: "IT" }) ${ERRORS}`),
  linkExternalIdentity: aUser(
    `linkExternalIdentity(input: { username: "IT", issuer: "https://provider.example", subject: "IT" }) ${ERRORS}`,
  ),
  unlinkExternalIdentity: about((things) => things.linked(), `unlinkExternalIdentity(input: { id: "IT" }) ${ERRORS}`),
  updatePreferences: aUser(`updatePreferences(input: { username: "IT", category: "a", data: { b: 1 } }) ${ERRORS}`),
  changePassword: aPerson(`changePassword(input: { username: "IT", newPassword: "a new password" }) ${ERRORS}`),
  resetPassword: aPerson(`resetPassword(input: { username: "IT", newPassword: "a new password" }) ${ERRORS}`),
  createUser: named(`createUser(input: { username: "IT", service: true }) ${ERRORS}`),
  updateUser: aUser(`updateUser(input: { username: "IT", mail: "a@b" }) ${ERRORS}`),
  deleteUser: aUser(`deleteUser(input: { username: "IT" }) ${ERRORS}`),
  assignRoles: aUser(`assignRoles(input: { username: "IT", roles: ["operator"] }) ${ERRORS}`),
  revokeRoles: aUser(`revokeRoles(input: { username: "IT", roles: ["operator"] }) ${ERRORS}`),
  createGroup: named(`createGroup(input: { name: "IT" }) ${ERRORS}`),
  updateGroup: aGroup(`updateGroup(input: { groupId: "IT", displayName: "It" }) ${ERRORS}`),
  deleteGroup: aGroup(`deleteGroup(input: { groupId: "IT" }) ${ERRORS}`),
  moveGroup: aGroup(`moveGroup(input: { groupId: "IT", newName: "ITx" }) ${ERRORS}`),
  addGroupMembers: aGroup(`addGroupMembers(input: { groupId: "IT", usernames: ["${BEN}"] }) ${ERRORS}`),
  removeGroupMembers: aGroup(`removeGroupMembers(input: { groupId: "IT", usernames: ["${BEN}"] }) ${ERRORS}`),
  createRole: named(`createRole(input: { name: "IT" }) ${ERRORS}`),
  updateRole: aRole(`updateRole(input: { roleId: "IT", displayName: "It" }) ${ERRORS}`),
  deleteRole: aRole(`deleteRole(input: { roleId: "IT" }) ${ERRORS}`),
  notify: () => 'notify(input: { title: "a", message: "b" }) { id }',
};

const aWorkspace = (text: string) => about((things) => things.workspace(), text);

const workspaces: Readonly<Record<string, Call>> = {
  createWorkspace: named(`createWorkspace(input: { name: "IT" }) ${ERRORS}`),
  updateWorkspace: aWorkspace(`updateWorkspace(input: { name: "IT", displayName: "It" }) ${ERRORS}`),
  restartWorkspace: aWorkspace(`restartWorkspace(input: { name: "IT" }) ${ERRORS}`),
  stopWorkspace: aWorkspace(`stopWorkspace(input: { name: "IT" }) ${ERRORS}`),
  startWorkspace: aWorkspace(`startWorkspace(input: { name: "IT" }) ${ERRORS}`),
  deleteWorkspace: about((things) => things.spare(), `deleteWorkspace(input: { name: "IT" }) ${ERRORS}`),
};

const processes: Readonly<Record<string, Call>> = {
  advanceClock: () => 'advanceClock(by: "PT1S")',
  deployProcess: named('deployProcess(input: { name: "IT", resources: [{ name: "IT.txt", content: "it" }] }) { id }'),
  deleteDeployment: about((things) => things.idle(), 'deleteDeployment(id: "IT")'),
  suspendProcessDefinition: about((things) => things.definition(), 'suspendProcessDefinition(id: "IT") { id }'),
  activateProcessDefinition: about((things) => things.definition(), 'activateProcessDefinition(id: "IT") { id }'),
  migrateProcessInstance: async (things) => {
    const [definition, instance] = [await things.definition(), await things.instance()];
    return `migrateProcessInstance(input: { sourceProcessDefinitionId: "${definition}", targetProcessDefinitionId: "${definition}", processInstanceIds: ["${instance}"] }) { id }`;
  },
  createMigrationPlan: about(
    (things) => things.definition(),
    'createMigrationPlan(input: { sourceProcessDefinitionId: "IT", targetProcessDefinitionId: "IT" }) { targetProcessDefinitionId }',
  ),
  evaluateDecision: () => 'evaluateDecision(input: { key: "guarded" }) { id }',
  startProcess: () => 'startProcess(input: { definitionKey: "guarded" }) { id variables { name } }',
  correlateMessage: () => 'correlateMessage(input: { messageName: "told" }) { id }',
  correlateMessages: () => 'correlateMessages(input: { messageName: "told", all: true }) { hasMore }',
  evaluateConditions: () => 'evaluateConditions(input: { variables: [{ name: "told", value: true }] }) { id }',
  publishSignal: () => 'publishSignal(input: { signalName: "nobody waits" }) { __typename }',
  cancelProcessInstance: anInstance('cancelProcessInstance(id: "IT")'),
  deleteProcessInstance: anInstance('deleteProcessInstance(id: "IT")'),
  setProcessVariables: anInstance('setProcessVariables(processInstanceId: "IT", variables: []) { id }'),
  triggerActivity: about(
    (things) => things.instance('open'),
    'triggerActivity(input: { processInstanceId: "IT", activityId: "chosen" }) { id }',
  ),
  modifyProcessInstance: anInstance(
    'modifyProcessInstance(input: { processInstanceId: "IT", instructions: [{ type: startBeforeActivity, activityId: "work" }] }) { id }',
  ),
  modifyProcessInstances: anInstance(
    'modifyProcessInstances(input: { processInstanceIds: ["IT"], instructions: [{ type: cancel, activityId: "work" }] }) { id }',
  ),
  restartProcessInstance: about(
    (things) => things.ended(),
    'restartProcessInstance(input: { processInstanceId: "IT" }) { id }',
  ),
  restartProcessInstances: about(
    (things) => things.ended(),
    'restartProcessInstances(input: { processInstanceIds: ["IT"] }) { id }',
  ),
  suspendProcessInstance: anInstance('suspendProcessInstance(id: "IT") { id }'),
  activateProcessInstance: about((things) => things.suspended(), 'activateProcessInstance(id: "IT") { id }'),
  createIncident: anInstance('createIncident(input: { type: "odd", processInstanceId: "IT" }) { id }'),
  resolveIncident: anIncident('resolveIncident(id: "IT")'),
  setIncidentAnnotation: anIncident('setIncidentAnnotation(input: { id: "IT", annotation: "a" }) { id }'),
  setJobRetries: about((things) => things.failed(), 'setJobRetries(input: { incidentId: "IT", retries: 1 }) { id }'),
  setRetriesOfJob: aJob('setRetriesOfJob(id: "IT", retries: 2) { id }'),
  setJobDueDate: aJob('setJobDueDate(id: "IT", due: "2100-01-01T00:00:00Z") { id }'),
  executeJob: about((things) => things.job('broken'), 'executeJob(id: "IT") { id }'),
  setJobRetriesAsync: aJob('setJobRetriesAsync(input: { jobIds: ["IT"], retries: 2 }) { id }'),
  setExternalTaskRetriesAsync: external(
    'setExternalTaskRetriesAsync(input: { externalTaskIds: ["IT"], retries: 2 }) { id }',
  ),
  setVariablesAsync: anInstance('setVariablesAsync(input: { processInstanceIds: ["IT"], variables: [] }) { id }'),
  abortBatch: about((things) => things.batch(), 'abortBatch(id: "IT") { id }'),
  claimTask: aTask('claimTask(taskId: "IT") { id }'),
  unclaimTask: aTask('unclaimTask(taskId: "IT") { id }'),
  completeTask: aTask('completeTask(input: { taskId: "IT" }) { id }'),
  updateTask: aTask('updateTask(input: { taskId: "IT", priority: 7 }) { id }'),
  taskBpmnError: aTask('taskBpmnError(input: { taskId: "IT", errorCode: "E" }) { id }'),
  taskEscalation: aTask('taskEscalation(input: { taskId: "IT", escalationCode: "E" }) { id }'),
  setTaskVariables: aTask('setTaskVariables(taskId: "IT", variables: []) { id }'),
  setTaskAssignee: aTask(`setTaskAssignee(taskId: "IT", assignee: "${BEN}") { id }`),
  assignTask: aTask(`assignTask(taskId: "IT", assignee: "${BEN}") { id }`),
  delegateTask: aTask(`delegateTask(taskId: "IT", assignee: "${BEN}") { id }`),
  resolveTask: about((things) => things.delegated(), 'resolveTask(taskId: "IT") { id }'),
  fetchAndLock: external('fetchAndLock(input: { workerId: "w", topics: [{ topic: "outside" }] }) { id }'),
  extendExternalTaskLock: held('extendExternalTaskLock(input: { IT, lockDurationMs: 99999 }) { id }'),
  unlockExternalTask: held('unlockExternalTask(IT) { id }'),
  completeExternalTask: held('completeExternalTask(input: { IT }) { id }'),
  failExternalTask: held('failExternalTask(input: { IT, retries: 1 }) { id }'),
  externalTaskBpmnError: held('externalTaskBpmnError(input: { IT, errorCode: "E" }) { id }'),
  setExternalTaskRetries: external('setExternalTaskRetries(taskId: "IT", retries: 2) { id }'),
  addTaskComment: aTask('addTaskComment(taskId: "IT", message: "a") { id }'),
};

const nodes: Readonly<Record<string, Call>> = {
  createFolder: named('createFolder(path: "/closed", name: "IT", createParents: false) { path }'),
  createFile: named('createFile(path: "/closed", name: "IT", content: "", createParents: false) { path }'),
  createNode: named('createNode(input: { path: "/closed", name: "IT", nodeType: "nt:folder" }) { path }'),
  deleteNode: aNode('deleteNode(input: { path: "IT" })'),
  renameNode: about((things) => things.node(), 'renameNode(input: { path: "IT", name: "renamed" }) { path }'),
  moveNode: aNode('moveNode(input: { sourcePath: "IT", destPath: "/closed", name: "moved" }) { path }'),
  orderNode: async (things) => {
    const parent = await things.node();
    await things.admin.run(
      `mutation { createNode(input: { path: "${parent}", name: "a", nodeType: "nt:unstructured" }) { path } }`,
    );
    return `orderNode(input: { path: "${parent}/a" }) { path }`;
  },
  copyNode: about(
    (things) => things.file(),
    'copyNode(input: { sourcePath: "IT", destPath: "/closed", name: "copied" }) { path }',
  ),
  importXml: aNode('importXml(input: { path: "IT", xml: "<a/>" }) { created }'),
  contentTransaction: aNode(
    'contentTransaction(operations: [{ renameNode: { path: "IT", name: "once" } }]) { results { ok } }',
  ),
  setProperties: aNode('setProperties(path: "IT", properties: []) { errors { message } }'),
  addMixin: aNode('addMixin(path: "IT", mixinType: "mix:title") { path }'),
  deleteMixin: aNode('deleteMixin(path: "IT", mixinType: "mix:title") { path }'),
  setAccessControl: aNode('setAccessControl(path: "IT", entries: []) { __typename }'),
  deleteAccessControl: about((things) => things.listed(), `deleteAccessControl(path: "IT", principal: "${BEN}")`),
  lockNode: aNode('lockNode(path: "IT") { path }'),
  unlockNode: about((things) => things.locked(), 'unlockNode(input: { path: "IT" })'),
  refreshLock: about((things) => things.locked(), 'refreshLock(input: { path: "IT" }) { path }'),
  addVersionControl: aNode('addVersionControl(input: { path: "IT" }) { path }'),
  checkin: checkedOut('checkin(input: { path: "IT" }) { name }'),
  checkout: checkedIn('checkout(input: { path: "IT" })'),
  uncheckout: checkedOut('uncheckout(input: { path: "IT" })'),
  checkpoint: checkedOut('checkpoint(input: { path: "IT" }) { name }'),
  restoreVersion: checkedIn('restoreVersion(input: { path: "IT", versionName: "1.0" }) { path }'),
  addVersionLabel: checkedIn('addVersionLabel(input: { path: "IT", versionName: "1.0", label: "m" }) { name }'),
  removeVersionLabel: checkedIn('removeVersionLabel(input: { path: "IT", label: "l" }) { name }'),
  deleteVersion: checkedOut('deleteVersion(input: { path: "IT", versionName: "1.0" })'),
  registerNodeTypes: about((things) => things.namespace(), 'registerNodeTypes(cnd: "[IT:it]") { name }'),
  unregisterNodeTypes: about((things) => things.nodeType(), 'unregisterNodeTypes(names: ["IT"])'),
  registerNamespace: named('registerNamespace(prefix: "IT", uri: "urn:IT") { prefix }'),
  unregisterNamespace: about((things) => things.namespace(), 'unregisterNamespace(prefix: "IT")'),
  initiateMultipartUpload: () => 'initiateMultipartUpload { uploadId }',
  appendMultipartUploadChunk: anUpload(
    'appendMultipartUploadChunk(input: { uploadId: "IT", data: "YQ==" }) { uploadId }',
  ),
  abortMultipartUpload: anUpload('abortMultipartUpload(input: { uploadId: "IT" })'),
  completeMultipartUpload: anUpload(
    'completeMultipartUpload(input: { uploadId: "IT", path: "/content", name: "u", mimeType: "a/b" }) { path }',
  ),
};

const deletion = (text: string) => about((things) => things.longJob('DeleteNodes', ['/closed/none']), text);
const download = (text: string) => about((things) => things.longJob('DownloadArchive', ['/closed/none']), text);

const longJobs: Readonly<Record<string, Call>> = {
  initDeleteNodes: () => 'initDeleteNodes(input: {}) { jobId }',
  appendDeleteNodes: deletion('appendDeleteNodes(input: { jobId: "IT", paths: ["/closed/no"] }) { jobId }'),
  startDeleteNodes: deletion('startDeleteNodes(input: { jobId: "IT" }) { jobId }'),
  abortDeleteNodes: deletion('abortDeleteNodes(input: { jobId: "IT" }) { jobId }'),
  initDownloadArchive: () => 'initDownloadArchive(input: {}) { jobId }',
  appendDownloadArchive: download('appendDownloadArchive(input: { jobId: "IT", paths: ["/closed/no"] }) { jobId }'),
  startDownloadArchive: download('startDownloadArchive(input: { jobId: "IT", filename: "a.zip" }) { jobId }'),
  abortDownloadArchive: download('abortDownloadArchive(input: { jobId: "IT" }) { jobId }'),
  initImportArchive: () => 'initImportArchive(input: {}) { jobId }',
  startImportArchive: async (things) => {
    const [jobId, path] = [await things.longJob('ImportArchive'), await things.file()];
    return `startImportArchive(input: { jobId: "${jobId}", archivePath: "${path}", destinationPath: "/closed" }) { jobId }`;
  },
  abortImportArchive: about(
    (things) => things.longJob('ImportArchive'),
    'abortImportArchive(input: { jobId: "IT" }) { jobId }',
  ),
};

/** Each mutation, so that it would be done for who may. */
const routes: Readonly<Record<string, Call>> = {
  createRoute: (things) => {
    const id = things.name();
    return `createRoute(input: { routeId: "${id}", yaml: ${things.routeYaml(id)} }) { id }`;
  },
  createRouteFromTemplate: named(
    'createRouteFromTemplate(templateId: "quiet", routeId: "IT", parameters: { at: "IT" }) { id }',
  ),
  updateRoute: aRoute('updateRoute(input: { id: "IT", description: "it" }) { id }'),
  rollbackRoute: aRoute('rollbackRoute(id: "IT", version: 1) { id }'),
  deleteRoute: aRoute('deleteRoute(id: "IT")'),
  startRoute: about((things) => things.route('stop'), 'startRoute(input: { id: "IT" }) { id }'),
  stopRoute: aRoute('stopRoute(input: { id: "IT" }) { id }'),
  suspendRoute: aRoute('suspendRoute(input: { id: "IT" }) { id }'),
  resumeRoute: about((things) => things.route('suspend'), 'resumeRoute(input: { id: "IT" }) { id }'),
  startAllRoutes: about((things) => things.route('suspend'), 'startAllRoutes { id }'),
  stopAllRoutes: aRoute('stopAllRoutes { id }'),
  startCamelContext: aRoute('startCamelContext { name }'),
  stopCamelContext: aRoute('stopCamelContext { name }'),
  suspendCamelContext: aRoute('suspendCamelContext { name }'),
  resumeCamelContext: aRoute('resumeCamelContext { name }'),
  sendToEndpoint: () => 'sendToEndpoint(input: { endpointUri: "mock:tried", body: "it" }) { success }',
  resetMocks: () => 'resetMocks',
  resetRouteStatistics: aRoute('resetRouteStatistics(id: "IT") { id }'),
  resetAllStatistics: aRoute('resetAllStatistics { name }'),
  enableTracing: aRoute('enableTracing { name }'),
  disableTracing: aRoute('disableTracing { name }'),
};

export const MUTATIONS: Readonly<Record<string, Call>> = {
  ...identity,
  ...workspaces,
  ...processes,
  ...routes,
  ...nodes,
  ...longJobs,
};

/** A subscription, and a mutation that makes it tell of a thing of others. */
interface Told {
  readonly field: string | Call;
  readonly cause: Call;
}

const starts: Call = () => 'startProcess(input: { definitionKey: "guarded" }) { id }';

export const SUBSCRIPTIONS: Readonly<Record<string, Told>> = {
  nodeChanged: {
    field: 'nodeChanged(path: "/closed", deep: true, AFTER) { path }',
    cause: named('createFolder(path: "/closed", name: "IT") { path }'),
  },
  preferenceChanged: {
    field: 'preferenceChanged(AFTER) { category }',
    cause: () => `updatePreferences(input: { username: "${BEN}", category: "a", data: { b: 1 } }) ${ERRORS}`,
  },
  wallpaperChanged: {
    field: 'wallpaperChanged(AFTER) { filename }',
    cause: named(`createFile(path: "/home/users/${BEN}/wallpapers", name: "IT", content: "") { path }`),
  },
  avatarChanged: {
    field: 'avatarChanged(AFTER) { userId }',
    cause: () => `createFile(path: "/home/users/${BEN}", name: "avatar", content: "") { path }`,
  },
  workspaceChanged: {
    field: 'workspaceChanged(AFTER) { workspace }',
    cause: aWorkspace('updateWorkspace(input: { name: "IT", displayName: "That" }) { errors { code } }'),
  },
  systemNotification: {
    field: 'systemNotification(AFTER) { id }',
    cause: () => 'notify(input: { title: "a", message: "b" }) { id }',
  },
  jobProgress: {
    field: about((things) => things.longJob('DeleteNodes'), 'jobProgress(jobId: "IT") { jobId }'),
    cause: () => 'initDeleteNodes(input: {}) { jobId }',
  },
  routeStateChanged: {
    field: 'routeStateChanged(AFTER) { routeId }',
    cause: aRoute('stopRoute(input: { id: "IT" }) { id }'),
  },
  processStarted: { field: 'processStarted(AFTER) { eventType }', cause: starts },
  processEnded: { field: 'processEnded(AFTER) { eventType }', cause: anInstance('cancelProcessInstance(id: "IT")') },
  processUpdated: {
    field: 'processUpdated(AFTER) { eventType }',
    cause: anInstance('suspendProcessInstance(id: "IT") { id }'),
  },
  externalTaskUpdated: {
    field: 'externalTaskUpdated(AFTER) { eventType }',
    cause: () => 'startProcess(input: { definitionKey: "outside" }) { id }',
  },
  taskUpdated: { field: 'taskUpdated(AFTER) { eventType }', cause: starts },
  taskAssigned: {
    field: 'taskAssigned(AFTER) { eventType }',
    cause: aTask(`assignTask(taskId: "IT", assignee: "${BEN}") { id }`),
  },
  taskCompleted: {
    field: 'taskCompleted(AFTER) { eventType }',
    cause: aTask('completeTask(input: { taskId: "IT" }) { id }'),
  },
};
