import { keptDefinitions } from '../../../src/eip/keep-definitions.js';
import type {
  Counted,
  Deployer,
  Drained,
  DrainTime,
  ExpressionToTry,
  MessageToSend,
  MockRecord,
  Prepared,
  RouteCall,
  RouteReply,
  RouteRuntime,
  RouteToRun,
  RuntimeReports,
  SentExchange,
  SharedDefinitions,
} from '../../../src/eip/route-port.js';
import { type RouteNumbers, RouteStatistics } from '../../../src/eip/runtime/route-statistics.js';

/** A runtime that runs nothing, and keeps what it was asked for, in order: `start orders:2`. */
export class FakeRuntime implements RouteRuntime {
  readonly asked: string[] = [];
  /** Versions of the routes whose consumers take exchanges, by their ids. */
  readonly running = new Map<string, number>();
  readonly shared = new Map<string, SharedDefinitions>();
  /** What the next asks of a kind come to: `start orders`. They wait where it is a promise. */
  readonly outcomes = new Map<string, () => Promise<void> | void>();
  stuck: Drained['stuck'] = [];
  told: RuntimeReports | undefined;

  async share(file: string, given: SharedDefinitions | null): Promise<void> {
    if (given === null) this.shared.delete(file);
    else this.shared.set(file, given);
  }

  async prepare(routes: readonly RouteToRun[], { shared }: { readonly shared: SharedDefinitions }): Promise<Prepared> {
    const prepared = routes.map(() => ({ isIncluded: true, autoStartup: true, startupOrder: null, endpoints: [] }));
    return { problems: [], routes: prepared, kept: keptDefinitions(routes, prepared, shared) };
  }

  async advance(): Promise<number> {
    return Number.POSITIVE_INFINITY;
  }

  async start({ routeId, version }: RouteToRun): Promise<void> {
    await this.#ask('start', `${routeId}:${version}`, routeId);
    this.running.set(routeId, version);
  }

  async suspend(routeId: string, _within: DrainTime): Promise<Drained> {
    await this.#ask('suspend', routeId, routeId);
    this.running.delete(routeId);
    return { stuck: this.stuck };
  }

  async resume({ routeId, version }: RouteToRun): Promise<void> {
    await this.#ask('resume', `${routeId}:${version}`, routeId);
    this.running.set(routeId, version);
  }

  async stop(routeId: string, _within: DrainTime): Promise<Drained> {
    await this.#ask('stop', routeId, routeId);
    this.running.delete(routeId);
    return { stuck: this.stuck };
  }

  async swap(routes: readonly RouteToRun[]): Promise<void> {
    const names = routes.map(({ routeId, version }) => `${routeId}:${version}`);
    await this.#ask('swap', names.join(' '), routes[0]?.routeId ?? '');
    for (const { routeId, version } of routes) this.running.set(routeId, version);
  }

  readonly isTracing = false;

  async trace(): Promise<void> {}

  async refuse(gone: readonly Deployer[]): Promise<void> {
    this.asked.push(`refuse ${gone.map(({ userId }) => userId).join()}`);
  }

  steps(): [] {
    return [];
  }

  endpoint(): { readonly completed: number; readonly failed: number } {
    return { completed: 0, failed: 0 };
  }

  counted(): Counted {
    return { routes: [], endpoints: [] };
  }

  restore(): void {}

  async reset(routeId: string | null): Promise<void> {
    this.asked.push(`reset ${routeId}`);
  }

  async remove(routeId: string): Promise<void> {
    this.asked.push(`remove ${routeId}`);
  }

  async call({ endpointUri }: RouteCall): Promise<RouteReply> {
    this.asked.push(`call ${endpointUri}`);
    return { body: null, headers: {}, exception: null };
  }

  async send({ endpointUri }: MessageToSend): Promise<SentExchange> {
    this.asked.push(`send ${endpointUri}`);
    return { exchangeId: 'e', body: null, headers: {}, exception: null, processingMs: 0 };
  }

  async mock(_name: string): Promise<MockRecord> {
    return { receivedCounter: 0, exchanges: [] };
  }

  async resetMocks(): Promise<void> {
    this.asked.push('reset mocks');
  }

  async evaluate({ text }: ExpressionToTry): Promise<unknown> {
    return text;
  }

  statistics(): RouteNumbers {
    return new RouteStatistics().read();
  }

  async close(): Promise<void> {
    this.asked.push('close');
  }

  async #ask(kind: string, what: string, routeId: string): Promise<void> {
    this.asked.push(`${kind} ${what}`);
    await this.outcomes.get(`${kind} ${routeId}`)?.();
  }
}
