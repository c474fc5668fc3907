import type { Caller } from '../shared/caller.js';
import { type AnyCollection, type ListRequest, type Page, type ReplicaSide, shortList } from '../store/index.js';
import { Batch } from './batch.js';
import type { AnswerRoom } from './context.js';

/** A list as a resolver asks for it: the caller is the request's. */
export interface ListQuery extends Omit<ListRequest, 'caller'> {
  readonly of: AnyCollection;
  /** Where in the result it stands. */
  readonly path: Path;
}

export type Path = readonly (string | number)[];

/** A request that reads lists, and how a reader is asked for it. */
interface ListsOf {
  readonly caller: Caller;
  readonly room?: AnswerRoom | undefined;
  readonly replica: Pick<ReplicaSide, 'statements'>;
  readList(list: ListRequest): Promise<Page>;
  /** Several at once. */
  query(lists: readonly ListRequest[]): Promise<readonly Page[]>;
}

/** How many of its lists this thread reads by itself: a query may have them read in one turn. */
const SHORT_MAX = 4;
/** How many lists one batch asks for, so that others get their turn in between. */
const BATCH_MAX = 200;

/** The lists of one request: short ones are read by this thread, all others by a reader's. */
export class RequestLists {
  readonly #of: ListsOf;
  #short = 0;
  readonly #relations = new Batch<ListQuery, Page>((lists) => this.#pages(lists), BATCH_MAX);

  constructor(of: ListsOf) {
    this.#of = of;
  }

  async list(list: ListQuery): Promise<Page> {
    const request = this.#requestOf(list);
    return this.#shortOf([list])[0] ?? (await this.#of.readList(request));
  }

  /** What all things of a page ask for is read at once. */
  related(list: ListQuery): Promise<Page> {
    return this.#relations.load(list);
  }

  async #pages(lists: readonly ListQuery[]): Promise<readonly Page[]> {
    const short = this.#shortOf(lists);
    const left = lists.filter((_, i) => short[i] === undefined).map((list) => this.#requestOf(list));
    const read = left.length === 0 ? [] : await this.#of.query(left);
    let next = 0;
    return lists.map((_, i) => short[i] ?? (read[next++] as Page));
  }

  /** The pages that this thread has read, at the places of their lists. */
  #shortOf(lists: readonly ListQuery[]): readonly (Page | undefined)[] {
    this.#short += lists.length;
    if (this.#short > SHORT_MAX) return [];
    const { replica, room } = this.#of;
    return lists.map((list) => shortList(replica.statements, list.of, this.#requestOf(list), room));
  }

  #requestOf({ path: _, of: __, ...list }: ListQuery): ListRequest {
    return { ...list, caller: this.#of.caller };
  }
}
