import type { Variables } from './typed-value.js';

/** The way of an instance from one program to another. It is on the program of the run from then on. */
export interface MigrateInput extends Migration {
  readonly type: 'migrate';
  /** Set on the process before anything moves. */
  readonly variables: Variables;
  /** Positions of what is away, by the outermost large scope. Absent: nothing is. */
  readonly resting?: Readonly<Record<string, readonly number[]>>;
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

/** Where a migration leads what rests directly in a large scope. */
export interface Led {
  /** The large scope. */
  readonly scope: number;
  /** Positions in the former program: of what goes there, and of what is in that. */
  readonly elements: readonly number[];
  /** The scope in which it is from then on. */
  readonly to: number;
}

/** A migration as what rests takes it by and by. */
export type Migrated = Deferred & Migration & { readonly led?: readonly Led[] };

/** What those that rest in large scopes take by and by: a migration, or that an activity is cancelled. */
export type Move = Migrated | (Deferred & Cancellation);

interface Deferred {
  /** The tokens of smaller numbers were there before. */
  readonly n: number;
  /** The definition that they are of when they have taken it. */
  readonly to: string;
}

/** A modification cancels an activity wherever it goes on. */
export interface Cancellation {
  /** Its position in the program. 0: all that is directly in the process. */
  readonly cancels: number;
  /** That, and those of what is in it. Absent: a former version has written it. */
  readonly within?: readonly number[];
  /** Kept with the instance where it ends by it. */
  readonly reason: string;
  /** Whether listeners are passed over; absent: they are told. */
  readonly silent?: true;
  /** Whether outputs are not mapped; absent: they are. */
  readonly unmapped?: true;
}

/** The scopes that a move leads to, and those that it leads out of. */
export const ledBy = (move: Move): readonly Led[] => (isCancellation(move) ? [] : (move.led ?? []));

/** The outermost large scope and the position to which moves lead what rests. */
export const whereLed = (scope: number, element: number, moves: readonly Move[]): readonly [number, number] =>
  moves.reduce<readonly [number, number]>(
    ([from, at], move) => {
      if (isCancellation(move)) return [from, at];
      const led = ledBy(move).find((each) => each.scope === from && each.elements.includes(at));
      return [led?.to ?? from, move.elements[at] ?? 0];
    },
    [scope, element],
  );

/** Whether one of the moves cancels what rests at the position, by the outermost large scope that it is in. */
export const isCancelled = (scope: number, element: number, moves: readonly Move[]): boolean =>
  moves.some((move, n) => {
    if (!isCancellation(move)) return false;
    const [from, at] = whereLed(scope, element, moves.slice(0, n));
    return move.cancels === 0 ? from === 0 : move.within?.includes(at) === true;
  });

export const isCancellation = <T extends Migration | Cancellation>(move: T): move is T & Cancellation =>
  'cancels' in move;

/** Tokens that rest in large scopes take the moves that they have not taken yet. */
export interface FollowInput {
  readonly type: 'follow';
  /** Those up to that number are then taken by all. */
  readonly until?: number;
  /** Whether no listener is told of what is cancelled: one of them has failed. */
  readonly silent?: true;
}

export type MigrationInput = MigrateInput | FollowInput;
