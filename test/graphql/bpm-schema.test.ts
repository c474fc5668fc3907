import assert from 'node:assert/strict';
import { type GraphQLEnumType, type GraphQLObjectType, parse, validate } from 'graphql';
import { bpmSchema } from './support/bpm-server.js';

const { schema, problems } = bpmSchema;
const fieldsOf = (type: string): Record<string, string> =>
  Object.fromEntries(
    Object.values((schema.getType(type) as GraphQLObjectType).getFields()).map((field) => [
      field.name,
      String(field.type),
    ]),
  );
const valuesOf = (type: string): string[] =>
  (schema.getType(type) as GraphQLEnumType).getValues().map(({ name }) => name);

/** `a: T!; b: T` as fields. */
const declared = (text: string): [string, string][] =>
  text.split(';').map((field) => {
    const [name = '', type = ''] = field.split(':').map((part) => part.trim());
    return [name, type];
  });

/** The types that clients know, field by field. */
const CONTRACT: Record<string, string> = {
  ActivityInstance:
    'id: ID!; activityId: String!; activityName: String; activityType: String!; processInstanceId: ID!; startTime: DateTime; endTime: DateTime; durationInMillis: Long; canceled: Boolean!; completeScope: Boolean!',
  Deployment: 'id: ID!; name: String; deploymentTime: DateTime!; source: String; tenantId: ID',
  Incident:
    'id: ID!; type: String!; message: String; incidentTimestamp: DateTime; activityId: String; activityName: String; executionId: ID; processInstanceId: ID; processDefinitionId: ID; processDefinitionKey: String; jobId: ID; jobRetries: Int!; causeIncidentId: ID; rootCauseIncidentId: ID; configuration: String; annotation: String; stackTrace: String; tenantId: ID',
  ProcessDefinition:
    'id: ID!; key: String!; name: String; description: String; version: Int!; deploymentId: ID!; deploymentName: String; resourceName: String; diagramResourceName: String; suspended: Boolean!; category: String; startFormKey: String; instances: ProcessInstanceConnection!',
  ProcessEvent: 'eventType: ProcessEventType!; processInstance: ProcessInstance!; timestamp: DateTime!',
  ProcessInstance:
    'id: ID!; definitionId: ID!; definitionKey: String!; businessKey: String; suspended: Boolean!; ended: Boolean!; startTime: DateTime; endTime: DateTime; durationInMillis: Long; incidentCount: Int!; variables: [ProcessVariable!]!; state: ProcessInstanceState!; tasks: TaskConnection!; activityInstances: [ActivityInstance!]!',
  ProcessVariable: 'name: String!; type: VariableType!; value: JSON; valueInfo: JSON',
  Task: 'id: ID!; name: String; description: String; assignee: String; owner: String; created: DateTime; due: DateTime; followUp: DateTime; priority: Int!; suspended: Boolean!; processInstanceId: ID!; processDefinitionId: ID!; processDefinitionKey: String; executionId: ID!; taskDefinitionKey: String!; formKey: String; processInstance: ProcessInstance!; candidateUsers: [String!]!; candidateGroups: [String!]!; variables: [ProcessVariable!]!; localVariables: [ProcessVariable!]!; state: TaskState!; comments: [TaskComment!]!',
  TaskComment: 'id: ID!; taskId: ID!; userId: String!; time: DateTime!; message: String!',
  TaskCounts: 'total: Int!; unassigned: Int!; assigned: Int!; overdue: Int!; dueToday: Int!; dueThisWeek: Int!',
  TaskEvent: 'eventType: TaskEventType!; task: Task!; timestamp: DateTime!',
};

