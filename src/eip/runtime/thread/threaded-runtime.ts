import type { Timer } from '../../../shared/time.js';
import { activeTraceparent } from '../../../shared/trace.js';
import type {
  Counted,
  CountedEndpoint,
  Deployer,
  Drained,
  DrainTime,
  ExpressionToTry,
  MessageToSend,
  MockRecord,
  Prepared,
  RouteCall,
  RouteFault,
  RouteReply,
  RouteRuntime,
  RouteToRun,
  SentExchange,
  SharedDefinitions,
  StepStatistics,
} from '../../route-port.js';
import { KeptCounts } from '../kept-counts.js';
import { type RouteNumbers, RouteStatistics } from '../route-statistics.js';
import type { RouteQuestion } from './messages.js';
import { RunningThread, type ThreadedRuntimeOptions } from './running-thread.js';

/** A thread without routes is ended after so long, in ms. */
const IDLE_MS = 10_000;

/** Routes of a workspace in a thread of their own: there from the first that is asked for to the last that runs. */
export class ThreadedRuntime implements RouteRuntime {
  readonly #options: ThreadedRuntimeOptions;
  readonly #shared = new Map<string, SharedDefinitions>();
  readonly #counters = new Map<string, SharedArrayBuffer>();
  readonly #kept = new KeptCounts();
  readonly #running = new Set<string>();
  readonly #numbers = new Map<string, number>();
  #lastNumber = 0;
  #isTracing = false;
  #refused: readonly Deployer[] = [];
  #there: RunningThread | null = null;
  #idle: Timer | null = null;

  constructor(options: ThreadedRuntimeOptions) {
    this.#options = options;
  }

  async share(file: string, given: SharedDefinitions | null): Promise<void> {
    if (given === null) this.#shared.delete(file);
    else this.#shared.set(file, given);
    await this.#there?.ask({ verb: 'share', args: [file, given] });
  }

  prepare(...args: Parameters<RouteRuntime['prepare']>): Promise<Prepared> {
    return this.#tried({ verb: 'prepare', args }) as Promise<Prepared>;
  }

