import { join } from 'node:path';
import { messageOf } from '../../shared/errors.js';
import { isDamage } from '../damage.js';
import type { CachedStatements } from '../statements.js';
import { Applier, type Fault } from './applier.js';
import { LogFollower } from './log-follower.js';
import type { AnyProjection, Change } from './projection.js';
import { createIndex, type IndexPlace, identityOf, openIndex, writePlace } from './schema.js';

/** How far the building of an index has come: which collections are left, and the row of the first one. */
interface Scan {
  readonly left: readonly string[];
  readonly n: number;
  /** Where the log was when the scan began; what changed since is followed from there. */
  readonly from: IndexPlace;
}

/**
 * The `index.db` of one partition: follows `log.db`, and is thrown away and built anew when it cannot go on: another format, epoch or history,
 * a damaged or missing file, commits that are trimmed. `onDamage`: told why, when the file is damaged.
 */
export class PartitionIndex {
  readonly #path: string;
  readonly #projections: readonly AnyProjection[];
  readonly #applier: Applier;
  readonly #onDamage: (reason: string) => void;
  readonly #log: LogFollower;
  #epoch = '';
  #index: CachedStatements | null = null;
  #place: IndexPlace | null = null;
  #scan: Scan | null = null;

  /** @throws when there is no `log.db` in the folder */
  constructor(
    folder: string,
    projections: readonly AnyProjection[],
    onFault: (fault: Fault) => void,
    onDamage: (reason: string) => void = () => {},
  ) {
    this.#path = join(folder, 'index.db');
    this.#projections = projections;
    this.#onDamage = onDamage;
    this.#applier = new Applier(projections, onFault);
    this.#log = new LogFollower(join(folder, 'log.db'));
  }

  /** What the index has reached; null as long as it is being built. */
  get revision(): number | null {
    return this.#place?.revision ?? null;
  }

  /** The connection to `index.db`; another one after it was built anew. */
  get index(): CachedStatements | null {
    return this.#index;
  }

  /** Does one batch. True: there is more to do. @throws what SQLite throws when the disk fails, or `log.db` cannot be read */
  step(): boolean {
    const index = this.#open();
    return this.#scan === null ? this.#follow(index) : this.#build(index, this.#scan);
  }

  /** Makes another one: whoever reads it found it damaged. */
  renew(): void {
    this.#onDamage('it could not be read');
    this.#renew();
  }

  close(): void {
    this.#index?.close();
    this.#index = null;
    this.#log.close();
  }

  #open(): CachedStatements {
    if (this.#index !== null) return this.#index;
    this.#epoch = this.#log.epoch();
    const known = this.#openOrNone();
    if (known === undefined) return this.#renew();
    this.#index = known.index;
    this.#place = known.place;
    this.#scan = null;
    return this.#index;
  }

  /** A file that is damaged is as good as none. */
  #openOrNone(): ReturnType<typeof openIndex> {
    try {
      return openIndex(this.#path, identityOf(this.#projections, this.#epoch));
    } catch (thrown) {
      if (!isDamage(thrown)) throw thrown;
      this.#onDamage(messageOf(thrown));
      return undefined;
    }
  }

  #renew(): CachedStatements {
    this.#index?.close();
    this.#index = null;
    this.#place = null;
    this.#epoch = this.#log.epoch();
    this.#scan = { left: this.#applier.collections, n: 0, from: this.#log.newest() };
    this.#index = createIndex(this.#path, identityOf(this.#projections, this.#epoch), this.#projections);
    return this.#index;
  }

  #follow(index: CachedStatements): boolean {
    const place = this.#place;
    const isAny = this.#applier.collections.length > 0;
    const follows = isAny ? (collection: string) => this.#applier.follows(collection) : null;
    const followed = place && this.#log.after(place, this.#epoch, follows);
    if (!followed) {
      this.#renew();
      return true;
    }
    if (followed.place.revision !== place.revision) {
      if (!this.#apply(index, followed.changes, followed.place)) return true;
      this.#place = followed.place;
    }
    return !followed.isLast;
  }

  #build(index: CachedStatements, { left, n, from }: Scan): boolean {
    const [collection, ...others] = left;
    if (collection === undefined) {
      if (!this.#apply(index, [], from)) return true;
      this.#place = from;
      this.#scan = null;
      return true;
    }
    const scanned = this.#log.scan(collection, n);
    if (!this.#apply(index, scanned.changes, null)) return true;
    this.#scan = scanned.isLast ? { left: others, n: 0, from } : { left, n: scanned.n, from };
    return true;
  }

  /** False: the file turned out to be damaged, and a new one was begun. */
  #apply(index: CachedStatements, changes: readonly Change[], place: IndexPlace | null): boolean {
    try {
      this.#applier.apply(index, changes, () => {
        if (place !== null) writePlace(index, place);
      });
      return true;
    } catch (thrown) {
      if (!isDamage(thrown)) throw thrown;
      this.#onDamage(messageOf(thrown));
      this.#renew();
      return false;
    }
  }
}
