import { ExchangeFailure, type Position } from '../../expression/routes.js';
import { messageOf } from '../../shared/errors.js';
import { keptDefinitions } from '../keep-definitions.js';
import type {
  Deployer,
  Drained,
  DrainTime,
  ExpressionToTry,
  MessageToSend,
  MockRecord,
  Prepared,
  PreparedRoute,
  RouteCall,
  RouteCounters,
  RouteProblem,
  RouteReply,
  RouteRuntime,
  RouteToRun,
  SentExchange,
  SharedDefinitions,
} from '../route-port.js';
import { callRoute } from './call-route.js';
import type { RouteContext } from './route-context.js';
import { type RouteNumbers, RouteStatistics } from './route-statistics.js';
import { RunningRoute } from './running-route.js';
import { Trials } from './trials.js';

/** How many problems of routes are told at once. */
const PROBLEMS_MAX = 100;

/** Routes of one workspace that run here: on the thread that asks, or on one of their own that asks for others. */
export class InlineRuntime implements Omit<RouteRuntime, Exclude<keyof RouteCounters, 'statistics'>> {
  readonly #context: RouteContext;
  readonly #trials: Trials;
  readonly #routes = new Map<string, RunningRoute>();
  readonly #statistics = new Map<string, RouteStatistics>();
  /** The counters of a route, where others keep them. */
  readonly #countersOf: (routeId: string) => RouteStatistics;

  constructor(context: RouteContext, countersOf: (routeId: string) => RouteStatistics = () => new RouteStatistics()) {
    this.#context = context;
    this.#trials = new Trials(context);
    this.#countersOf = countersOf;
  }

  async share(file: string, given: SharedDefinitions | null): Promise<void> {
    this.#context.share(file, given);
  }

  async prepare(
    routes: readonly RouteToRun[],
    given: { readonly file: string; readonly shared: SharedDefinitions },
  ): Promise<Prepared> {
    const problems: RouteProblem[] = [];
    const prepared: PreparedRoute[] = [];
    for (const route of routes) {
      try {
        // Each by itself: its endpoints are those of the trial.
        const trial = this.#context.trial(given.file, given.shared);
        prepared.push(trial.prepared(route, (thrown, step) => void problems.push(problemOf(step, step.kind, thrown))));
      } catch (thrown) {
        problems.push(problemOf(route.model, route.model.id, thrown));
      }
    }
    if (problems.length > 0) return { problems: problems.slice(0, PROBLEMS_MAX), routes: [], kept: [] };
    return { problems, routes: prepared, kept: keptDefinitions(routes, prepared, given.shared) };
  }

  async start(route: RouteToRun): Promise<void> {
    const running = this.#routes.get(route.routeId);
    if (running?.isSuspended === true) return running.resume();
    if (running !== undefined) return;
    const made = new RunningRoute(
      route.routeId,
      this.#context.compile(route),
      this.#statisticsOf(route.routeId),
      this.#context,
    );
    this.#routes.set(route.routeId, made);
    try {
      await made.start();
    } catch (thrown) {
      this.#routes.delete(route.routeId);
      throw thrown;
    }
  }

  async suspend(routeId: string, within: DrainTime): Promise<Drained> {
    const running = this.#routes.get(routeId);
    if (running === undefined) return { stuck: [] };
    await running.suspend();
    return this.#drained(running, within);
  }

  async resume(route: RouteToRun): Promise<void> {
    await this.start(route);
  }

  async stop(routeId: string, within: DrainTime): Promise<Drained> {
    const running = this.#routes.get(routeId);
    if (running === undefined) return { stuck: [] };
    const left = await this.#queueTaken(running, within);
    await running.stop();
    const drained = await this.#drained(running, left);
    if (drained.stuck.length > 0) this.#context.runner.giveUp(routeId, stopped(routeId));
    running.end();
    this.#routes.delete(routeId);
    return drained;
  }

