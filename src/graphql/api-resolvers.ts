import { bufferedMessages } from '../engine/index.js';
import { auditEntryResolvers, audited, auditQueries } from './audit/audit-log.js';
import { batchMutations } from './bpm/batch.js';
import {
  decisionInstanceResolvers,
  decisionMutations,
  decisionQueries,
  decisionValueResolvers,
  evaluatedDecisionResolvers,
  matchedRuleResolvers,
} from './bpm/decision.js';
import {
  externalMutations,
  externalQueries,
  externalSubscriptions,
  externalTaskResolvers,
} from './bpm/external-task.js';
import { migrationMutations, migrationQueries } from './bpm/migration.js';
import { operatorMutations, processMutations, taskMutations } from './bpm/mutations.js';
import {
  activityInstanceResolvers,
  deploymentResolvers,
  deploymentResourceResolvers,
  incidentResolvers,
  instanceLeft,
  processDefinitionResolvers,
  processInstanceResolvers,
} from './bpm/process.js';
import { bpmQueries } from './bpm/queries.js';
import { bpmSubscriptions } from './bpm/subscriptions.js';
import { taskResolvers } from './bpm/task.js';
import { variableList } from './bpm/variables.js';
import {
  accessControlEntryResolvers,
  accessControlResolvers,
  accessMutations,
  accessQueries,
} from './content/access-control.js';
import { appQueries } from './content/apps.js';
import { jobMutations } from './content/job-mutations.js';
import { lockInfoResolvers, nodeResolvers } from './content/node.js';
import {
  childDefinitionResolvers,
  nodeTypeMutations,
  nodeTypeQueries,
  nodeTypeResolvers,
  propertyDefinitionResolvers,
} from './content/node-types.js';
import { propertyValueResolvers } from './content/property-value.js';
import { operationResultResolvers, transactionMutations } from './content/transaction-mutations.js';
import { copyMutations, lockMutations, treeMutations } from './content/tree-mutations.js';
import {
  contentSubscriptions,
  nodeChangeEventResolvers,
  nodeChildren,
  referenceQueries,
  treeQueries,
} from './content/tree-queries.js';
import { uploadMutations, uploadQueries } from './content/uploads.js';
import { nodeVersions, versionHistoryResolvers, versionMutations, versionQueries } from './content/versions.js';
import { xmlMutations, xmlQueries } from './content/xml.js';
import { contextMutations, contextQueries, contextResolvers } from './eip/context.js';
import { definitionMutations, definitionQueries, routeTemplateResolvers } from './eip/definition.js';
import { endpointQueries } from './eip/endpoint.js';
import { historyExchangeResolvers, historyQueries, historyStepResolvers, summaryResolvers } from './eip/history.js';
import { operateMutations } from './eip/operate.js';
import {
  endpointResolvers,
  routeDefinitionResolvers,
  routeQueries,
  routeResolvers,
  routeSubscriptions,
  routeVersionResolvers,
} from './eip/route.js';
import { statisticsMutations, statisticsResolvers } from './eip/statistics.js';
import { trialMutations, trialQueries } from './eip/trial.js';
import type { Resolvers } from './generated/schema.js';
import { apiTokenMutations, apiTokenQueries, apiTokenResolvers } from './identity/api-tokens.js';
import {
  groupResolvers,
  groupTreeNodeResolvers,
  nestedQueries,
  roleResolvers,
  roleTreeNodeResolvers,
} from './identity/groups-and-roles.js';
import { homeSubscriptions } from './identity/home-events.js';
import { externalIdentityMutations, nestedMutations, userMutations } from './identity/identity-mutations.js';
import { sessionMutations, sessionQueries, sessionResolvers } from './identity/sessions.js';
import { userQueries, userResolvers } from './identity/users.js';
import { longJobResolvers } from './job/long-job-resolvers.js';
import { notificationMutations, notificationSubscriptions } from './notification/notifications.js';
import { scoped } from './scope.js';
import { workspaceMutations } from './workspace/workspace-mutations.js';
import {
  longJobNodeResolvers,
  workspaceQueries,
  workspaceResolvers,
  workspaceSubscriptions,
} from './workspace/workspaces.js';

