import { join } from 'node:path';
import { systemTime } from '../../shared/time.js';
import { type Database, openDatabase } from '../sqlite.js';
import type { Fault } from './applier.js';
import { Checkpointer } from './checkpointer.js';
import { PartitionIndex } from './partition-index.js';
import type { AnyProjection } from './projection.js';

/** One partition in the indexer's thread: its index, and the checkpoints of both files. */
export class FollowedPartition {
  readonly #folder: string;
  readonly #index: PartitionIndex;
  /** Writes `log.db` by checkpoints alone. */
  readonly #logDatabase: Database;
  readonly #logCheckpoints: Checkpointer;
  #indexCheckpoints: { of: Database; checkpointer: Checkpointer } | null = null;

  constructor(
    folder: string,
    projections: readonly AnyProjection[],
    onFault: (fault: Fault) => void,
    onDamage: (path: string, reason: string) => void,
  ) {
    this.#folder = folder;
    this.#index = new PartitionIndex(folder, projections, onFault, (reason) =>
      onDamage(join(folder, 'index.db'), reason),
    );
    this.#logDatabase = openDatabase(join(folder, 'log.db'));
    this.#logCheckpoints = new Checkpointer(this.#logDatabase, join(folder, 'log.db'));
  }

  get revision(): number | null {
    return this.#index.revision;
  }

  /** Does one batch. True: there is more to do. */
  step(): boolean {
    const isMore = this.#index.step();
    for (const checkpointer of this.#checkpointers()) checkpointer.whileBusy(systemTime.monotonic());
    return isMore;
  }

  /** Makes another index: the one that is there was found to be damaged. */
  renew(): void {
    this.#index.renew();
  }

  /** To be called when nothing was written for a while. False: to be called again. */
  rest(): boolean {
    return this.#checkpointers()
      .map((checkpointer) => checkpointer.whenIdle())
      .every((done) => done);
  }

  close(): void {
    this.#index.close();
    this.#logDatabase.close();
  }

  #checkpointers(): Checkpointer[] {
    const database = this.#index.index?.database;
    if (database === undefined) return [this.#logCheckpoints];
    if (this.#indexCheckpoints?.of !== database) {
      const checkpointer = new Checkpointer(database, join(this.#folder, 'index.db'));
      this.#indexCheckpoints = { of: database, checkpointer };
    }
    return [this.#logCheckpoints, this.#indexCheckpoints.checkpointer];
  }
}
