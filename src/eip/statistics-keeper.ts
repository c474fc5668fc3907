import { messageOf } from '../shared/errors.js';
import { log } from '../shared/log.js';
import type { Time, Timer } from '../shared/time.js';
import type { Route } from './collections.js';
import type { StatisticsStore } from './history/histories.js';
import type { KeptStatistic } from './history/history-file.js';
import type { Counted, CountedRoute, RouteRuntime } from './route-port.js';

interface KeeperParts {
  readonly workspace: string;
  readonly store: StatisticsStore;
  readonly runtime: Pick<RouteRuntime, 'counted' | 'restore' | 'statistics'>;
  /** The routes that are there. */
  readonly routes: () => readonly Route[];
  readonly time: Pick<Time, 'every'>;
}

const SAVE_MS = 10_000;
/** What is kept of endpoints: no route is called so. */
const ENDPOINTS = '';

/** A route as it is kept: of one that was deleted and made anew nothing counts. */
interface KeptRoute extends Omit<CountedRoute, 'routeId'> {
  readonly incarnation: string;
}

/** Keeps what is counted of the routes of one workspace: every 10 s what has changed, and at the end. A kill -9 loses what was counted since. */
export class StatisticsKeeper {
  readonly #parts: KeeperParts;
  /** What is kept of each, as far as it is known. */
  readonly #saved = new Map<string, string>();
  #timer: Timer | undefined;
  #saving: Promise<void> = Promise.resolve();
  #isFailing = false;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
  }

  /** The runtime goes on from what was kept. Called before anything runs. Never rejects: without it counting begins anew. */
  async begin(): Promise<void> {
    const { store, runtime, routes, time } = this.#parts;
    try {
      const all = routes();
      if (all.length > 0) runtime.restore(countedIn(await store.load(), all));
    } catch (thrown) {
      this.#failed(thrown);
    }
    this.#timer = time.every(SAVE_MS, () => void this.save());
  }

  /** Keeps what has changed. */
  save(): Promise<void> {
    this.#saving = this.#saving.then(() => this.#save());
    return this.#saving;
  }

  async end(): Promise<void> {
    this.#timer?.cancel();
    await this.save();
  }

  async #save(): Promise<void> {
    const changed = this.#changed();
    if (changed.length === 0) return;
    try {
      await this.#parts.store.save(changed.map(([id, , body]) => ({ id, body })));
      for (const [id, mark, body] of changed) {
        if (body === null) this.#saved.delete(id);
        else this.#saved.set(id, mark);
      }
      this.#isFailing = false;
    } catch (thrown) {
      this.#failed(thrown);
    }
  }

  /** Of each that is not kept as it is: its id, what tells whether it changes again, and its text; null: it is gone. */
  #changed(): (readonly [id: string, mark: string, body: string | null])[] {
    const { routes, runtime } = this.#parts;
    const all = routes();
    const marks = new Map(all.map((route) => [route.id, markOf(route, runtime)]));
    const changed = all.filter(({ id }) => this.#saved.get(id) !== marks.get(id));
    const { routes: counted, endpoints } = runtime.counted(changed.map(({ id }) => id));
    const found: (readonly [string, string, string | null])[] = counted.map(({ routeId, ...route }, at) => {
      const kept: KeptRoute = { incarnation: changed[at]?.incarnation ?? '', ...route };
      return [routeId, marks.get(routeId) ?? '', JSON.stringify(kept)];
    });
    const ofEndpoints = JSON.stringify(endpoints);
    if (ofEndpoints !== '[]' && this.#saved.get(ENDPOINTS) !== ofEndpoints)
      found.push([ENDPOINTS, ofEndpoints, ofEndpoints]);
    for (const id of this.#saved.keys()) if (id !== ENDPOINTS && !marks.has(id)) found.push([id, '', null]);
    return found;
  }

  #failed(thrown: unknown): void {
    const { workspace } = this.#parts;
    if (!this.#isFailing) log.error({ workspace }, `statistics of routes could not be kept: ${messageOf(thrown)}`);
    this.#isFailing = true;
  }
}

function markOf({ id, incarnation }: Route, runtime: KeeperParts['runtime']): string {
  const { begun, completed, failed, redeliveries } = runtime.statistics(id);
  return [incarnation, begun, completed, failed, redeliveries].join(' ');
}

function countedIn(kept: readonly KeptStatistic[], routes: readonly Route[]): Counted {
  const incarnations = new Map(routes.map(({ id, incarnation }) => [id, incarnation]));
  const found: CountedRoute[] = [];
  let endpoints: Counted['endpoints'] = [];
  for (const { id, body } of kept) {
    if (body === null) continue;
    if (id === ENDPOINTS) endpoints = JSON.parse(body) as Counted['endpoints'];
    else {
      const { incarnation, ...route } = JSON.parse(body) as KeptRoute;
      if (incarnations.get(id) === incarnation) found.push({ routeId: id, ...route });
    }
  }
  return { routes: found, endpoints };
}
