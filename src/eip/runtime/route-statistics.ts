/** What is counted of a route, a number each. Camel's meaning: exchanges count when they end; times are of completed ones alone, in ms. */
const FIELDS = [
  'begun',
  'completed',
  'failed',
  'handled',
  'redeliveries',
  'minTime',
  'maxTime',
  'totalTime',
  'lastTime',
  'deltaTime',
  'firstCompletedAt',
  'lastCompletedAt',
  'firstFailedAt',
  'lastFailedAt',
  'lastBegunAt',
  'inflight',
  // Of exchanges that came from another route, in the course of which they are counted once in their context.
  'nestedBegun',
  'nestedCompleted',
  'nestedFailed',
  'nestedTime',
  // Of all others.
  'ownMinTime',
] as const;

export type StatisticsField = (typeof FIELDS)[number];
export type RouteNumbers = Readonly<Record<StatisticsField, number>>;

const AT = Object.fromEntries(FIELDS.map((field, index) => [field, index])) as Record<StatisticsField, number>;

/** The counters of one route, in memory that others may read while it counts, and that outlives its thread. */
export class RouteStatistics {
  static readonly bytes = FIELDS.length * Float64Array.BYTES_PER_ELEMENT;
  readonly #numbers: Float64Array;

  constructor(memory: ArrayBufferLike = new SharedArrayBuffer(RouteStatistics.bytes), offset = 0) {
    this.#numbers = new Float64Array(memory, offset, FIELDS.length);
  }

  get inflight(): number {
    return this.#get(AT.inflight);
  }

  /** `isNested`: another route has sent it here. */
  begun(now: number, isNested = false): void {
    if (isNested) this.#add(AT.nestedBegun, 1);
    this.#add(AT.begun, 1);
    this.#add(AT.inflight, 1);
    this.#numbers[AT.lastBegunAt] = now;
  }

  /** `time`: how long it took, in ms; `isHandled`: it failed, and an error handler dealt with that. */
  completed(now: number, time: number, isHandled: boolean, isNested = false): void {
    const numbers = this.#numbers;
    this.#add(AT.inflight, -1);
    if (isHandled) this.#add(AT.handled, 1);
    if (this.#add(AT.completed, 1) === 1) {
      numbers[AT.firstCompletedAt] = now;
      numbers[AT.minTime] = time;
    } else {
      numbers[AT.deltaTime] = time - this.#get(AT.lastTime);
      if (time < this.#get(AT.minTime)) numbers[AT.minTime] = time;
    }
    if (isNested) {
      this.#add(AT.nestedCompleted, 1);
      this.#add(AT.nestedTime, time);
    } else if (time < this.#get(AT.ownMinTime) || this.#get(AT.completed) === this.#get(AT.nestedCompleted) + 1)
      numbers[AT.ownMinTime] = time;
    if (time > this.#get(AT.maxTime)) numbers[AT.maxTime] = time;
    this.#add(AT.totalTime, time);
    numbers[AT.lastTime] = time;
    numbers[AT.lastCompletedAt] = now;
  }

  failed(now: number, isNested = false): void {
    if (isNested) this.#add(AT.nestedFailed, 1);
    this.#add(AT.inflight, -1);
    if (this.#add(AT.failed, 1) === 1) this.#numbers[AT.firstFailedAt] = now;
    this.#numbers[AT.lastFailedAt] = now;
  }

  redelivered(): void {
    this.#add(AT.redeliveries, 1);
  }

  /** From nothing again, but for what is under way. */
  reset(): void {
    const { inflight, nestedInflight } = this;
    this.#numbers.fill(0);
    this.#numbers[AT.inflight] = inflight;
    this.#numbers[AT.nestedBegun] = nestedInflight;
  }

  /** Goes on from what was counted before, when nothing was under way that still is. */
  restore(numbers: Readonly<Partial<RouteNumbers>>): void {
    for (const field of FIELDS) this.#numbers[AT[field]] = numbers[field] ?? 0;
    this.#numbers[AT.inflight] = 0;
    this.#numbers[AT.nestedBegun] = this.#get(AT.nestedCompleted) + this.#get(AT.nestedFailed);
  }

  get nestedInflight(): number {
    return this.#get(AT.nestedBegun) - this.#get(AT.nestedCompleted) - this.#get(AT.nestedFailed);
  }

  /** Nothing is under way any more: what was has ended with its thread. */
  lost(now: number): void {
    let nested = this.nestedInflight;
    for (let left = this.inflight; left > 0; left--) this.failed(now, nested-- > 0);
  }

  read(): RouteNumbers {
    return Object.fromEntries(FIELDS.map((field) => [field, this.#numbers[AT[field]]])) as Record<
      StatisticsField,
      number
    >;
  }

  #get(index: number): number {
    return this.#numbers[index] ?? 0;
  }

  #add(index: number, count: number): number {
    const sum = (this.#numbers[index] ?? 0) + count;
    this.#numbers[index] = sum;
    return sum;
  }
}

/** Counts of a context: each exchange once, through however many routes it went. */
export type ContextNumbers = Pick<
  RouteNumbers,
  'completed' | 'failed' | 'inflight' | 'minTime' | 'maxTime' | 'totalTime'
>;

/** The counts of a context, from those of its routes. */
export function contextNumbers(routes: readonly RouteNumbers[]): ContextNumbers {
  const sum = (of: (numbers: RouteNumbers) => number) => routes.reduce((all, numbers) => all + of(numbers), 0);
  const timed = routes.filter(({ completed, nestedCompleted }) => completed > nestedCompleted);
  return {
    completed: sum(({ completed, nestedCompleted }) => completed - nestedCompleted),
    failed: sum(({ failed, nestedFailed }) => failed - nestedFailed),
    inflight: sum(
      ({ inflight, nestedBegun, nestedCompleted, nestedFailed }) =>
        inflight - (nestedBegun - nestedCompleted - nestedFailed),
    ),
    totalTime: sum(({ totalTime, nestedTime }) => totalTime - nestedTime),
    minTime: timed.length === 0 ? 0 : Math.min(...timed.map(({ ownMinTime }) => ownMinTime)),
    maxTime: timed.length === 0 ? 0 : Math.max(...timed.map(({ maxTime }) => maxTime)),
  };
}
