import {
  type Collection,
  type Decision,
  type Document,
  type FeedEvent,
  jobs as jobCollection,
  type NewJob,
  put,
  remove,
  type State,
  type Write,
} from '../../store/index.js';

/** What a decision has gathered so far: the last word on a document counts, and what was made and removed again leaves no trace. */
export class Changes {
  readonly #writes = new Map<string, Write>();
  readonly #created = new Set<string>();
  readonly #jobs = new Map<string, NewJob>();
  readonly #events: FeedEvent[] = [];

  /** Writes a document that is new. */
  create<T extends Document>(collection: Collection<T>, document: T): void {
    this.#created.add(keyOf(collection, document.id));
    this.put(collection, document);
  }

  put<T extends Document>(collection: Collection<T>, document: T): void {
    this.#writes.set(keyOf(collection, document.id), put(collection, document));
  }

  remove<T extends Document>(collection: Collection<T>, id: string): void {
    const key = keyOf(collection, id);
    if (this.#created.delete(key)) this.#writes.delete(key);
    else this.#writes.set(key, remove(collection, id));
  }

  add(writes: readonly Write[]): void {
    for (const write of writes) this.#writes.set(keyOf(write.collection, write.id), write);
  }

  /** The document as this decision leaves it: written here, else as the state has it. */
  current<T extends Document>(state: State, collection: Collection<T>, id: string): T | undefined {
    const write = this.#writes.get(keyOf(collection, id));
    if (write === undefined) return state.get(collection, id);
    return (write.document as T | null) ?? undefined;
  }

  job(job: NewJob): void {
    this.#jobs.set(job.id, job);
  }

  dropJob(id: string): void {
    if (!this.#jobs.delete(id)) this.remove(jobCollection, id);
  }

  event(...events: readonly FeedEvent[]): void {
    this.#events.push(...events);
  }

  get size(): number {
    return this.#writes.size + this.#jobs.size;
  }

  decision<A>(answer: A): Decision<A> {
    return { write: [...this.#writes.values()], events: this.#events, jobs: [...this.#jobs.values()], answer };
  }
}

const keyOf = (collection: Pick<Collection<Document>, 'name'>, id: string): string => `${collection.name}/${id}`;
