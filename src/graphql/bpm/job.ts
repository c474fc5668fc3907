import type { EventSubscriptionResolvers, JobResolvers } from '../generated/schema.js';

export const jobResolvers: JobResolvers = {
  state: ({ actor }) => actor.value,
  due: ({ dueAt }) => dueAt,
  retries: ({ actor }) => actor.context.retries,
  attempts: ({ actor }) => actor.context.attempt,
  processInstanceId: ({ instanceId }) => instanceId,
  exceptionMessage: ({ failure }) => failure?.message ?? null,
  failedAt: ({ failure }) => failure?.at ?? null,
};

export const eventSubscriptionResolvers: EventSubscriptionResolvers = {
  activityId: ({ elementId }) => elementId,
  processInstanceId: ({ instanceId }) => instanceId,
};