/** The resolvers of processes, tasks, jobs, incidents and the clock: `schema/bpm-*.graphql` and `schema/clock.graphql`. */
export const bpmResolvers = {
  Query: { ...bpmQueries, ...decisionQueries, ...externalQueries, ...migrationQueries },
  Mutation: {
    ...processMutations,
    ...decisionMutations,
    ...taskMutations,
    ...externalMutations,
    ...operatorMutations,
    ...batchMutations,
    ...migrationMutations,
  },
  Subscription: { ...bpmSubscriptions, ...externalSubscriptions },
  ActivityInstance: activityInstanceResolvers,
  BatchJob: { type: ({ jobType }) => jobType },
  DecisionInstance: decisionInstanceResolvers,
  DecisionValue: decisionValueResolvers,
  Deployment: deploymentResolvers,
  DeploymentResource: deploymentResourceResolvers,
  EvaluatedDecision: evaluatedDecisionResolvers,
  EventSubscription: {
    activityId: ({ elementId }) => elementId,
    processInstanceId: ({ instanceId }) => instanceId,
  },
  ExternalTask: externalTaskResolvers,
  BufferedMessage: {
    processInstanceId: ({ instanceId }) => instanceId,
    correlationKeys: ({ keys, localKeys }) =>
      Object.fromEntries([...keys, ...localKeys].map(({ name, value }) => [name, value])),
    variables: ({ variables, localVariables, scopeVariables }) =>
      variableList({ ...variables, ...localVariables, ...scopeVariables }),
  },
  MessageCorrelation: {
    bufferedMessage: ({ bufferedId }, _, { reading }) =>
      bufferedId === null ? null : (reading.get(bufferedMessages, bufferedId) ?? null),
  },
  MessageReceiver: {
    started: ({ isStarted }) => isStarted,
    processInstance: ({ instanceId }, _, context) => instanceLeft(context, instanceId),
    processInstanceId: ({ instanceId }) => instanceId,
  },
  Incident: incidentResolvers,
  Job: {
    state: ({ actor }) => actor.value,
    due: ({ dueAt }) => dueAt,
    priority: ({ priority = 0 }) => priority,
    retries: ({ actor }) => actor.context.retries,
    attempts: ({ actor }) => actor.context.attempt,
    processInstanceId: ({ instanceId }) => instanceId,
    exceptionMessage: ({ failure }) => failure?.message ?? null,
    failedAt: ({ failure }) => failure?.at ?? null,
  },
  MatchedRule: matchedRuleResolvers,
  ProcessDefinition: processDefinitionResolvers,
  ProcessInstance: processInstanceResolvers,
  Task: taskResolvers,
} satisfies Resolvers;

/** The resolvers of `schema/content-*.graphql`. */
const contentResolvers = {
  Query: {
    ...treeQueries,
    ...referenceQueries,
    ...accessQueries,
    ...uploadQueries,
    ...versionQueries,
    ...nodeTypeQueries,
    ...xmlQueries,
    ...appQueries,
  },
  Subscription: contentSubscriptions,
  NodeChangeEvent: nodeChangeEventResolvers,
  Mutation: {
    ...treeMutations,
    ...accessMutations,
    ...lockMutations,
    ...uploadMutations,
    ...copyMutations,
    ...transactionMutations,
    ...jobMutations,
    ...versionMutations,
    ...nodeTypeMutations,
    ...xmlMutations,
  },
  Node: { ...nodeResolvers, ...nodeChildren, ...nodeVersions },
  NodeType: nodeTypeResolvers,
  PropertyDefinition: propertyDefinitionResolvers,
  ChildNodeDefinition: childDefinitionResolvers,
  LockInfo: lockInfoResolvers,
  VersionHistory: versionHistoryResolvers,
  ContentOperationResult: operationResultResolvers,
  AccessControl: accessControlResolvers,
  AccessControlEntry: accessControlEntryResolvers,
  ...propertyValueResolvers,
} satisfies Resolvers;

