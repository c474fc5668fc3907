import { type Outcome, type Step, whenThrough } from '../flow/outcome.js';
import type { StepName } from '../history/packed-records.js';
import { TimeHistogram } from '../history/time-histogram.js';
import { EndpointCounts } from './endpoint-counts.js';
import type { RouteStatistics } from './route-statistics.js';

/** Memory in which something is counted, and that others may read meanwhile. */
export type Meter =
  | ({ readonly kind: 'step'; readonly memory: SharedArrayBuffer } & StepName)
  | { readonly kind: 'endpoint'; readonly uri: string; readonly memory: SharedArrayBuffer };

/** So many endpoints are counted: messages may name any. */
const ENDPOINTS_MAX = 2_000;

/** The meters of one context beside those of its routes: times of steps, and counts of endpoints. */
export class Meters {
  /** The counters of routes, by their ids. */
  readonly routes = new Map<string, RouteStatistics>();
  readonly #told: ((meters: readonly Meter[]) => void) | undefined;
  readonly #endpoints = new Map<string, EndpointCounts>();
  readonly #steps = new Map<string, TimeHistogram[]>();
  #made: Meter[] = [];

  /** `told`: of what is counted from now on. */
  constructor(told?: (meters: readonly Meter[]) => void) {
    this.#told = told;
  }

  /** Times of a step as it is compiled now. */
  step(name: StepName): TimeHistogram {
    const memory = new SharedArrayBuffer(TimeHistogram.bytes);
    const times = new TimeHistogram(memory);
    this.#made.push({ kind: 'step', memory, ...name });
    this.#steps.set(name.routeId, [...(this.#steps.get(name.routeId) ?? []).slice(-STEPS_MAX), times]);
    return times;
  }

  /** Undefined: there are very many. */
  endpoint(uri: string): EndpointCounts | undefined {
    const known = this.#endpoints.get(uri);
    if (known !== undefined || this.#endpoints.size >= ENDPOINTS_MAX) return known;
    const memory = new SharedArrayBuffer(EndpointCounts.bytes);
    const counts = new EndpointCounts(memory);
    this.#endpoints.set(uri, counts);
    this.#made.push({ kind: 'endpoint', uri, memory });
    return counts;
  }

  /** Tells of what is new. */
  tell(): void {
    if (this.#made.length === 0) return;
    const made = this.#made;
    this.#made = [];
    this.#told?.(made);
  }

  /** Counts anew: steps of one route; null: of all, and endpoints. */
  reset(routeId: string | null): void {
    for (const [id, all] of this.#steps) if (routeId === null || id === routeId) for (const times of all) times.reset();
    if (routeId === null) for (const counts of this.#endpoints.values()) counts.reset();
  }

  forget(routeId: string): void {
    this.#steps.delete(routeId);
  }
}

/** So many steps of a route are counted anew, those of former versions among them. */
const STEPS_MAX = 10_000;

/** Sends an exchange, and counts how that ends. */
export const counting =
  (counts: EndpointCounts, send: Step): Step =>
  (exchange) => {
    let outcome: Outcome;
    try {
      outcome = send(exchange);
    } catch (thrown) {
      counts.add(0, 1);
      throw thrown;
    }
    if (outcome !== undefined) return waited(outcome, counts);
    counts.add(1, 0);
    return undefined;
  };

const waited = (outcome: NonNullable<Outcome>, counts: EndpointCounts): Outcome =>
  whenThrough(
    () => outcome,
    (isFailed) => counts.add(isFailed ? 0 : 1, isFailed ? 1 : 0),
  );