  async swap(routes: readonly RouteToRun[]): Promise<void> {
    const compiled = routes.map((route) => this.#context.compile(route));
    const swapped: { readonly running: RunningRoute; readonly former: ReturnType<RouteContext['compile']> }[] = [];
    try {
      for (const [index, route] of routes.entries()) {
        const running = this.#routes.get(route.routeId);
        const next = compiled[index];
        if (running === undefined || next === undefined) continue;
        const former = running.current;
        await running.swap(next);
        swapped.push({ running, former });
      }
    } catch (thrown) {
      for (const { running, former } of swapped.reverse()) await running.swap(former);
      throw thrown;
    }
  }

  async remove(routeId: string): Promise<void> {
    await this.stop(routeId, { timeoutMs: 0 });
    this.#statistics.delete(routeId);
    this.#context.meters.routes.delete(routeId);
    this.#context.meters.forget(routeId);
  }

  async advance(now: number): Promise<number> {
    this.#context.setClock(now);
    await this.#context.runner.rested();
    return this.#context.nextDue();
  }

  statistics(routeId: string): RouteNumbers {
    return this.#statisticsOf(routeId).read();
  }

  async trace(isOn: boolean): Promise<void> {
    this.#context.isTracing = isOn;
  }

  async refuse(gone: readonly Deployer[]): Promise<void> {
    this.#context.standings.refuse(gone);
  }

  async reset(routeId: string | null): Promise<void> {
    for (const [id, statistics] of this.#statistics) if (routeId === null || id === routeId) statistics.reset();
    this.#context.meters.reset(routeId);
  }

  async close(): Promise<void> {
    for (const routeId of [...this.#routes.keys()].reverse()) await this.stop(routeId, { timeoutMs: 0 });
    this.#context.close();
    this.#context.history?.flush();
  }

  /** Resolves when its route has taken what lay in its queue, or when the time is over, with the time that is left. */
  async #queueTaken(running: RunningRoute, { timeoutMs }: DrainTime): Promise<DrainTime> {
    const taken = running.drainQueue();
    if (taken === undefined) return { timeoutMs };
    const began = this.#context.elapsed();
    let forget = () => {};
    const late = new Promise<void>((resolve) => {
      forget = this.#context.after(timeoutMs, resolve);
    });
    await Promise.race([taken, late]);
    forget();
    return { timeoutMs: Math.max(0, timeoutMs - (this.#context.elapsed() - began)) };
  }

  call(call: RouteCall): Promise<RouteReply> {
    return callRoute(this.#context, call);
  }

  send(message: MessageToSend): Promise<SentExchange> {
    return this.#trials.send(message);
  }

  mock(name: string): Promise<MockRecord> {
    return this.#trials.mock(name);
  }

  resetMocks(): Promise<void> {
    return this.#trials.resetMocks();
  }

  evaluate(question: ExpressionToTry): Promise<unknown> {
    return this.#trials.evaluate(question);
  }

  /** Resolves when nothing of it is under way, or with what is when the time is over. */
  #drained(running: RunningRoute, { timeoutMs }: DrainTime): Promise<Drained> {
    return new Promise((resolve) => {
      const late = this.#context.after(timeoutMs, () => {
        forget();
        resolve({ stuck: this.#context.runner.stuckIn(running.routeId) });
      });
      const forget = running.whenDrained(() => {
        late();
        resolve({ stuck: [] });
      });
    });
  }

  #statisticsOf(routeId: string): RouteStatistics {
    const known = this.#statistics.get(routeId) ?? this.#countersOf(routeId);
    this.#statistics.set(routeId, known);
    return known;
  }
}

const stopped = (routeId: string) =>
  new ExchangeFailure('java.util.concurrent.RejectedExecutionException', `the route ${routeId} was stopped`);

function problemOf({ at }: { readonly at: Position }, element: string, thrown: unknown): RouteProblem {
  const { line, column } = (thrown instanceof ExchangeFailure ? thrown.at : undefined) ?? at;
  return { line, column, element, message: messageOf(thrown) };
}
