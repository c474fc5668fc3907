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

/** Changes that a decision has gathered so far: the last word on a document counts, and what was made and removed again leaves no trace. */
export class Changes {
  readonly #written = new Map<string, Written>();
  /** Most decisions make none. */
  #jobs: Map<string, NewJob> | undefined;
  readonly #events: FeedEvent[] = [];

  /** Writes a document that is new. */
  create<T extends Document>(collection: Collection<T>, document: T): void {
    this.#written.set(keyOf(collection, document.id), { write: put(collection, document), isNew: true });
  }

  put<T extends Document>(collection: Collection<T>, document: T): void {
    this.#set(put(collection, document));
  }

  remove<T extends Document>(collection: Collection<T>, id: string): void {
    this.#set(remove(collection, id));
  }

  add(writes: readonly Write[]): void {
    for (const write of writes) this.#set(write);
  }

  #set(write: Write): void {
    const key = keyOf(write.collection, write.id);
    const isNew = this.#written.get(key)?.isNew ?? false;
    if (isNew && write.document === null) this.#written.delete(key);
    else this.#written.set(key, { write, isNew });
  }

  /** The document as this decision leaves it: written here, else as the state has it. */
  current<T extends Document>(state: State, collection: Collection<T>, id: string): T | undefined {
    const written = this.#written.get(keyOf(collection, id));
    if (written === undefined) return state.get(collection, id);
    return (written.write.document as T | null) ?? undefined;
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
    const write: Write[] = [];
    for (const written of this.#written.values()) write.push(written.write);
    return { write, events: this.#events, jobs: [...(this.#jobs?.values() ?? [])], answer };
  }
}

interface Written {
  readonly write: Write;
  /** Whether the document was made here: removed again it leaves no trace. */
  readonly isNew: boolean;
}

const keyOf = (collection: Pick<Collection<Document>, 'name'>, id: string): string => `${collection.name}/${id}`;
