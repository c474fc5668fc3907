import type { State } from '../../store/index.js';
import type { NewJob, ProcessInstance, Subscription } from '../collections.js';

/** Ids and time that a new job is made with. */
export type Making = Pick<State, 'ids' | 'now'>;

/** A job that is done as soon as it can be, also while a virtual clock stands. */
export const jobNow = ({ ids, now }: Making) => ({ id: ids.next(), dueAt: now, immediate: true });

/** As {@link jobNow}, about an instance: those of the same one are done one after the other. */
export const jobOfInstance = (
  making: Making,
  { id, definitionId, definitionKey }: Pick<ProcessInstance, 'id' | 'definitionId' | 'definitionKey'>,
) => ({ ...jobNow(making), exclusive: id, instanceId: id, definitionId, definitionKey });

/** As {@link jobNow}, about what waits for a message or a signal: an instance, or the start of one. */
export const jobOfSubscription = (
  making: Making,
  { instanceId, definitionId, definitionKey, elementId, executionId }: Subscription,
  cause: NewJob['cause'],
) => ({
  ...jobNow(making),
  definitionId,
  definitionKey,
  activityId: elementId,
  ...(instanceId !== null && { instanceId, exclusive: instanceId, executionId }),
  ...(cause && { cause }),
});

/** The instance as the cause of what its jobs do. */
export const causeOf = ({ id, businessKey }: Pick<ProcessInstance, 'id' | 'businessKey'>) =>
  ({ instanceId: id, ...(businessKey !== null && { businessKey }) }) satisfies NewJob['cause'];
