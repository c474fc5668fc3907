import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../shared/errors.js';
import { log } from '../../shared/log.js';
import type { LogWarning, Partition } from '../../store/index.js';

/** How long a log may take to prove that it takes writes. */
const PATIENCE_MS = 2_000;
/** How long what was found holds: whoever asks oftener makes no more work. */
const HOLDS_MS = 1_000;

/** Why a server that runs can take no changes. */
export interface Unready {
  readonly reason: 'log_away' | 'log_silent' | 'commands_wait' | LogWarning['reason'];
  /** For everybody: names neither workspaces nor addresses, which the server's log does. */
  readonly message: string;
}

/** A warning to the operator, as everybody is told it. */
export interface Warning {
  /** Names its kind. */
  readonly reason: string;
  readonly message: string;
}

/** A partition, as far as it is looked at. */
type Looked = Pick<Partition, 'workspace' | 'isOpen'> & {
  readonly decider: Pick<Partition['decider'], 'probe' | 'waitedMs'>;
};

/** The store, as far as it is looked at. */
interface ReadyStore {
  readonly partitions: readonly Looked[];
  readonly warnings: readonly LogWarning[];
}

/** Whether what is decided can be made durable now. */
export class Readiness {
  readonly #store: ReadyStore;
  readonly #commandWaitMs: number;
  readonly #further: () => readonly Warning[];
  #looking: Promise<Unready | undefined> | undefined;
  #told = '';

  /** `commandWaitMs`: how long a command may wait to be decided or to be durable. `further`: warnings beside those of the store. */
  constructor(store: ReadyStore, commandWaitMs: number, further: () => readonly Warning[] = () => []) {
    this.#store = store;
    this.#commandWaitMs = commandWaitMs;
    this.#further = further;
  }

  /** What does not keep the server from taking changes, but an operator should know. */
  warnings(): readonly Warning[] {
    const ofStore = this.#store.warnings.flatMap(({ isUnready, ...warning }) => (isUnready ? [] : [warning]));
    return [...ofStore, ...this.#further()];
  }

  /** Looks at the log of every workspace; undefined: all of them take writes. What was found a moment ago is told again. */
  check(): Promise<Unready | undefined> {
    this.#looking ??= this.#look();
    return this.#looking;
  }

  async #look(): Promise<Unready | undefined> {
    const looks = this.#store.partitions.map((one) => waiting(one, this.#commandWaitMs) ?? lookAt(one));
    const found = (await Promise.all(looks)).find((one) => one !== undefined);
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
      log.warn({ workspace: found.workspace, reason: found.cause }, 'the server is not ready: changes cannot be made');
  }
}

interface Found {
  readonly workspace: string;
  readonly unready: Unready;
  readonly cause: string;
}

/** Whatever the reason: a log that takes a look but nobody's commands is of no use. */
function waiting(partition: Looked, maxMs: number): Found | undefined {
  const waitedMs = Math.round(partition.decider.waitedMs());
  if (waitedMs <= maxMs) return undefined;
  const { workspace } = partition;
  return { workspace, unready: WAITING, cause: `the oldest command has been waiting for ${waitedMs} ms` };
}

async function lookAt(partition: Looked): Promise<Found | undefined> {
  const patience = new AbortController();
  const { workspace } = partition;
  const silent: Found = { workspace, unready: SILENT, cause: `it did not answer within ${PATIENCE_MS} ms` };
  const probed = partition.decider.probe().then(
    () => undefined,
    (thrown: unknown): Found | undefined =>
      partition.isOpen ? { workspace, unready: AWAY, cause: messageOf(thrown) } : undefined,
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
const WAITING: Unready = {
  reason: 'commands_wait',
  message:
    'expected changes to be made in time, but the oldest has been waiting for too long; what is there can be read',
};
