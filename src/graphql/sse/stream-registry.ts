import type { Caller } from '../../shared/caller.js';
import { TransportError } from '../http/transport-error.js';
import type { StreamLimits } from '../limits.js';

/** Something that takes the place of one stream. */
export interface StreamSlot {
  readonly owner: StreamOwner;
  /** The name of the workspace that it is of. */
  readonly workspace: string;
  /** Whether no client is connected: it gives way when the place is needed. */
  readonly isIdle: boolean;
  /** Ends it for good unless its caller's session still stands. */
  look(): Promise<void>;
  /** Ends it for good; it then leaves the registry. */
  drop(): void;
}

/**
 * Who shares the limit of streams: a session, or, where each request signs in by itself, at one address the token, or the user of HTTP Basic. A stream is its
 * owner's alone, at whatever address that is.
 */
export interface StreamOwner {
  readonly sessionId: string | null;
  readonly key: string;
}

/** Whose stream it is, for the limit: the session's, else that of whatever the request brought, at that address. */
export const ownerOf = (caller: Caller, address: string): StreamOwner => ({
  sessionId: caller.sessionId,
  key: JSON.stringify(caller.sessionId === null ? [bringerOf(caller), address] : bringerOf(caller)),
});

/** Who may come back to a stream: the session, the token, or whoever brings the user's password. */
export const bringerOf = ({ sessionId, userId, proof }: Caller): string => {
  if (sessionId !== null) return JSON.stringify(['session', userId, sessionId]);
  return JSON.stringify(proof?.scope === undefined ? ['user', userId] : [proof.way, userId, proof.id]);
};

/** The streams of a server, bounded per owner and in all. Reserved and parked ones give way to those that are wanted now, oldest first. */
export class StreamRegistry {
  readonly #limits: StreamLimits;
  readonly #slots = new Set<StreamSlot>();
  #looking: NodeJS.Immediate | undefined;
  readonly #ofOwners = new Map<string, Set<StreamSlot>>();

  constructor(limits: StreamLimits) {
    this.#limits = limits;
  }

  /** How many streams there are. */
  get size(): number {
    return this.#slots.size;
  }

  /** Takes a place. @throws TransportError 429 when all are in use */
  add(slot: StreamSlot): void {
    const { streamsPerSessionMax, streamsMax } = this.#limits;
    const whose =
      slot.owner.sessionId === null ? 'of a user who signs in with every request, from one address' : 'of a session';
    makeRoom(this.#ofOwner(slot), streamsPerSessionMax, whose);
    makeRoom(this.#slots, streamsMax, 'of this server');
    this.#slots.add(slot);
    this.#ofOwners.set(slot.owner.key, this.#ofOwner(slot).add(slot));
  }

  remove(slot: StreamSlot): void {
    this.#slots.delete(slot);
    const ofOwner = this.#ofOwner(slot);
    ofOwner.delete(slot);
    if (ofOwner.size === 0) this.#ofOwners.delete(slot.owner.key);
  }

  /** Ends the streams that are meant. Default: all. */
  drop(isMeant: (slot: StreamSlot) => boolean = () => true): void {
    for (const slot of [...this.#slots]) if (isMeant(slot)) slot.drop();
  }

  /** Has each of them look whether its caller's session still stands, once for all that asks for it in one turn of the event loop. */
  lookAgain(): void {
    this.#looking ??= setImmediate(() => {
      this.#looking = undefined;
      for (const slot of [...this.#slots]) void slot.look();
    });
  }

  #ofOwner({ owner }: StreamSlot): Set<StreamSlot> {
    return this.#ofOwners.get(owner.key) ?? new Set();
  }
}

function makeRoom(among: ReadonlySet<StreamSlot>, max: number, whose: string): void {
  if (among.size < max) return;
  for (const slot of among) if (slot.isIdle) return slot.drop();
  throw new TransportError(
    429,
    'RATE_LIMITED',
    `expected at most ${max} event streams ${whose}, but all of them are open`,
    { 'retry-after': '5' },
  );
}
