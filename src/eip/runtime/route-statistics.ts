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

  begun(now: number): void {
    this.#add(AT.begun, 1);
    this.#add(AT.inflight, 1);
    this.#numbers[AT.lastBegunAt] = now;
  }

  /** `time`: how long it took, in ms; `isHandled`: it failed, and an error handler dealt with that. */
  completed(now: number, time: number, isHandled: boolean): void {
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
    if (time > this.#get(AT.maxTime)) numbers[AT.maxTime] = time;
    this.#add(AT.totalTime, time);
    numbers[AT.lastTime] = time;
    numbers[AT.lastCompletedAt] = now;
  }

  failed(now: number): void {
    this.#add(AT.inflight, -1);
    if (this.#add(AT.failed, 1) === 1) this.#numbers[AT.firstFailedAt] = now;
    this.#numbers[AT.lastFailedAt] = now;
  }

  redelivered(): void {
    this.#add(AT.redeliveries, 1);
  }

  /** From nothing again, but for what is under way. */
  reset(): void {
    const { inflight } = this;
    this.#numbers.fill(0);
    this.#numbers[AT.inflight] = inflight;
  }

  /** Nothing is under way any more: what was has ended with its thread. */
  lost(now: number): void {
    for (let left = this.inflight; left > 0; left--) this.failed(now);
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
