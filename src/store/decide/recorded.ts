import { ServiceError } from '../../shared/errors.js';
import type { Collection } from '../collection.js';
import { type Decision, put } from '../decision.js';
import type { Job } from '../job/job.js';
import type { Accepted } from './accepted.js';
import { type Recorded, writesOf } from './commit.js';
import { isFinal, outcomeOf } from './outcome.js';

/** Where a commit stands in its partition's history: its time is when it was made, which may be later than what its decision took for now. */
type CommitPlace = Pick<Recorded, 'revision' | 'at'>;

/** Jobs that a decision has made, and where they are stored. */
interface MadeJobs {
  readonly jobs: Collection<Job>;
  readonly made: readonly Job[];
}

/** What is to be recorded of a decision as the commit of this revision; null: it wrote nothing that must be kept. @throws LIMIT_EXCEEDED */
export function recordedDecision(
  { command, operation }: Accepted,
  decision: Decision<unknown>,
  { revision, at }: CommitPlace,
  { jobs, made }: MadeJobs,
): Recorded | null {
  const writes = writesOf(
    decision,
    made.map((job) => put(jobs, job)),
    operation.limits?.writes,
  );
  const { events = [] } = decision;
  if (writes.length === 0 && events.length === 0 && !command.keyed) return null;
  const outcome = command.keyed ? outcomeOf(command, { answer: decision.answer }) : null;
  return { revision, at, command, writes, events, outcome };
}

/** The refusal of a client's command is an outcome like another: the same key gives it again. null: it is no outcome. */
export function recordedRefusal({ command }: Accepted, error: Error, { revision, at }: CommitPlace): Recorded | null {
  if (!command.keyed || !(error instanceof ServiceError) || !isFinal(error)) return null;
  const { code, message, info } = error;
  const outcome = outcomeOf(command, { refusal: { code, message, info } });
  return { revision, at, command, writes: [], events: [], outcome };
}