  async start(route: RouteToRun): Promise<void> {
    const { routeId } = route;
    await this.#thread().ask({
      verb: 'start',
      args: [route],
      counters: this.#countersOf(routeId),
      number: this.#numberOf(routeId),
    });
    this.#running.add(routeId);
  }

  suspend(routeId: string, within: DrainTime): Promise<Drained> {
    return this.#drained({ verb: 'suspend', args: [routeId, within] });
  }

  async resume(route: RouteToRun): Promise<void> {
    await this.start(route);
  }

  async stop(routeId: string, within: DrainTime): Promise<Drained> {
    const drained = await this.#drained({ verb: 'stop', args: [routeId, within] });
    this.#ran(routeId);
    return drained;
  }

  async swap(routes: readonly RouteToRun[]): Promise<void> {
    const there = this.#there;
    if (there === null) return;
    const ids = routes.map(({ routeId }) => routeId);
    await this.#kept.replaced(ids, () => there.ask({ verb: 'swap', args: [routes] }));
  }

  async remove(routeId: string): Promise<void> {
    await this.#there?.ask({ verb: 'remove', args: [routeId] });
    this.#counters.delete(routeId);
    this.#numbers.delete(routeId);
    this.#kept.forget(routeId);
    this.#ran(routeId);
  }

  call(call: RouteCall): Promise<RouteReply> {
    return this.#tried({ verb: 'call', args: [traced(call)] }) as Promise<RouteReply>;
  }

  send(message: MessageToSend): Promise<SentExchange> {
    return this.#tried({ verb: 'send', args: [traced(message)] }) as Promise<SentExchange>;
  }

  async mock(name: string): Promise<MockRecord> {
    const found = await this.#there?.ask({ verb: 'mock', args: [name] });
    return (found ?? { receivedCounter: 0, exchanges: [] }) as MockRecord;
  }

  async resetMocks(): Promise<void> {
    await this.#there?.ask({ verb: 'resetMocks', args: [] });
  }

  evaluate(question: ExpressionToTry): Promise<unknown> {
    return this.#tried({ verb: 'evaluate', args: [question] });
  }

  async advance(now: number): Promise<number> {
    return ((await this.#there?.ask({ verb: 'advance', args: [now] })) ?? Number.POSITIVE_INFINITY) as number;
  }

  statistics(routeId: string): RouteNumbers {
    return this.statisticsOf(routeId).read();
  }

  steps(routeId: string): StepStatistics[] {
    return this.#kept.steps(routeId);
  }

  endpoint(uri: string): Omit<CountedEndpoint, 'uri'> {
    return this.#kept.endpoint(uri);
  }

  counted(routeIds: readonly string[]): Counted {
    const routes = routeIds.map((routeId) => {
      const numbers = this.statistics(routeId);
      return { routeId, numbers, steps: this.#kept.countedSteps(routeId) };
    });
    return { routes, endpoints: this.#kept.countedEndpoints() };
  }

  restore(counted: Counted): void {
    for (const { routeId, numbers } of counted.routes) this.statisticsOf(routeId).restore(numbers);
    this.#kept.restore(counted);
  }

  get isTracing(): boolean {
    return this.#isTracing;
  }

  async refuse(gone: readonly Deployer[]): Promise<void> {
    this.#refused = gone;
    await this.#there?.ask({ verb: 'refuse', args: [gone] });
  }

  async trace(isOn: boolean): Promise<void> {
    this.#isTracing = isOn;
    await this.#there?.ask({ verb: 'trace', args: [isOn] });
  }

  async reset(routeId: string | null): Promise<void> {
    await this.#there?.ask({ verb: 'reset', args: [routeId] });
    for (const id of routeId === null ? this.#counters.keys() : [routeId])
      if (!this.#running.has(id)) this.statisticsOf(id).reset();
    this.#kept.reset(routeId);
  }

  async close(): Promise<void> {
    this.#idle?.cancel();
    this.#running.clear();
    await this.#there?.close();
    this.#there = null;
    this.#kept.ended();
  }

  /** The counters of a route, also while its thread is gone. */
  statisticsOf(routeId: string): RouteStatistics {
    return new RouteStatistics(this.#countersOf(routeId));
  }

  /** What needs the thread while it takes alone. */
  async #tried(question: RouteQuestion): Promise<unknown> {
    try {
      return await this.#thread().ask(question);
    } finally {
      this.#idleAgain();
    }
  }

  async #drained(question: RouteQuestion): Promise<Drained> {
    if (this.#there === null) return { stuck: [] };
    return (await this.#there.ask(question)) as Drained;
  }

  /** Its number in the memory that tells which route computes: from 1, and never another one's. */
  #numberOf(routeId: string): number {
    const known = this.#numbers.get(routeId) ?? ++this.#lastNumber;
    this.#numbers.set(routeId, known);
    return known;
  }

  #countersOf(routeId: string): SharedArrayBuffer {
    const known = this.#counters.get(routeId) ?? new SharedArrayBuffer(RouteStatistics.bytes);
    this.#counters.set(routeId, known);
    return known;
  }

  #thread(): RunningThread {
    this.#idle?.cancel();
    this.#idle = null;
    if (this.#there !== null) return this.#there;
    const beat = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
    const properties = this.#options.properties();
    const port = this.#options.thread({ ...this.#options.begin(), properties, beat });
    const there = new RunningThread(port, { beat, properties }, this.#options, {
      counted: (meters) => this.#kept.take(meters),
      gone: (fault) => this.#gone(there, fault),
    });
    this.#there = there;
    if (this.#isTracing) void there.ask({ verb: 'trace', args: [true] }).catch(() => {});
    if (this.#refused.length > 0) void there.ask({ verb: 'refuse', args: [this.#refused] }).catch(() => {});
    for (const [file, given] of this.#shared) void there.ask({ verb: 'share', args: [file, given] }).catch(() => {});
    return there;
  }

  #ran(routeId: string): void {
    this.#running.delete(routeId);
    this.#idleAgain();
  }

  #idleAgain(): void {
    if (this.#running.size > 0 || this.#there === null) return;
    this.#idle?.cancel();
    this.#idle = this.#options.time.after(IDLE_MS, () => void this.close());
  }

  #gone(there: RunningThread, fault: RouteFault): void {
    if (this.#there !== there) return;
    this.#there = null;
    const now = this.#options.now();
    for (const routeId of this.#running) this.statisticsOf(routeId).lost(now);
    this.#running.clear();
    this.#kept.ended();
    const last = [...this.#numbers].find(([, number]) => number === there.last)?.[0];
    this.#options.told.ended(fault, last === undefined ? [] : [last]);
  }
}

/** The message within the trace of whoever sends it, where it names none itself. */
function traced<M extends { readonly headers: Readonly<Record<string, unknown>> }>(message: M): M {
  const traceparent = activeTraceparent();
  if (traceparent === undefined || 'traceparent' in message.headers) return message;
  return { ...message, headers: { ...message.headers, traceparent } };
}