/** Root fields with their types: name, arguments in order, result. */
const ROOTS: Record<string, string> = {
  'Query.processDefinition': '(id: ID, key: String, version: Int): ProcessDefinition',
  'Query.processDefinitions':
    '(first: Int = 100, after: String, key: String, name: String, latestVersion: Boolean, suspended: Boolean, isStartableInTasklist: Boolean, startable: Boolean): ProcessDefinitionConnection!',
  'Query.processDefinitionXml': '(id: ID!): String',
  'Query.processInstance': '(id: ID!): ProcessInstance',
  'Query.processInstances':
    '(first: Int = 20, after: String, definitionKey: String, definition: ID, definitionId: String, businessKey: String, active: Boolean, suspended: Boolean, withIncidents: Boolean, startedBefore: DateTime, startedAfter: DateTime): ProcessInstanceConnection!',
  'Query.activityHistory': '(processInstanceId: ID!): [ActivityInstance!]!',
  'Query.task': '(id: ID!): Task',
  'Query.tasks':
    '(first: Int = 20, after: String, assignee: String, assigneeIn: [String!], candidateUser: String, candidateGroup: String, candidateGroups: [String!], unassigned: Boolean, processInstance: ID, definitionId: ID, definitionKey: String, processInstanceId: String, processDefinitionId: String, processDefinitionKey: String, taskDefinitionKey: String, dueBefore: DateTime, dueAfter: DateTime, createdBefore: DateTime, createdAfter: DateTime, priority: Int, priorityHigherThanOrEquals: Int, priorityLowerThanOrEquals: Int, sortBy: TaskSortField, sortOrder: SortOrder): TaskConnection!',
  'Query.taskCounts':
    '(assignee: String, candidateUser: String, candidateGroups: [String!], timeZone: String): TaskCounts!',
  'Query.incident': '(id: ID!, includeStackTrace: Boolean = true): Incident',
  'Query.incidents':
    '(first: Int = 50, after: String, processInstanceId: ID, definitionId: ID, definitionKey: String, type: String, processDefinitionId: String, processDefinitionKey: String, incidentType: String, activityId: String, includeStackTrace: Boolean = false): IncidentConnection!',
  'Mutation.startProcess': '(input: StartProcessInput!): ProcessInstance!',
  'Mutation.suspendProcessInstance': '(id: ID!): ProcessInstance',
  'Mutation.activateProcessInstance': '(id: ID!): ProcessInstance',
  'Mutation.cancelProcessInstance': '(id: ID!, reason: String): Boolean!',
  'Mutation.deleteProcessInstance': '(id: ID!, skipCustomListeners: Boolean): Boolean!',
  'Mutation.setProcessVariables':
    '(processInstanceId: ID!, variables: [ProcessVariableInput!]!, mode: VariablesMode = REPLACE): ProcessInstance',
  'Mutation.claimTask': '(taskId: ID!): Task!',
  'Mutation.unclaimTask': '(taskId: ID!): Task!',
  'Mutation.assignTask': '(taskId: ID!, assignee: String!): Task!',
  'Mutation.setTaskAssignee': '(taskId: ID!, assignee: String): Task!',
  'Mutation.delegateTask': '(taskId: ID!, assignee: String!): Task!',
  'Mutation.completeTask': '(input: CompleteTaskInput!): Task',
  'Mutation.setTaskVariables':
    '(taskId: ID!, variables: [ProcessVariableInput!]!, local: Boolean = false, mode: VariablesMode = MERGE): Task!',
  'Mutation.addTaskComment': '(taskId: ID!, message: String!): TaskComment!',
  'Mutation.deployProcess': '(input: DeployProcessInput!): Deployment!',
  'Mutation.deleteDeployment': '(id: ID!, cascade: Boolean = false): Boolean!',
  'Mutation.suspendProcessDefinition': '(id: ID!, includeInstances: Boolean): ProcessDefinition',
  'Mutation.activateProcessDefinition': '(id: ID!, includeInstances: Boolean): ProcessDefinition',
  'Mutation.setJobRetries': '(input: SetJobRetriesInput!): Incident',
  'Mutation.resolveIncident': '(id: ID!): Boolean!',
  'Mutation.setIncidentAnnotation': '(input: SetIncidentAnnotationInput!): Incident',
  'Subscription.taskAssigned': '(assignee: String, candidateGroup: String, after: String): TaskEvent!',
  'Subscription.taskCompleted': '(processInstanceId: ID, after: String): TaskEvent!',
  'Subscription.taskUpdated': '(taskId: ID, after: String): TaskEvent!',
  'Subscription.processStarted': '(definitionKey: String, after: String): ProcessEvent!',
  'Subscription.processEnded': '(definitionKey: String, after: String): ProcessEvent!',
};

const DEFINITION =
  'id key name description version deploymentId deploymentName resourceName diagramResourceName suspended category startFormKey';
const INSTANCE =
  'id definitionId definitionKey businessKey suspended ended startTime endTime durationInMillis incidentCount';
