import { collection } from '../collection.js';
import { operation, put, remove } from '../decision.js';
import type { State } from '../state.js';

/** There while jobs are run that are not taken first: whoever finds it at the start knows that the server before died, maybe of one of them. */
export interface UntakenRuns {
  readonly id: string;
  /** ms */
  readonly since: number;
}

export const untakenRuns = collection<UntakenRuns>({ name: 'untakenRuns' });

const ID = 'runs';

/** Whether jobs were run without being taken, and the server did not come to its end. */
export const areUntakenRun = (state: State): boolean => state.get(untakenRuns, ID) !== undefined;

/** Says that jobs are run without being taken from now on, or that none is any more. */
export const runUntaken = operation('runUntaken', (state: State, { begins }: { readonly begins: boolean }) => ({
  write: [begins ? put(untakenRuns, { id: ID, since: state.now }) : remove(untakenRuns, ID)],
  answer: null,
}));
