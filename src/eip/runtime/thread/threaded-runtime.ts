import { ExchangeFailure } from '../../../expression/index.js';
import { ServiceError, unavailable } from '../../../shared/errors.js';
import { Thread, type ThreadPort } from '../../../shared/thread.js';
import type { Time, Timer } from '../../../shared/time.js';
import type { HttpFront } from '../../component/http-front.js';
import type { WorkspacePort } from '../../component/workspace-port.js';
import type {
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
  RuntimeReports,
  SentExchange,
  SharedDefinitions,
} from '../../route-port.js';
import type { HistoryBatch } from '../exchange-history.js';
import { type RouteNumbers, RouteStatistics } from '../route-statistics.js';
import { HttpCrossing } from './http-crossing.js';
import type { FromRoutes, LogLine, RouteQuestion, RouteThreadData, ToRoutes } from './messages.js';
import { WorkspaceDesk } from './workspace-link.js';

export interface ThreadedRuntimeOptions {
  readonly thread: (data: RouteThreadData) => ThreadPort;
  /** What a new thread begins with, but for its beat. */
  readonly begin: () => Omit<RouteThreadData, 'beat'>;
  readonly told: RuntimeReports;
  readonly log: (line: LogLine) => void;
  /** Takes over what is kept of exchanges. */
  readonly history: (batch: HistoryBatch) => void;
  /** Opens the workspace for a new thread. */
  readonly workspace: () => OpenWorkspace;
  /** Where HTTP requests for its routes come in. */
  readonly front: HttpFront;
  /** The domain clock. */
  readonly now: () => number;
  readonly time: Pick<Time, 'every' | 'after'>;
}

/** The workspace of one thread's routes. */
export interface OpenWorkspace extends WorkspacePort {
  /** The thread has gone: lets go of what it has staged. What it has sent stands. */
  close(): void;
}

/** A thread that has not turned its event loop for so long is ended, in ms. */
const SILENT_MS = 10_000;
const LOOK_MS = 1_000;
/** A thread without routes is ended after so long, in ms. */
const IDLE_MS = 10_000;

/** Routes of a workspace in a thread of their own: there from the first that is asked for to the last that runs. */
export class ThreadedRuntime implements RouteRuntime {
  readonly #options: ThreadedRuntimeOptions;
  readonly #shared = new Map<string, SharedDefinitions>();
  readonly #counters = new Map<string, SharedArrayBuffer>();
  readonly #running = new Set<string>();
  readonly #numbers = new Map<string, number>();
  #lastNumber = 0;
  #there: Running | null = null;
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
    await this.#there?.ask({ verb: 'swap', args: [routes] });
  }

  async remove(routeId: string): Promise<void> {
    await this.#there?.ask({ verb: 'remove', args: [routeId] });
    this.#counters.delete(routeId);
    this.#numbers.delete(routeId);
    this.#ran(routeId);
  }

  call(call: RouteCall): Promise<RouteReply> {
    return this.#tried({ verb: 'call', args: [call] }) as Promise<RouteReply>;
  }

  send(message: MessageToSend): Promise<SentExchange> {
    return this.#tried({ verb: 'send', args: [message] }) as Promise<SentExchange>;
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

  async close(): Promise<void> {
    this.#idle?.cancel();
    this.#running.clear();
    await this.#there?.close();
    this.#there = null;
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

  #thread(): Running {
    this.#idle?.cancel();
    this.#idle = null;
    if (this.#there !== null) return this.#there;
    const beat = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
    const port = this.#options.thread({ ...this.#options.begin(), beat });
    const there = new Running(port, beat, this.#options, (fault) => this.#gone(there, fault));
    this.#there = there;
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

  #gone(there: Running, fault: RouteFault): void {
    if (this.#there !== there) return;
    this.#there = null;
    const now = this.#options.now();
    for (const routeId of this.#running) this.statisticsOf(routeId).lost(now);
    this.#running.clear();
    const last = [...this.#numbers].find(([, number]) => number === there.last)?.[0];
    this.#options.told.ended(fault, last === undefined ? [] : [last]);
  }
}

/** One such thread, which is ended when its event loop does not turn any more. */
class Running {
  readonly #thread: Thread<RouteQuestion, unknown, ToRoutes, FromRoutes>;
  readonly #watch: Timer;
  readonly #beat: Int32Array;
  #isClosing = false;

  constructor(
    port: ThreadPort,
    beat: SharedArrayBuffer,
    options: ThreadedRuntimeOptions,
    gone: (fault: RouteFault) => void,
  ) {
    const { told, log, history, time } = options;
    const workspace = options.workspace();
    const desk = new WorkspaceDesk(workspace, (answers) => this.#thread.tell({ kind: 'workspace', answers }));
    const http = new HttpCrossing(options.front, (messages) => this.#thread.tell({ kind: 'http', messages }));
    this.#thread = new Thread(port, {
      heard: (news) => {
        if (news.kind === 'log') news.lines.forEach(log);
        else if (news.kind === 'history') history(news.batch);
        else if (news.kind === 'workspace') desk.take(news.requests);
        else if (news.kind === 'http') for (const message of news.messages) http.take(message);
        else told.failed(news.routeId, news.fault);
      },
      lost: ({ message }) => unavailable(`the thread of the routes has ended: ${message}`),
      refused: asFailure,
      gone: (lost) => {
        const { message } = lost;
        this.#watch.cancel();
        workspace.close();
        http.end(lost);
        if (!this.#isClosing) gone({ message });
      },
    });
    this.#beat = new Int32Array(beat);
    this.#watch = this.#watched(this.#beat, time);
  }

  /** The number of the route that computes, or did so last; 0: none. */
  get last(): number {
    return Atomics.load(this.#beat, 1);
  }

  ask(question: RouteQuestion): Promise<unknown> {
    return this.#thread.ask(question);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#thread.close(SILENT_MS);
    this.#thread.terminate();
  }

  #watched(beats: Int32Array, time: Pick<Time, 'every'>): Timer {
    let last = 0;
    let silentMs = 0;
    return time.every(LOOK_MS, () => {
      const now = Atomics.load(beats, 0);
      silentMs = now === last ? silentMs + LOOK_MS : 0;
      last = now;
      if (silentMs >= SILENT_MS) this.#thread.terminate();
    });
  }
}

/** What failed there with a Java class does so here: names of those are all that have packages. */
function asFailure(thrown: Error): Error {
  if (thrown instanceof ServiceError || !thrown.name.includes('.')) return thrown;
  const failure = new ExchangeFailure(thrown.name, thrown.message);
  if (thrown.stack !== undefined) failure.stack = thrown.stack;
  return failure;
}
