import { type Content, nodes } from '../../content/index.js';
import { messageOf } from '../../shared/errors.js';
import { log } from '../../shared/log.js';
import type { PartitionPort, ReplicaSide, Store } from '../../store/index.js';
import type { Sessions } from '../session/sessions.js';
import { inEach, MINUTE_MS, type RecurringWork } from './recurring.js';

interface SessionLocksParts {
  readonly store: Store;
  readonly content: Content;
  readonly sessions: Pick<Sessions, 'isAlive' | 'onEnd'>;
}

/**
 * Releases the locks of a session when it ends. What ended while the server did not run is found at the start, and once a minute whatever was
 * locked while its session was ending.
 */
export class SessionLocks {
  readonly #parts: SessionLocksParts;
  readonly #stopListening: () => void;
  /** One after the other: many sessions may end at once. */
  #releasing: Promise<void> = Promise.resolve();

  constructor(parts: SessionLocksParts) {
    this.#parts = parts;
    this.#stopListening = parts.sessions.onEnd((sessionId) => this.#ended(sessionId));
  }

  /** Looks for locks whose sessions have ended unseen. */
  readonly recurring: RecurringWork = { name: 'session locks', everyMs: MINUTE_MS, work: () => this.#look() };

  /** Listens no longer; resolves when the locks of sessions that have ended are released. */
  async close(): Promise<void> {
    this.#stopListening();
    await this.#releasing;
  }

  #ended(sessionId: string): void {
    this.#releasing = this.#releasing
      .then(() => this.#release(sessionId))
      .catch((thrown: unknown) =>
        log.warn({ reason: messageOf(thrown) }, 'locks of an ended session are released within a minute'),
      );
  }

  async #release(sessionId: string): Promise<void> {
    await inEach(this.#parts.store.partitions, (partition) => this.#releaseIn(partition, sessionId));
  }

  async #releaseIn(partition: PartitionPort, sessionId: string): Promise<void> {
    const { releaseSessionLocks } = this.#parts.content.jobs;
    let isMore = partition.replica.read().find(nodes, 'lockSession', [sessionId], { limit: 1 }).length > 0;
    while (isMore) isMore = await partition.sendAsSystem(releaseSessionLocks, { sessionId });
  }

  async #look(): Promise<void> {
    await inEach(this.#parts.store.partitions, async (partition) => {
      let sessionId: string | undefined = '';
      while (sessionId !== undefined) {
        sessionId = nextSession(partition.replica, sessionId);
        if (sessionId !== undefined && !(await this.#parts.sessions.isAlive(sessionId)))
          await this.#releaseIn(partition, sessionId);
      }
    });
  }
}

/** The next session, in the order of their ids, that holds locks in the partition. */
function nextSession(replica: ReplicaSide, behind: string): string | undefined {
  // Ids are of one length: none lies between one and the same with something behind it.
  const held = replica.read().range(nodes, 'lockSession', [`${behind} `], 1, { skipDamaged: true });
  return held[0]?.lock?.sessionId ?? undefined;
}
