import type { Random } from '../../support/random.js';
import type { Arena } from '../arena.js';

/** A server, and what can happen to it. */
export interface Ground {
  readonly arena: Arena;
  /** Strikes, and resolves when the fault is over: the server could do its work again. Gives what it was. */
  strike(random: Random): Promise<string>;
  /** Takes away all that was made for it; the server has ended. */
  close(): Promise<void>;
}

/** A kind of fault. */
export interface Kind {
  readonly name: string;
  /** Why it cannot be tried on this machine; undefined: it can. */
  readonly missing?: () => string | undefined;
  open(): Promise<Ground>;
}
