import type { ServiceError } from '../../shared/errors.js';
import type { Decision } from '../decision.js';
import type { Job } from '../job/job.js';
import type { Accepted } from './accepted.js';
import { type Recorded, writesOf } from './commit.js';
import { outcomeOf } from './outcome.js';

/** What is to be recorded of a decision as the commit of this revision; null: it wrote nothing that must be kept. @throws LIMIT_EXCEEDED */
export function recordedDecision(
  { command, now, operation }: Accepted,
  decision: Decision<unknown>,
  { revision, made }: { readonly revision: number; readonly made: readonly Job[] },
): Recorded | null {
  const writes = writesOf(decision, made, operation.limits?.writes);
  const { events = [] } = decision;
  if (writes.length === 0 && events.length === 0 && !command.keyed) return null;
  const outcome = command.keyed ? outcomeOf(command, { answer: decision.answer }) : null;
  return { revision, at: now, command, writes, events, outcome };
}

/** A refusal is an outcome like another: the same key gives it again. */
export function recordedRefusal(
  { command, now }: Accepted,
  { code, message, info }: ServiceError,
  revision: number,
): Recorded {
  const outcome = outcomeOf(command, { refusal: { code, message, info } });
  return { revision, at: now, command, writes: [], events: [], outcome };
}