/** The resolvers of `schema/eip-*.graphql`, and of `schema/exchange-history.graphql`, which is asked also where the engine is off. */
const eipResolvers = {
  Query: {
    ...routeQueries,
    ...contextQueries,
    ...endpointQueries,
    ...definitionQueries,
    ...trialQueries,
    ...historyQueries,
  },
  Mutation: {
    ...operateMutations,
    ...contextMutations,
    ...definitionMutations,
    ...trialMutations,
    ...statisticsMutations,
  },
  Subscription: routeSubscriptions,
  Route: { ...routeResolvers, ...statisticsResolvers },
  RouteVersion: routeVersionResolvers,
  RouteDefinition: routeDefinitionResolvers,
  RouteTemplate: routeTemplateResolvers,
  Endpoint: endpointResolvers,
  CamelContext: contextResolvers,
  HistoryExchange: historyExchangeResolvers,
  HistoryExchangeSummary: summaryResolvers,
  HistoryStep: historyStepResolvers,
} satisfies Resolvers;

/** The resolvers of `schema/identity-*.graphql`. */
const identityResolvers = {
  Query: { ...userQueries, ...nestedQueries, ...sessionQueries, ...apiTokenQueries },
  Mutation: {
    ...userMutations,
    ...nestedMutations,
    ...sessionMutations,
    ...apiTokenMutations,
    ...externalIdentityMutations,
  },
  Subscription: homeSubscriptions,
  User: userResolvers,
  SignInSession: sessionResolvers,
  ApiToken: apiTokenResolvers,
  Group: groupResolvers,
  GroupTreeNode: groupTreeNodeResolvers,
  Role: roleResolvers,
  RoleTreeNode: roleTreeNodeResolvers,
} satisfies Resolvers;

/** The resolvers of `schema/workspace*.graphql`. */
const workspacesResolvers = {
  Query: workspaceQueries,
  Mutation: workspaceMutations,
  Subscription: workspaceSubscriptions,
  Workspace: workspaceResolvers,
  LongJob: longJobNodeResolvers,
} satisfies Resolvers;

const allResolvers = {
  ...bpmResolvers,
  ...contentResolvers,
  ...eipResolvers,
  ...identityResolvers,
  ...workspacesResolvers,
  Query: {
    ...bpmResolvers.Query,
    ...contentResolvers.Query,
    ...eipResolvers.Query,
    ...identityResolvers.Query,
    ...workspacesResolvers.Query,
    ...longJobResolvers.Query,
    ...auditQueries,
  },
  AuditEntry: auditEntryResolvers,
  Mutation: {
    ...bpmResolvers.Mutation,
    ...contentResolvers.Mutation,
    ...eipResolvers.Mutation,
    ...identityResolvers.Mutation,
    ...workspacesResolvers.Mutation,
    ...notificationMutations,
  },
  Subscription: {
    ...bpmResolvers.Subscription,
    ...contentResolvers.Subscription,
    ...eipResolvers.Subscription,
    ...identityResolvers.Subscription,
    ...workspacesResolvers.Subscription,
    ...longJobResolvers.Subscription,
    ...notificationSubscriptions,
  },
} satisfies Resolvers;

const inScope = scoped(allResolvers, [
  ['CONTENT', contentResolvers],
  ['CONTENT', longJobResolvers],
  ['BPM', bpmResolvers],
  ['EIP', eipResolvers],
]);

/** The resolvers of the whole schema. */
export const apiResolvers = { ...inScope, Mutation: audited(inScope.Mutation) };
