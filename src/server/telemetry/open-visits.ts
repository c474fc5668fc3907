import type { HistoryEntry, Run } from '../../engine/index.js';

/** An activity instance that began and has not ended, as its spans need it. */
export interface OpenVisit {
  /** The element's place in the program. */
  readonly position: number;
  /** Whether it holds the instances of an activity that repeats. */
  readonly isBody: boolean;
  /** ms, domain clock */
  readonly startTime: number;
  /** W3C trace context of what it began in. */
  readonly traceparent: string | undefined;
}

/** How many are remembered; the oldest are forgotten and looked up in the runs of their instance. */
const VISITS_MAX = 50_000;

/** Reads the runs of an instance, by number. */
export type RunsOf = (instanceId: string) => Iterable<Run>;

/** The open activity instances of this server, by `<process instance>:<number>`: from memory, or from what is stored. */
export class OpenVisits {
  readonly #known = new Map<string, OpenVisit>();

  add(id: string, visit: OpenVisit): void {
    this.#known.set(id, visit);
    const [oldest] = this.#known.keys();
    if (this.#known.size > VISITS_MAX && oldest !== undefined) this.#known.delete(oldest);
  }

  /** Without ending it. Undefined when nothing is known of it. */
  find(instanceId: string, n: number, runsOf: RunsOf): OpenVisit | undefined {
    return this.#known.get(`${instanceId}:${n}`) ?? stored(runsOf(instanceId), n);
  }

  /** It has ended. */
  take(instanceId: string, n: number, runsOf: RunsOf): OpenVisit | undefined {
    const visit = this.find(instanceId, n, runsOf);
    this.#known.delete(`${instanceId}:${n}`);
    return visit;
  }
}

/** After a restart: the run in which it began says all, the trace too. */
function stored(runs: Iterable<Run>, n: number): OpenVisit | undefined {
  for (const { history, at, traceparent } of runs) {
    const entry = history.find(([what, number]) => (what === 0 || what === 4) && number === n);
    if (entry !== undefined) return { position: positionOf(entry), isBody: entry[0] === 4, startTime: at, traceparent };
  }
  return undefined;
}

const positionOf = (entry: HistoryEntry): number => entry[2] ?? -1;