const VARIABLE = 'name type value valueInfo';
const TASK = `id name description assignee owner created due followUp priority suspended processInstanceId processDefinitionId processDefinitionKey executionId taskDefinitionKey formKey`;
const INCIDENT =
  'id type message incidentTimestamp activityId activityName executionId processInstanceId processDefinitionId processDefinitionKey jobId jobRetries causeIncidentId rootCauseIncidentId configuration annotation stackTrace tenantId';
const PAGE = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount';
const ofPage = (fields: string) => `{ edges { node { ${fields} } cursor } ${PAGE} }`;

/** What clients send: arguments inline or as variables, which may be stricter than the arguments. */
const DOCUMENTS: Record<string, string> = {
  'all latest definitions': `query { processDefinitions(first: 5000, latestVersion: true) ${ofPage(DEFINITION)} }`,
  'definitions by part of key and name': `query ($first: Int!, $after: String, $key: String, $name: String, $latestVersion: Boolean, $suspended: Boolean) { processDefinitions(first: $first, after: $after, key: $key, name: $name, latestVersion: $latestVersion, suspended: $suspended) ${ofPage(DEFINITION)} }`,
  'a definition by id': `query ($id: ID!) { processDefinition(id: $id) { ${DEFINITION} } }`,
  'a definition by key and version': `query ($key: String!, $version: Int) { processDefinition(key: $key, version: $version) { ${DEFINITION} } }`,
  'a definition with its instances': `query ($id: ID!) { processDefinition(id: $id) { id instances(first: 5) { edges { node { id state } } totalCount } } }`,
  'the XML of a definition': 'query ($id: ID!) { processDefinitionXml(id: $id) }',
  'an instance with variables': `query ($id: ID!) { processInstance(id: $id) { ${INSTANCE} variables { ${VARIABLE} } } }`,
  'an instance with its relations': `query ($id: ID!) { processInstance(id: $id) { id state definition { id } tasks { edges { node { id } } } incidents { totalCount } jobs { totalCount } activityInstances { id } superProcessInstance { id } subProcessInstances { totalCount } activeActivityIds availableOperations } }`,
  'instances, inline arguments': `query { processInstances(first: 200, after: null, definitionKey: "order", active: true, withIncidents: true) ${ofPage(INSTANCE)} }`,
  'instances, variables': `query ($first: Int, $after: String, $definitionKey: String, $definitionId: String, $businessKey: String, $active: Boolean, $suspended: Boolean, $startedBefore: DateTime, $startedAfter: DateTime) { processInstances(first: $first, after: $after, definitionKey: $definitionKey, definitionId: $definitionId, businessKey: $businessKey, active: $active, suspended: $suspended, startedBefore: $startedBefore, startedAfter: $startedAfter) ${ofPage(`${INSTANCE} variables { ${VARIABLE} }`)} }`,
  'the history of an instance':
    'query ($processInstanceId: ID!) { activityHistory(processInstanceId: $processInstanceId) { id activityId activityName activityType processInstanceId startTime endTime durationInMillis canceled completeScope } }',
  'a task': `query ($id: ID!) { task(id: $id) { ${TASK} candidateUsers candidateGroups variables { ${VARIABLE} } localVariables { ${VARIABLE} } processInstance { ${INSTANCE} } } }`,
  'a task with state and comments':
    'query { task(id: "t1") { id state comments { id taskId userId time message } processDefinition { id } availableOperations } }',
  'tasks of a user': `query ($assignee: String!) { tasks(first: 200, assignee: $assignee, sortBy: CREATED, sortOrder: DESC) ${ofPage(TASK)} }`,
  'claimable tasks': `query ($candidateUser: String!, $candidateGroups: [String!]!) { tasks(first: 200, candidateUser: $candidateUser, candidateGroups: $candidateGroups, unassigned: true) ${ofPage(TASK)} }`,
  'tasks by everything': `query ($in: [String!]) { tasks(assigneeIn: $in, candidateGroup: "g", processInstanceId: "i", processDefinitionId: "d", processDefinitionKey: "k", taskDefinitionKey: "t", dueBefore: "2026-01-01T00:00:00Z", dueAfter: "2025-01-01T00:00:00+09:00", createdBefore: "2026-01-01T00:00:00Z", createdAfter: "2025-01-01T00:00:00Z", priority: 50, priorityHigherThanOrEquals: 1, priorityLowerThanOrEquals: 99, sortBy: FOLLOW_UP, sortOrder: ASC) { totalCount } }`,
  'task counts':
    'query ($assignee: String, $candidateUser: String, $candidateGroups: [String!], $timeZone: String) { taskCounts(assignee: $assignee, candidateUser: $candidateUser, candidateGroups: $candidateGroups, timeZone: $timeZone) { total unassigned assigned overdue dueToday dueThisWeek } }',
  'an incident': `query ($id: ID!) { incident(id: $id) { ${INCIDENT} } }`,
  incidents: `query ($first: Int!, $processDefinitionKey: String, $incidentType: String) { incidents(first: $first, processDefinitionKey: $processDefinitionKey, incidentType: $incidentType, includeStackTrace: true) ${ofPage(INCIDENT)} }`,
  'incidents of an instance': `query ($id: ID!) { incidents(first: 500, processInstanceId: $id, activityId: "a", processDefinitionId: "d") ${ofPage(INCIDENT)} }`,
  jobs: 'query { jobs(processInstanceId: "i", definitionKey: "k", activityId: "a", type: "timer", state: waiting, dueBefore: "2026-01-01T00:00:00Z", dueAfter: "2025-01-01T00:00:00Z") { edges { node { id type state due retries attempts } } } }',
  'event subscriptions':
    'query { eventSubscriptions(processInstanceId: "i", eventType: "message", eventName: "paid") { edges { node { id eventType eventName activityId processInstanceId definitionId created } } } }',
  'starting by key':
    'mutation StartProcess($input: StartProcessInput!) { startProcess(input: $input) { id businessKey startTime } }',
  'starting, inline': `mutation { startProcess(input: { definitionKey: "order", businessKey: "A-1", variables: [{ name: "amount", type: "Long", value: 42 }, { name: "who", type: "String", value: "ann" }, { name: "none", value: null }] }) { ${INSTANCE} variables { ${VARIABLE} } } }`,
  'suspending an instance': `mutation ($id: ID!) { suspendProcessInstance(id: $id) { id suspended } }`,
  'activating an instance': `mutation ($id: ID!) { activateProcessInstance(id: $id) { id suspended } }`,
  'cancelling an instance': 'mutation ($id: ID!, $reason: String) { cancelProcessInstance(id: $id, reason: $reason) }',
  'deleting an instance': 'mutation ($id: ID!) { deleteProcessInstance(id: $id, skipCustomListeners: true) }',
  'replacing variables': `mutation ($processInstanceId: ID!, $variables: [ProcessVariableInput!]!) { setProcessVariables(processInstanceId: $processInstanceId, variables: $variables) { id variables { ${VARIABLE} } } }`,
  claiming: `mutation ($taskId: ID!) { claimTask(taskId: $taskId) { ${TASK} } }`,
  unclaiming: `mutation ($taskId: ID!) { unclaimTask(taskId: $taskId) { id assignee } }`,
  assigning: `mutation ($taskId: ID!, $assignee: String!) { assignTask(taskId: $taskId, assignee: $assignee) { id assignee } }`,
  'setting the assignee': `mutation ($taskId: ID!, $assignee: String) { setTaskAssignee(taskId: $taskId, assignee: $assignee) { id assignee } }`,
  delegating: `mutation ($taskId: ID!, $assignee: String!) { delegateTask(taskId: $taskId, assignee: $assignee) { id owner assignee } }`,
  completing: 'mutation ($input: CompleteTaskInput!) { completeTask(input: $input) { id name } }',
  'completing, inline':
    'mutation { completeTask(input: { taskId: "t", variables: [{ name: "approved", type: "Boolean", value: true }], withVariablesInReturn: false }) { id } }',
  'setting variables of a task': `mutation ($taskId: ID!, $variables: [ProcessVariableInput!]!, $local: Boolean) { setTaskVariables(taskId: $taskId, variables: $variables, local: $local) { id variables { ${VARIABLE} } localVariables { ${VARIABLE} } } }`,
  commenting:
    'mutation ($taskId: ID!, $message: String!) { addTaskComment(taskId: $taskId, message: $message) { id taskId userId time message } }',
  deploying:
    'mutation ($input: DeployProcessInput!) { deployProcess(input: $input) { id name deploymentTime source tenantId } }',
  'deploying, inline':
    'mutation ($content: String!) { deployProcess(input: { name: "order", source: "modeler", resources: [{ name: "order.bpmn", content: $content }], enableDuplicateFiltering: true, deployChangedOnly: false }) { id } }',
  'deleting a deployment': 'mutation ($id: ID!, $cascade: Boolean) { deleteDeployment(id: $id, cascade: $cascade) }',
  'suspending a definition': `mutation ($id: ID!, $includeInstances: Boolean) { suspendProcessDefinition(id: $id, includeInstances: $includeInstances) { ${DEFINITION} } }`,
  'activating a definition': `mutation ($id: ID!) { activateProcessDefinition(id: $id, includeInstances: true) { id suspended } }`,
  'retrying a job': `mutation ($input: SetJobRetriesInput!) { setJobRetries(input: $input) { ${INCIDENT} } }`,
  'resolving an incident': 'mutation ($id: ID!) { resolveIncident(id: $id) }',
  'annotating an incident': `mutation ($input: SetIncidentAnnotationInput!) { setIncidentAnnotation(input: $input) { id annotation } }`,
  'following assignments':
    'subscription { taskAssigned(assignee: "ann") { eventType task { id name assignee taskDefinitionKey processInstanceId processDefinitionId } timestamp } }',
  'following assignments of a group':
    'subscription { taskAssigned(candidateGroup: "clerks") { eventType task { id name } timestamp } }',
  'following completions': 'subscription { taskCompleted { eventType task { id processInstanceId } timestamp } }',
  'following a task': `subscription { taskUpdated(taskId: "t1") { eventType task { ${TASK} } timestamp } }`,
  'following starts':
    'subscription { processStarted(definitionKey: "order") { eventType processInstance { id definitionId definitionKey businessKey } timestamp } }',
  'following ends':
    'subscription { processEnded { eventType processInstance { id definitionId definitionKey businessKey } timestamp } }',
};

