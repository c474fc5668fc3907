import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../shared/errors.js';
import { log } from '../shared/log.js';
import type { LogWarning, Partition } from '../store/index.js';

/** How long a log may take to prove that it takes writes. */
const PATIENCE_MS = 2_000;
/** How long what was found holds: whoever asks oftener makes no more work. */
const HOLDS_MS = 1_000;

/** Why a server that runs can take no changes. */
export interface Unready {
  readonly reason: 'log_away' | 'log_silent' | LogWarning['reason'];
  /** For everybody: names neither workspaces nor addresses, which the server's log does. */
  readonly message: string;
}

/** What an operator should change, for everybody. */
export type Warning = Omit<LogWarning, 'isUnready'>;

/** The store, as far as it is looked at. */
interface ReadyStore {
  readonly partitions: readonly Pick<Partition, 'workspace' | 'probe'>[];
  readonly warnings: readonly LogWarning[];
}

/** Whether what is decided can be made durable now. */
export class Readiness {
  readonly #store: ReadyStore;
  #looking: Promise<Unready | undefined> | undefined;
  #told = '';

  constructor(store: ReadyStore) {
    this.#store = store;
  }

  /** What does not keep the server from taking changes, but an operator should know. */
  warnings(): readonly Warning[] {
    return this.#store.warnings.flatMap(({ isUnready, ...warning }) => (isUnready ? [] : [warning]));
  }

  /** Looks at the log of every workspace; undefined: all of them take writes. What was found a moment ago is told again. */
  check(): Promise<Unready | undefined> {
    this.#looking ??= this.#look();
    return this.#looking;
  }

  async #look(): Promise<Unready | undefined> {
    const found = (await Promise.all(this.#store.partitions.map(lookAt))).find((one) => one !== undefined);
    setTimeout(() => {
      this.#looking = undefined;
    }, HOLDS_MS).unref();
    this.#tell(found);
    return found?.unready ?? this.#risk();
  }

  /** The log takes writes, but may not keep them. */
  #risk(): Unready | undefined {
    const risk = this.#store.warnings.find(({ isUnready }) => isUnready);
    return risk && { reason: risk.reason, message: risk.message };
  }

  /** Once per reason: orchestrators ask every few seconds. */
  #tell(found: Found | undefined): void {
    const told = found === undefined ? '' : `${found.workspace} ${found.unready.reason}`;
    if (told === this.#told) return;
    this.#told = told;
    if (found === undefined) log.info('the server is ready again');
    else
      log.warn({ workspace: found.workspace, reason: found.cause }, 'the server is not ready: its log takes no writes');
  }
}

interface Found {
  readonly workspace: string;
  readonly unready: Unready;
  readonly cause: string;
}

async function lookAt(partition: Pick<Partition, 'workspace' | 'probe'>): Promise<Found | undefined> {
  const patience = new AbortController();
  const { workspace } = partition;
  const silent: Found = { workspace, unready: SILENT, cause: `it did not answer within ${PATIENCE_MS} ms` };
  const probed = partition.probe().then(
    () => undefined,
    (thrown: unknown): Found => ({ workspace, unready: AWAY, cause: messageOf(thrown) }),
  );
  const found = await Promise.race([
    probed,
    sleep(PATIENCE_MS, silent, { signal: patience.signal }).catch(() => silent),
  ]);
  patience.abort();
  return found;
}

const AWAY: Unready = {
  reason: 'log_away',
  message: 'expected the log to take writes, but it refuses them or is away; what is there can be read',
};
const SILENT: Unready = {
  reason: 'log_silent',
  message: 'expected the log to answer, but it is silent; what is there can be read',
};
