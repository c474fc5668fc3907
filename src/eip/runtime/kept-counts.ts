import { TimeHistogram } from '../history/time-histogram.js';
import type { Counted, CountedEndpoint, StepStatistics } from '../route-port.js';
import { EndpointCounts } from './endpoint-counts.js';
import type { Meter } from './meters.js';

interface KeptStep {
  readonly stepId: string;
  readonly endpointUri: string | null;
  /** What was counted before `live`. */
  readonly before: TimeHistogram;
  live: TimeHistogram | null;
}

interface KeptEndpoint {
  readonly before: EndpointCounts;
  live: EndpointCounts | null;
}

/** Counts of steps and endpoints by the threads of one workspace's routes, one thread after the other: they outlive the threads. */
export class KeptCounts {
  readonly #steps = new Map<string, Map<string, KeptStep>>();
  readonly #endpoints = new Map<string, KeptEndpoint>();

  /** From now on it is counted there. */
  take(meters: readonly Meter[]): void {
    for (const meter of meters) {
      if (meter.kind === 'endpoint') this.#count(this.#endpoint(meter.uri), new EndpointCounts(meter.memory));
      else this.#time(this.#step(meter.routeId, meter), new TimeHistogram(meter.memory));
    }
  }

  /** Forgets steps of the routes that are not counted by any of `work`: another version has them no more. */
  async replaced(routeIds: readonly string[], work: () => Promise<unknown>): Promise<void> {
    const before = routeIds.map(
      (id) => [id, new Map(Array.from(this.#of(id), ([key, { live }]) => [key, live]))] as const,
    );
    await work();
    for (const [id, former] of before)
      for (const [key, live] of former) if (this.#of(id).get(key)?.live === live) this.#of(id).delete(key);
  }

  /** The thread has gone. */
  ended(): void {
    for (const steps of this.#steps.values()) for (const step of steps.values()) fold(step);
    for (const endpoint of this.#endpoints.values()) foldEndpoint(endpoint);
  }

  steps(routeId: string): StepStatistics[] {
    return Array.from(this.#of(routeId).values(), ({ stepId, endpointUri, before, live }) => {
      const times = new TimeHistogram();
      for (const part of [before, live]) if (part !== null) times.addAll(part.counts());
      const percentile = (part: number) => times.percentile(part);
      return {
        ...{ stepId, endpointUri, count: times.count },
        ...{ p50: percentile(0.5), p90: percentile(0.9), p95: percentile(0.95), p99: percentile(0.99) },
        max: percentile(1),
      };
    });
  }

  endpoint(uri: string): Omit<CountedEndpoint, 'uri'> {
    const { before, live } = this.#endpoints.get(uri) ?? { before: NOTHING, live: null };
    const { completed, failed } = live ?? NOTHING;
    return { completed: before.completed + completed, failed: before.failed + failed };
  }

  /** Of what is asked for, as it is kept. */
  countedSteps(routeId: string): Counted['routes'][number]['steps'] {
    return Array.from(this.#of(routeId).values(), ({ stepId, endpointUri, before, live }) => {
      const times = new TimeHistogram();
      for (const part of [before, live]) if (part !== null) times.addAll(part.counts());
      return { stepId, endpointUri, counts: times.counts() };
    });
  }

  countedEndpoints(): CountedEndpoint[] {
    return Array.from(this.#endpoints.keys(), (uri) => ({ uri, ...this.endpoint(uri) }));
  }

  restore({ routes, endpoints }: Counted): void {
    for (const { routeId, steps } of routes)
      for (const { counts, ...step } of steps) this.#step(routeId, step).before.addAll(counts);
    for (const { uri, completed, failed } of endpoints) this.#endpoint(uri).before.add(completed, failed);
  }

  /** Whatever counts there is counted anew by who counts. */
  reset(routeId: string | null): void {
    for (const [id, steps] of this.#steps)
      if (routeId === null || id === routeId) for (const { before } of steps.values()) before.reset();
    if (routeId === null) for (const { before } of this.#endpoints.values()) before.reset();
  }

  forget(routeId: string): void {
    this.#steps.delete(routeId);
  }

  #of(routeId: string): Map<string, KeptStep> {
    return this.#steps.get(routeId) ?? new Map<string, KeptStep>();
  }

  #step(routeId: string, { stepId, endpointUri }: Pick<KeptStep, 'stepId' | 'endpointUri'>): KeptStep {
    const steps = this.#of(routeId);
    this.#steps.set(routeId, steps);
    const key = `${stepId} ${endpointUri ?? ''}`;
    const known = steps.get(key) ?? { stepId, endpointUri, before: new TimeHistogram(), live: null };
    steps.set(key, known);
    return known;
  }

  #endpoint(uri: string): KeptEndpoint {
    const known = this.#endpoints.get(uri) ?? { before: new EndpointCounts(), live: null };
    this.#endpoints.set(uri, known);
    return known;
  }

  #time(step: KeptStep, live: TimeHistogram): void {
    fold(step);
    step.live = live;
  }

  #count(endpoint: KeptEndpoint, live: EndpointCounts): void {
    foldEndpoint(endpoint);
    endpoint.live = live;
  }
}

const NOTHING = new EndpointCounts();

function fold(step: KeptStep): void {
  if (step.live !== null) step.before.addAll(step.live.counts());
  step.live = null;
}

function foldEndpoint(endpoint: KeptEndpoint): void {
  if (endpoint.live !== null) endpoint.before.add(endpoint.live.completed, endpoint.live.failed);
  endpoint.live = null;
}
