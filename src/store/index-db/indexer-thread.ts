import { messageOf } from '../../shared/errors.js';
import type { ThreadService } from '../../shared/thread-service.js';
import { systemTime, type Timer } from '../../shared/time.js';
import { partitionFolder } from '../data-folder.js';
import { releaseClosed } from '../sqlite.js';
import type { Fault } from './applier.js';
import { FollowedPartition } from './followed-partition.js';
import type { AnyProjection, IndexerModule } from './projection.js';

/** A message to the indexer's thread. `wake`: the partition has something new; the first one opens it. `renew`: its index cannot be read. */
export interface IndexerRequest {
  readonly kind: 'wake' | 'forget' | 'renew';
  readonly partition: string;
}

/** A report of it. `revision` null: the index is being built. `isLast`: nothing is left to do, it waits to be woken. `path`: of an index that it makes anew. */
export type IndexerReport =
  | { readonly kind: 'reached'; readonly partition: string; readonly revision: number | null; readonly isLast: boolean }
  | { readonly kind: 'fault'; readonly partition: string; readonly fault: Fault | null; readonly message: string }
  | { readonly kind: 'damage'; readonly path: string; readonly reason: string };

export interface IndexerThreadData {
  readonly dataFolder: string;
  /** File URLs of modules that export an `indexerModule`. */
  readonly modules: readonly string[];
}

/** How long nothing must have happened before write-ahead logs are cut. */
const IDLE_MS = 2_000;
/** After a failure of the disk. */
const AGAIN_MS = 1_000;

/** The thread that follows every partition's log. */
export async function inThread(
  { dataFolder, modules }: IndexerThreadData,
  report: (report: IndexerReport) => void,
): Promise<IndexerThread> {
  const projections: AnyProjection[] = [];
  for (const url of modules) {
    const { indexerModule } = (await import(url)) as { indexerModule: IndexerModule };
    projections.push(...indexerModule.projections);
  }
  return new IndexerThread(dataFolder, projections, report);
}

/** Follows logs: one batch of one partition after the other, so that none waits for the rebuild of another. */
class IndexerThread implements ThreadService<never, void, IndexerRequest> {
  readonly #dataFolder: string;
  readonly #projections: readonly AnyProjection[];
  readonly #report: (report: IndexerReport) => void;
  readonly #partitions = new Map<string, FollowedPartition>();
  readonly #ready = new Set<string>();
  readonly #unrested = new Set<string>();
  readonly #failed = new Map<string, Timer>();
  #isPumping = false;
  #idle: Timer = systemTime.after(IDLE_MS, () => this.#rest());

  constructor(dataFolder: string, projections: readonly AnyProjection[], report: (report: IndexerReport) => void) {
    this.#dataFolder = dataFolder;
    this.#projections = projections;
    this.#report = report;
  }

  hear({ kind, partition }: IndexerRequest): void {
    if (kind === 'wake') this.#wake(partition);
    else if (kind === 'forget') this.#forget(partition);
    else this.#renew(partition);
  }

  end(): void {
    for (const partition of [...this.#partitions.keys()]) this.#drop(partition);
  }

  #forget(partition: string): void {
    this.#drop(partition);
    releaseClosed();
  }

  #wake(partition: string): void {
    this.#ready.add(partition);
    if (this.#isPumping) return;
    this.#isPumping = true;
    systemTime.soon(() => this.#pump());
  }

  /** Whoever reads the index found it damaged. */
  #renew(partition: string): void {
    try {
      this.#partitions.get(partition)?.renew();
    } catch (thrown) {
      return this.#fail(partition, thrown);
    }
    this.#wake(partition);
  }

  #pump(): void {
    const [partition] = this.#ready;
    if (partition === undefined) {
      this.#isPumping = false;
      this.#restLater();
      return;
    }
    this.#ready.delete(partition);
    this.#unrested.add(partition);
    try {
      const followed = this.#partitions.get(partition) ?? this.#follow(partition);
      // Back to the end of the queue: the others come first.
      const isMore = followed.step();
      if (isMore) this.#ready.add(partition);
      this.#report({ kind: 'reached', partition, revision: followed.revision, isLast: !isMore });
    } catch (thrown) {
      this.#fail(partition, thrown);
    }
    systemTime.soon(() => this.#pump());
  }

  #follow(partition: string): FollowedPartition {
    const folder = partitionFolder(this.#dataFolder, partition);
    const followed = new FollowedPartition(
      folder,
      this.#projections,
      (fault) => this.#report({ kind: 'fault', partition, fault, message: fault.message }),
      (path, reason) => this.#report({ kind: 'damage', path, reason }),
    );
    this.#partitions.set(partition, followed);
    return followed;
  }

  /** What failed is opened anew after a while; the index loses nothing by it. */
  #fail(partition: string, thrown: unknown): void {
    this.#report({ kind: 'fault', partition, fault: null, message: messageOf(thrown) });
    this.#drop(partition);
    this.#failed.set(
      partition,
      systemTime.after(AGAIN_MS, () => this.#wake(partition)),
    );
  }

  #drop(partition: string): void {
    this.#failed.get(partition)?.cancel();
    this.#failed.delete(partition);
    this.#ready.delete(partition);
    this.#unrested.delete(partition);
    this.#partitions.get(partition)?.close();
    this.#partitions.delete(partition);
  }

  #rest(): void {
    if (this.#isPumping) return;
    for (const partition of this.#unrested) {
      try {
        if (this.#partitions.get(partition)?.rest() !== false) this.#unrested.delete(partition);
      } catch (thrown) {
        this.#fail(partition, thrown);
      }
    }
    if (this.#unrested.size > 0) this.#restLater();
  }

  #restLater(): void {
    this.#idle.cancel();
    this.#idle = systemTime.after(IDLE_MS, () => this.#rest());
  }
}
