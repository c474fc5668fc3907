import type { Exchange } from '../../expression/routes.js';
import type { AggregateOptions, Completion } from './aggregate-options.js';
import type { RouteCompiler } from './pattern.js';
import { integerOf } from './value.js';

/** Whoever keeps a group: the aggregator of the version of the route that took the last exchange of it. */
export interface Completes {
  complete(key: string, by: Completion): boolean;
  completeAll(by: Completion): number;
}

interface Group {
  exchange: Exchange;
  /** When it completes if nothing comes; 0: never. */
  deadline: number;
  owner: Completes;
  forgetTimer: (() => void) | undefined;
}

/** How many keys of complete groups are remembered where no number is said. */
const MOST_CLOSED = 1_000_000;

/** The groups of one aggregator, by their keys. All versions of a route share them: a group that was begun in one completes in the next. */
export class Groups {
  readonly #route: RouteCompiler;
  readonly #id: string;
  readonly #groups = new Map<string, Group>();
  readonly #closed = new Set<string>();
  /** Keys of the batch that a consumer gives out now, and how many of it came. */
  readonly #batch = new Set<string>();
  #batchCount = 0;
  #interval = 0;
  #mostClosed: number | undefined;
  /** From here intervals count. */
  readonly #began: number;
  #forgetInterval: (() => void) | undefined;
  #owner: Completes | undefined;

  constructor(route: RouteCompiler, id: string) {
    this.#route = route;
    this.#id = id;
    this.#began = route.context.now();
  }

  /** Those of an aggregator, by the ids of its route and step. */
  static of(route: RouteCompiler, stepId: string, { completionInterval, closedKeys }: AggregateOptions): Groups {
    const all = groupsOf(route);
    const id = `${route.model.id} ${stepId}`;
    const groups = all.get(id) ?? new Groups(route, id);
    groups.#interval = completionInterval;
    groups.#mostClosed = closedKeys === undefined || closedKeys > 0 ? closedKeys : MOST_CLOSED;
    all.set(id, groups);
    return groups;
  }

  get size(): number {
    return this.#groups.size;
  }

  keys(): string[] {
    return [...this.#groups.keys()];
  }

  get(key: string): Exchange | undefined {
    return this.#groups.get(key)?.exchange;
  }

  /** `timeout`: in ms; 0: none. */
  put(key: string, exchange: Exchange, timeout: number, owner: Completes): void {
    const group = this.#groups.get(key) ?? { exchange, deadline: 0, owner, forgetTimer: undefined };
    group.exchange = exchange;
    group.owner = owner;
    this.#owner = owner;
    if (this.#groups.size === 0 && this.#interval > 0) this.#armInterval();
    this.#groups.set(key, group);
    if (timeout > 0) this.#armTimeout(key, group, this.#route.context.now() + timeout);
  }

  remove(key: string): Exchange | undefined {
    const group = this.#groups.get(key);
    if (group === undefined) return undefined;
    group.forgetTimer?.();
    this.#groups.delete(key);
    if (this.#groups.size === 0) this.#disarmInterval();
    return group.exchange;
  }

  clear(): void {
    for (const key of this.keys()) this.remove(key);
    this.#closed.clear();
    this.#batch.clear();
    this.#batchCount = 0;
  }

  end(): void {
    this.clear();
    groupsOf(this.#route).delete(this.#id);
  }

  isClosed(key: string): boolean {
    return this.#closed.has(key);
  }

  /** Where keys are closed: no exchange of this key is taken any more. The oldest ones are forgotten. */
  close(key: string): void {
    if (this.#mostClosed === undefined) return;
    this.#closed.add(key);
    if (this.#closed.size <= this.#mostClosed) return;
    const [oldest] = this.#closed;
    if (oldest !== undefined) this.#closed.delete(oldest);
  }

  /** Whether the last one of what its consumer took at once has come. */
  isBatchThrough(key: string, { properties }: Exchange): boolean {
    this.#batch.add(key);
    this.#batchCount++;
    const size = integerOf(properties.get('CamelBatchSize') ?? 0);
    return size > 0 && this.#batchCount >= size;
  }

  /** The keys of the batch, which is over. */
  takeBatch(): string[] {
    const keys = [...this.#batch];
    this.#batch.clear();
    this.#batchCount = 0;
    return keys;
  }

  /** One timer a group: where it has been put off meanwhile, it is set again when it fires. */
  #armTimeout(key: string, group: Group, at: number): void {
    const isEarlier = group.deadline !== 0 && at < group.deadline;
    group.deadline = at;
    if (isEarlier) group.forgetTimer?.();
    if (group.forgetTimer !== undefined && !isEarlier) return;
    const fire = () => {
      group.forgetTimer = undefined;
      if (this.#groups.get(key) !== group) return;
      if (this.#route.context.now() < group.deadline) group.forgetTimer = this.#route.flow.at(group.deadline, fire);
      else group.owner.complete(key, 'timeout');
    };
    group.forgetTimer = this.#route.flow.at(at, fire);
  }

  #armInterval(): void {
    const { context, flow } = this.#route;
    const rounds = Math.floor((context.now() - this.#began) / this.#interval) + 1;
    this.#forgetInterval = flow.at(this.#began + rounds * this.#interval, () => {
      this.#forgetInterval = undefined;
      this.#owner?.completeAll('interval');
      if (this.#groups.size > 0 && this.#forgetInterval === undefined) this.#armInterval();
    });
  }

  #disarmInterval(): void {
    this.#forgetInterval?.();
    this.#forgetInterval = undefined;
  }
}

const groupsOf = ({ context }: RouteCompiler) => context.shared('aggregate', () => new Map<string, Groups>());
