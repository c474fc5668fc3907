import type { CommandContext, FeedEvent } from '../../decision.js';
import type { State } from '../../state.js';
import { moved, settled } from './change.js';
import { newJob } from './client-operations.js';
import { changedFigures, type LongJobChanges } from './figures.js';
import type { LongJob } from './long-job.js';

interface QueuedLongJob {
  readonly type: string;
  /** Plain JSON. */
  readonly parameters: unknown;
  /** Figures to begin with. */
  readonly figures?: LongJobChanges;
}

/** A long job that a decision makes and starts at once, with the event that tells of it. To be written under its id. */
export function queuedLongJob(
  state: State,
  { type, parameters, figures = {} }: QueuedLongJob,
  { caller, commandId }: Pick<CommandContext, 'caller' | 'commandId'>,
): { readonly job: LongJob; readonly events: readonly FeedEvent[] } {
  const made = newJob(state, { type }, caller);
  const [started, actions] = moved(made, { type: 'start' });
  const queued: LongJob = {
    ...started,
    parameters,
    figures: changedFigures(made.figures, figures),
    queued: state.now,
    ticket: state.ids.next(),
    cause: { ...caller.cause, commandId: caller.cause.commandId ?? commandId },
  };
  return settled([queued, actions], state.now);
}