describe('the schema of BPM', () => {
  it('is valid, described throughout, and has a resolver for every root field', () => assert.deepEqual(problems, []));

  for (const [type, fields] of Object.entries(CONTRACT)) {
    it(`${type} has the fields that clients know, as nullable as they expect`, () => {
      const actual = fieldsOf(type);
      for (const [name, expected] of declared(fields)) assert.equal(actual[name], expected, `${type}.${name}`);
    });
  }

  for (const [path, expected] of Object.entries(ROOTS)) {
    it(`${path} takes and gives what clients expect`, () => {
      const [type = '', name = ''] = path.split('.');
      const field = (schema.getType(type) as GraphQLObjectType).getFields()[name];
      const args = field?.args.map((arg) => {
        const preset = arg.defaultValue === undefined ? '' : ` = ${arg.defaultValue}`;
        return `${arg.name}: ${arg.type}${preset}`;
      });
      assert.equal(`(${args?.join(', ')}): ${field?.type}`, expected);
    });
  }

  for (const type of ['ProcessDefinition', 'ProcessInstance', 'Task', 'Incident', 'Job', 'EventSubscription']) {
    it(`a page of ${type} is a Relay connection`, () => {
      assert.deepEqual(fieldsOf(`${type}Connection`), {
        edges: `[${type}Edge!]!`,
        pageInfo: 'PageInfo!',
        totalCount: 'Int!',
      });
      assert.deepEqual(fieldsOf(`${type}Edge`), { node: `${type}!`, cursor: 'String!' });
    });
  }

  it('names what may be subscribed to as BPMN does', () =>
    assert.deepEqual(valuesOf('EventSubscriptionType'), ['message', 'signal', 'conditional']));

  it('names the kinds of events and orders that clients know', () => {
    assert.deepEqual(valuesOf('TaskEventType'), ['CREATED', 'ASSIGNED', 'COMPLETED', 'UPDATED', 'DELETED']);
    assert.deepEqual(valuesOf('ProcessEventType'), ['STARTED', 'SUSPENDED', 'ACTIVATED', 'ENDED', 'CANCELLED']);
    assert.deepEqual(valuesOf('SortOrder'), ['ASC', 'DESC']);
    assert.deepEqual(valuesOf('TaskSortField'), [
      'ID',
      'NAME',
      'ASSIGNEE',
      'CREATED',
      'DUE',
      'FOLLOW_UP',
      'PRIORITY',
      'PROCESS_INSTANCE_ID',
    ]);
  });

  for (const [name, document] of Object.entries(DOCUMENTS)) {
    it(`takes the document for ${name}`, () =>
      assert.deepEqual(
        validate(schema, parse(document)).map((error) => error.message),
        [],
      ));
  }
});
