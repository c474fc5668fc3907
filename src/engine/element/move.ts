import type { Variables } from './typed-value.js';

/** The way of an instance from one program to another. It is on the program of the run from then on. */
export interface MigrateInput extends Migration {
  readonly type: 'migrate';
  /** Set on the process before anything moves. */
  readonly variables: Variables;
}

/** What goes where. */
export interface Migration {
  /** The definition that it leaves. */
  readonly from: string;
  /** By position in that one's program: the position in the new one; -1: it goes nowhere. */
  readonly elements: readonly number[];
  /** Positions in the new program of events that are awaited anew. */
  readonly renewed: readonly number[];
  /** Whether execution listeners are passed over; absent: they are told. */
  readonly silent?: true;
  /** Whether inputs and outputs are not mapped; absent: they are. */
  readonly unmapped?: true;
}

/** A migration that what rests in large scopes takes by and by. */
export interface Move extends Migration {
  /** The tokens of smaller numbers were there before. */
  readonly n: number;
  /** The definition that it goes to. */
  readonly to: string;
}

/** Tokens that rest in large scopes take the migrations that they have not taken yet. `until`: those up to that number are then taken by all. */
export interface FollowInput {
  readonly type: 'follow';
  readonly until?: number;
}

export type MigrationInput = MigrateInput | FollowInput;
