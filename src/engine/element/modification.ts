import type { Variables } from './typed-value.js';

/** A modification that is under way. */
export interface Modifying {
  readonly instructions: readonly Instruction[];
  /** Kept with the instance where it ends by it. */
  readonly reason: string;
  readonly skipListeners?: true;
  readonly skipMappings?: true;
  /**
   * It reaches so much in large scopes that what rests there takes cancellations by and by: the tokens of those that were brought back, and take them at once.
   * Absent: all that it reaches was brought back.
   */
  readonly here?: readonly number[];
  /** The job by which it goes on: runs of others leave what is still to be done to it, so that a failure of that is not theirs. */
  readonly job?: string;
  /** How the last token left the process, if none has come since. */
  over?: 'completed' | 'cancelled';
  /** The element at which it came to its end. Absent also where that was by former rules. */
  last?: number;
}

/** Tokens are begun and cancelled from outside, one after the other. */
export interface ModifyInput extends Omit<Modifying, 'over' | 'last' | 'job'> {
  readonly type: 'modify';
  /** It comes in the place of what an earlier one has still to do, which is refused whenever it is tried. */
  readonly instead?: true;
  /** Why. */
  readonly annotation?: string;
}

/** A step of a modification. What it names is known by the ids of the model, and by numbers of activity instances and tokens. */
export type Instruction = StartInstruction | CancelInstruction;

/** Something begins: an activity, what follows it, or the flow. */
export interface StartInstruction {
  readonly type: 'startBeforeActivity' | 'startAfterActivity' | 'startTransition';
  /** Of the activity, or of the flow. */
  readonly id: string;
  /** The activity instance that it begins in, or in what is begun within; null: the nearest that there is. 0: the process. */
  readonly ancestor: number | null;
  readonly variables: Variables;
  readonly localVariables: Variables;
}

/** Something is cancelled: all that happens at an activity, or one activity instance or token. 0: all that happens in the process. */
export interface CancelInstruction {
  readonly type: 'cancel';
  readonly what: AllAt | { readonly number: number };
}

interface AllAt {
  readonly activityId: string;
  /** Only what is active there as the modification is ordered. */
  readonly current?: true;
  /** Then: what has a lower number. */
  readonly until?: number;
}
