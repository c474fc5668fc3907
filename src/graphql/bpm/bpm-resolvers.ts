import type { Resolvers } from '../generated/schema.js';
import { activityInstanceResolvers } from './activity-instance.js';
import { incidentResolvers } from './incident.js';
import { operatorMutations, processMutations, taskMutations } from './mutations.js';
import { deploymentResolvers, deploymentResourceResolvers, processDefinitionResolvers } from './process-definition.js';
import { processInstanceResolvers } from './process-instance.js';
import { bpmQueries } from './queries.js';
import { bpmSubscriptions } from './subscriptions.js';
import { taskResolvers } from './task.js';

/** The resolvers of `schema/bpm-*.graphql`. */
export const bpmResolvers = {
  Query: bpmQueries,
  Mutation: { ...processMutations, ...taskMutations, ...operatorMutations },
  Subscription: bpmSubscriptions,
  ActivityInstance: activityInstanceResolvers,
  Deployment: deploymentResolvers,
  DeploymentResource: deploymentResourceResolvers,
  EventSubscription: {
    activityId: ({ elementId }) => elementId,
    processInstanceId: ({ instanceId }) => instanceId,
  },
  Incident: incidentResolvers,
  Job: {
    state: ({ actor }) => actor.value,
    due: ({ dueAt }) => dueAt,
    retries: ({ actor }) => actor.context.retries,
    attempts: ({ actor }) => actor.context.attempt,
    processInstanceId: ({ instanceId }) => instanceId,
    exceptionMessage: ({ failure }) => failure?.message ?? null,
    failedAt: ({ failure }) => failure?.at ?? null,
  },
  ProcessDefinition: processDefinitionResolvers,
  ProcessInstance: processInstanceResolvers,
  ProcessVariable: { valueInfo: () => null },
  Task: taskResolvers,
} satisfies Resolvers;
