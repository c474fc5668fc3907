import { ServiceError } from '../shared/errors.js';
import { nearestHint } from '../shared/nearest.js';
import type { ExternalTask, ProcessInstance, Task } from './collections.js';

const notFound = (what: string, id: string) =>
  new ServiceError(
    'NOT_FOUND',
    `expected ${/^[aeiou]/.test(what) ? 'an' : 'a'} ${what} with id '${id}', but there is none`,
    {
      reason: `${what.replaceAll(' ', '_')}_not_found`,
      resourceId: id,
    },
  );

export const taskNotFound = (id: string) => notFound('task', id);
export const instanceNotFound = (id: string) => notFound('process instance', id);
export const executionNotFound = (id: string) => notFound('execution', id);
export const definitionNotFound = (id: string) => notFound('process definition', id);
export const deploymentNotFound = (id: string) => notFound('deployment', id);
export const jobNotFound = (id: string) => notFound('job', id);
export const externalTaskNotFound = (id: string) => notFound('external task', id);
export const modelNotFound = (id: string) => notFound('process model', id);

export const jobNotWaiting = (id: string, found: string) =>
  new ServiceError('CONFLICT', `expected job '${id}' to be waiting, but it is ${found}`, {
    reason: `job_${found}`,
    resourceId: id,
  });

/** `deployed`: keys, of which the nearest is named. */
export function keyNotFound(key: string, deployed: readonly string[]): ServiceError {
  const hint = nearestHint(key, deployed);
  return new ServiceError('NOT_FOUND', `expected a process definition with key '${key}', but none is deployed${hint}`, {
    reason: 'process_definition_not_found',
    resourceId: key,
  });
}

/** Upstream refuses an unknown incident as a wrong argument. */
export const unknownIncident = (id: string) =>
  new ServiceError('BAD_REQUEST', `expected an open incident with id '${id}', but there is none`, {
    reason: 'incident_not_found',
    resourceId: id,
  });

export const unknownInstance = (id: string) =>
  new ServiceError('BAD_REQUEST', `expected a running process instance with id '${id}', but there is none`, {
    reason: 'process_instance_not_found',
    resourceId: id,
  });

/** The task's state does not accept the event. */
export const taskNotIn = (task: Task, wanted: string) =>
  new ServiceError(
    'CONFLICT',
    `expected to ${wanted} task '${task.id}', but it is ${task.actor.value}${heldBy(task.actor.context.assignee)}`,
    {
      reason: `task_not_accepting_${wanted}`,
      resourceId: task.id,
      details: { state: task.actor.value, assignee: task.actor.context.assignee },
    },
  );

const heldBy = (assignee: string | null): string => (assignee === null ? '' : ` to '${assignee}'`);

/** The external task's state does not accept the event. */
export const externalTaskNotIn = (task: ExternalTask, wanted: string) =>
  new ServiceError(
    'CONFLICT',
    `expected to ${wording(wanted)} external task '${task.id}', but it is ${task.actor.value}`,
    {
      reason: `external_task_${task.actor.value}`,
      resourceId: task.id,
      details: { state: task.actor.value },
    },
  );

/** What an event wants, as a sentence says it. */
const wording = (event: string): string => (event === 'setRetries' ? 'set the retries of' : event);

/** Another worker has it, or nobody. */
export const notLockedBy = (task: ExternalTask, wanted: string, found: string) =>
  new ServiceError(
    'CONFLICT',
    `expected the worker that has external task '${task.id}' to ${wanted} it, but ${found}`,
    {
      reason: 'external_task_not_locked',
      resourceId: task.id,
      details: { state: task.actor.value, workerId: task.lock?.workerId ?? null },
    },
  );

export const instanceNotIn = (instance: ProcessInstance, wanted: string) =>
  new ServiceError(
    'CONFLICT',
    `expected to ${wanted} process instance '${instance.id}', but it is ${instance.actor.value}`,
    {
      reason: `process_instance_${instance.actor.value}`,
      resourceId: instance.id,
      details: { state: instance.actor.value },
    },
  );

export const definitionSuspended = (id: string) =>
  new ServiceError('CONFLICT', `expected to start process definition '${id}', but it is suspended`, {
    reason: 'process_definition_suspended',
    resourceId: id,
  });

/** `who`: who may, as the sentence's second half. */
export const notAllowed = (what: string, id: string, userId: string, who: string) =>
  new ServiceError('FORBIDDEN', `expected ${who} to ${what} '${id}', but the caller is '${userId}'`, {
    reason: 'not_allowed',
    resourceId: id,
  });

/** `roles`: those of which one is needed. */
export const roleMissing = (what: string, userId: string, roles: readonly string[]) =>
  new ServiceError(
    'FORBIDDEN',
    `expected a caller with role ${roles.slice(0, -1).join(', ')} or ${roles.at(-1)} to ${what}, but '${userId}' has ${roles.length === 2 ? 'neither' : 'none of them'}`,
    { reason: 'role_missing' },
  );

export const missingArgument = (argument: string, expected: string) =>
  new ServiceError('BAD_REQUEST', `expected ${expected} as '${argument}', but found nothing`, {
    reason: 'argument_missing',
    details: { argument },
  });

export const badArgument = (argument: string, expected: string, found: unknown) =>
  new ServiceError('BAD_REQUEST', `expected ${expected} as '${argument}', but found ${shown(found)}`, {
    reason: 'argument_invalid',
    details: { argument },
  });

export const noReceiver = (messageName: string, sought: string) =>
  new ServiceError(
    'NOT_FOUND',
    `expected exactly one receiver of message '${messageName}'${sought}, but nothing waits for it`,
    { reason: 'message_not_correlated', resourceId: messageName, details: { receivers: 0 } },
  );

export const severalReceivers = (messageName: string, sought: string, count: number | string) =>
  new ServiceError(
    'CONFLICT',
    `expected exactly one receiver of message '${messageName}'${sought}, but ${count} wait for it`,
    { reason: 'message_ambiguous', resourceId: messageName, details: { receivers: count } },
  );

/** A found value in a sentence, shortened. */
function shown(value: unknown): string {
  const text = typeof value === 'string' ? `'${value}'` : (JSON.stringify(value) ?? 'nothing');
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}
