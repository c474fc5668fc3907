import {
  type Collection,
  type Decision,
  type Document,
  type FeedEvent,
  Layer,
  type State,
  type Write,
  Written,
} from '../../store/index.js';
import { jobs as jobCollection, type NewJob } from '../collections.js';

/** Changes that a decision has gathered so far: the last word on a document counts, and what was made and removed again leaves no trace. */
export class Changes {
  readonly #written = new Layer<Changed>();
  /** Most decisions make none. */
  #jobs: Map<string, NewJob> | undefined;
  readonly #events: FeedEvent[] = [];

  /** Writes a document that is new. */
  create<T extends Document>(collection: Collection<T>, document: T): void {
    this.#written.put(collection, new Changed(collection, document.id, document, true));
  }

  put<T extends Document>(collection: Collection<T>, document: T): void {
    this.#set(collection, document.id, document);
  }

  remove<T extends Document>(collection: Collection<T>, id: string): void {
    this.#set(collection, id, null);
  }

  add(writes: readonly Write[]): void {
    for (const { collection, id, document } of writes) this.#set(collection, id, document);
  }

  #set<T extends Document>(collection: Collection<T>, id: string, document: T | null): void {
    const entries = this.#written.of(collection);
    const isNew = entries?.get(id)?.isNew ?? false;
    if (isNew && document === null) entries?.delete(id);
    else this.#written.put(collection, new Changed(collection, id, document, isNew));
  }

  /** The document as this decision leaves it: written here, else as the state has it. */
  current<T extends Document>(state: State, collection: Collection<T>, id: string): T | undefined {
    const written = this.#written.of(collection)?.get(id);
    if (written === undefined) return state.get(collection, id);
    return (written.document as T | null) ?? undefined;
  }

  job(job: NewJob): void {
    this.#jobs ??= new Map();
    this.#jobs.set(job.id, job);
  }

  dropJob(id: string): void {
    if (!this.#jobs?.delete(id)) this.remove(jobCollection, id);
  }

  event(...events: readonly FeedEvent[]): void {
    this.#events.push(...events);
  }

  get size(): number {
    return this.#written.size + (this.#jobs?.size ?? 0);
  }

  decision<A>(answer: A): Decision<A> {
    return {
      write: [...this.#written.all()].map(({ collection, id, document }) => ({ collection, id, document })),
      events: this.#events,
      jobs: [...(this.#jobs?.values() ?? [])],
      answer,
    };
  }
}

/** A document that a decision has written. */
class Changed extends Written {
  /** Whether it was made here: removed again it leaves no trace. */
  readonly isNew: boolean;

  constructor(collection: Written['collection'], id: string, document: Document | null, isNew: boolean) {
    super(collection, id, document);
    this.isNew = isNew;
  }
}
