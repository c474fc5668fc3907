import type { Caller } from '../../shared/caller.js';
import { TransportError } from '../http/transport-error.js';
import type { StreamLimits } from '../limits.js';

/** Something that takes the place of one stream. */
export interface StreamSlot {
  readonly session: string;
  /** Whether no client is connected: it gives way when the place is needed. */
  readonly isIdle: boolean;
  /** Ends it for good; it then leaves the registry. */
  drop(): void;
}

/** The streams of a server, bounded per session and in all. Reserved and parked ones give way to those that are wanted now, oldest first. */
export class StreamRegistry {
  readonly #limits: StreamLimits;
  readonly #slots = new Set<StreamSlot>();

  constructor(limits: StreamLimits) {
    this.#limits = limits;
  }

  /** How many streams there are. */
  get size(): number {
    return this.#slots.size;
  }

  /** Takes a place. @throws TransportError 429 when all are in use */
  add(slot: StreamSlot): void {
    const ofSession = [...this.#slots].filter(({ session }) => session === slot.session);
    this.#makeRoom(ofSession, this.#limits.streamsPerSessionMax, 'of a session');
    this.#makeRoom([...this.#slots], this.#limits.streamsMax, 'of this server');
    this.#slots.add(slot);
  }

  remove(slot: StreamSlot): void {
    this.#slots.delete(slot);
  }

  /** Ends the streams of a session, or all. */
  drop(session?: string): void {
    for (const slot of [...this.#slots]) {
      if (session === undefined || slot.session === session) slot.drop();
    }
  }

  #makeRoom(among: readonly StreamSlot[], max: number, whose: string): void {
    if (among.length < max) return;
    const idle = among.find(({ isIdle }) => isIdle);
    if (idle === undefined) throw tooManyStreams(max, whose);
    idle.drop();
  }
}

/** What the streams of one sign-in have in common. */
export const sessionOf = (caller: Caller): string => caller.sessionId ?? `user:${caller.userId}`;

const tooManyStreams = (max: number, whose: string) =>
  new TransportError(429, 'RATE_LIMITED', `expected at most ${max} event streams ${whose}, but all of them are open`, {
    'retry-after': '5',
  });
