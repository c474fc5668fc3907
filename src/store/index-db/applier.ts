import { messageOf } from '../../shared/errors.js';
import { isDamage, isOutage } from '../damage.js';
import type { CachedStatements } from '../statements.js';
import type { AnyProjection, Change } from './projection.js';

/** A document that a projection could not take. */
export interface Fault {
  readonly projection: string;
  readonly collection: string;
  readonly id: string;
  readonly message: string;
}

/** Hands changes to the projections that follow them, a batch per transaction. */
export class Applier {
  readonly #followers: ReadonlyMap<string, readonly AnyProjection[]>;
  readonly #onFault: (fault: Fault) => void;

  constructor(projections: readonly AnyProjection[], onFault: (fault: Fault) => void) {
    const followers = new Map<string, AnyProjection[]>();
    for (const projection of projections) {
      for (const name of projection.collections) {
        followers.set(name, [...(followers.get(name) ?? []), projection]);
      }
    }
    this.#followers = followers;
    this.#onFault = onFault;
  }

  /** The names of all followed collections. */
  get collections(): readonly string[] {
    return [...this.#followers.keys()];
  }

  follows(collection: string): boolean {
    return this.#followers.has(collection);
  }

  /**
   * Applies all changes and what `finish` writes, or nothing. When a projection throws, the batch is applied once more with each document on its
   * own, so that one document cannot hold up all that come after it.
   * @throws what SQLite throws when the file is damaged or the disk fails
   */
  apply(index: CachedStatements, changes: readonly Change[], finish: () => void): void {
    try {
      transaction(index, () => {
        for (const change of changes) this.#each(change, (projection) => projection.apply(index, change));
        finish();
      });
    } catch (thrown) {
      if (isDamage(thrown) || isOutage(thrown)) throw thrown;
      transaction(index, () => {
        for (const change of changes) this.#each(change, (projection) => this.#alone(index, projection, change));
        finish();
      });
    }
  }

  #each(change: Change, apply: (projection: AnyProjection) => void): void {
    for (const projection of this.#followers.get(change.collection) ?? []) apply(projection);
  }

  #alone(index: CachedStatements, projection: AnyProjection, change: Change): void {
    index.prepare('SAVEPOINT alone').run();
    try {
      projection.apply(index, change);
    } catch (thrown) {
      if (isDamage(thrown) || isOutage(thrown)) throw thrown;
      index.prepare('ROLLBACK TO alone').run();
      const { collection, id } = change;
      this.#onFault({ projection: projection.name, collection, id, message: messageOf(thrown) });
    }
    index.prepare('RELEASE alone').run();
  }
}

function transaction(index: CachedStatements, work: () => void): void {
  index.prepare('BEGIN IMMEDIATE').run();
  try {
    work();
    index.prepare('COMMIT').run();
  } catch (thrown) {
    if (index.database.isTransaction) index.prepare('ROLLBACK').run();
    throw thrown;
  }
}
