import { start, step } from '../actor.js';
import type { Command } from '../decision.js';
import type { Job, NewJob } from './job.js';
import { jobMachine } from './machine.js';

const RETRIES_DEFAULT = 3;

/** A new job as it is stored: waiting, or dead where it must not run. */
export function jobOf(job: NewJob, { cause, caller, id }: Pick<Command, 'cause' | 'caller' | 'id'>, now: number): Job {
  const about = job.instanceId ? { instanceId: job.instanceId } : {};
  const retries = job.retries ?? RETRIES_DEFAULT;
  return {
    id: job.id,
    type: job.type,
    dueAt: job.dueAt,
    immediate: job.immediate ?? false,
    exclusive: job.exclusive ?? null,
    retries,
    retryCycle: job.retryCycle ?? null,
    instanceId: job.instanceId ?? null,
    definitionId: job.definitionId ?? null,
    definitionKey: job.definitionKey ?? null,
    activityId: job.activityId ?? null,
    executionId: job.executionId ?? null,
    input: job.input,
    created: now,
    userId: caller.userId,
    cause: { ...cause, ...about, ...job.cause, commandId: cause.commandId ?? id },
    suspended: false,
    deaths: 0,
    ...bornAs(job, retries, now),
  };
}

function bornAs({ failure }: NewJob, retries: number, now: number): Pick<Job, 'failure' | 'actor'> {
  const waiting = start(jobMachine, { attempt: 0, retries });
  if (!failure) return { failure: null, actor: waiting };
  const [dead] = step(jobMachine, waiting, { type: 'bury' });
  return { failure: { stack: null, ...failure, at: now }, actor: dead };
}
