import { ServiceError } from '../shared/errors.js';
import { log } from '../shared/log.js';
import { systemTime, type Time } from '../shared/time.js';
import type { Committed, PartitionPort } from '../store/index.js';
import { type Route, type RouteFileEntry, routeFiles, routes } from './collections.js';
import type { EipReports } from './eip.js';
import { allRoutes } from './operation/operate-route.js';
import type { RouteReport } from './operation/report-routes.js';
import { allFiles, routeToRun, sharedOf } from './reading.js';
import { RouteDeployers } from './route-deployers.js';
import { faultOf, stuckIn } from './route-faults.js';
import type { Deployer, RouteRuntime, RouteToRun, RuntimeReports } from './route-port.js';

interface ConductorParts {
  readonly partition: Pick<PartitionPort, 'id' | 'workspace' | 'replica' | 'sendAsSystem'>;
  readonly open: (told: RuntimeReports) => RouteRuntime;
  readonly reports: EipReports;
  /** Whether a user is there and enabled. Default: everybody is. */
  readonly mayAct?: (user: Deployer) => boolean;
  /** Default: the machine's. */
  readonly time?: Time;
}

/** How many reports one command takes. */
const REPORTS_MAX = 500;
/** How long a report waits that could not be sent, ms. */
const RESEND_MS = 500;

/**
 * Has the runtime of one partition do what transitions of routes cause, as soon as they are durable, and sends what it tells as commands. It holds nothing that would be lost: whatever was
 * under way when the server died is in the documents.
 */
export class Conductor {
  readonly #partition: ConductorParts['partition'];
  readonly #reports: EipReports;
  readonly #time: Time;
  readonly #runtime: RouteRuntime;
  readonly #deployers: RouteDeployers;
  readonly #waiting = new Set<Waiting>();
  /** The last work that was begun of each route. */
  readonly #begun = new Map<string, Pick<Route, 'incarnation' | 'turn'>>();
  /** Paths of the files that are shared, by their ids. */
  readonly #paths = new Map<string, string>();
  #told: RouteReport[] = [];
  #sending: Promise<void> | null = null;
  #isEnded = false;

  constructor({ partition, open, reports, mayAct = () => true, time = systemTime }: ConductorParts) {
    this.#partition = partition;
    this.#reports = reports;
    this.#time = time;
    this.#runtime = open({
      failed: (routeId, fault) => this.#tell({ routeId, turn: null, event: 'failed', fault }),
      ended: (fault, culprits) => void this.#recover({ reason: 'the runtime ended', end: { fault, culprits } }),
    });
    this.#deployers = new RouteDeployers(mayAct, (gone) => this.#quietly(this.#runtime.refuse(gone)));
  }

  get runtime(): RouteRuntime {
    return this.#runtime;
  }

  get workspace(): string {
    return this.#partition.workspace;
  }

  /** As the runtime's, and what it tells is committed by then. Where the runtime ends meanwhile, nothing waits in it. */
  async advance(now: number): Promise<number> {
    const next = await this.#runtime.advance(now).catch(() => Number.POSITIVE_INFINITY);
    await this.#sending;
    return next;
  }

  /** Users have changed: what routes do whose deployers are disabled or gone, fails from now on, and what others do does not. */
  lookAgain(): void {
    if (!this.#isEnded) this.#deployers.look();
  }

  /** Begins with what is stored: what ran is on its way there again when it resolves. */
  async begin(): Promise<void> {
    const state = this.#partition.replica.read();
    for (const file of allFiles(state)) this.#share(file.path, file);
    if (allRoutes(state).length > 0) await this.#recover({ reason: 'the server started' });
  }

  /** Stops what runs, the last one to start first; what is stored stays so. `timeoutMs`: for exchanges under way. */
  async end(timeoutMs: number): Promise<void> {
    this.#isEnded = true;
    for (const waiting of this.#waiting) waiting.resolve();
    for (const group of inOrder(allRoutes(this.#partition.replica.read())).reverse())
      await Promise.all(group.map(({ id }) => this.#runtime.stop(id, { timeoutMs }).catch(() => {})));
    await this.#runtime.close();
  }

  /** Begins what a commit causes. */
  committed({ writes }: Pick<Committed, 'writes'>): void {
    const toDo: Route[] = [];
    for (const { collection, id, document } of writes) {
      if (collection.name === routeFiles.name) this.#shareWritten(id, document as RouteFileEntry | null);
      if (collection.name === routes.name) toDo.push(...this.#written(id, document as Route | null));
    }
    if (toDo.length > 0 && !this.#isEnded) this.#perform(toDo);
  }

  /** The route, where there is work for it that has not begun. */
  #written(id: string, route: Route | null): Route[] {
    if (route === null) {
      this.#begun.delete(id);
      this.#quietly(this.#runtime.remove(id));
    }
    if (route === null || route.work === null) {
      for (const waiting of this.#waiting) waiting.done(id);
      return [];
    }
    const known = this.#begun.get(id);
    if (known?.incarnation === route.incarnation && known.turn >= route.turn) return [];
    this.#begun.set(id, route);
    return [route];
  }

  /** Resolves when the runtime has done what it is to do for the routes, at the latest after `ms`. */
  settled(ids: readonly string[], ms: number): Promise<void> {
    const state = this.#partition.replica.read();
    const busy = new Set(ids.filter((id) => (state.get(routes, id)?.work ?? null) !== null));
    if (busy.size === 0 || this.#isEnded) return Promise.resolve();
    return new Promise((resolve) => {
      const ended = () => {
        this.#waiting.delete(waiting);
        timer.cancel();
        resolve();
      };
      const timer = this.#time.after(ms, ended);
      const waiting: Waiting = {
        resolve: ended,
        done: (id) => {
          busy.delete(id);
          if (busy.size === 0) ended();
        },
      };
      this.#waiting.add(waiting);
    });
  }

  #perform(toDo: readonly Route[]): void {
    const swaps = toDo.filter(({ work }) => work === 'swap');
    for (const fileId of new Set(swaps.map((route) => route.fileId)))
      void this.#swap(swaps.filter((route) => route.fileId === fileId));
    const starting = toDo.filter(({ work }) => work === 'start' || work === 'resume');
    void this.#inTurn(inOrder(starting), (route) => this.#start(route));
    const ending = toDo.filter(({ work }) => work === 'stop' || work === 'suspend');
    void this.#inTurn(inOrder(ending).reverse(), (route) => this.#drain(route));
  }

  /** One group after the other; what came to be something else meanwhile is left out. */
  async #inTurn(groups: readonly (readonly Route[])[], work: (route: Route) => Promise<void>): Promise<void> {
    for (const group of groups) await Promise.all(group.filter((route) => this.#counts(route)).map(work));
  }

  #counts({ id, turn }: Route): boolean {
    return !this.#isEnded && this.#partition.replica.read().get(routes, id)?.turn === turn;
  }

  async #start(route: Route): Promise<void> {
    await this.#reporting(route, 'failed', async () => {
      const toRun = this.#toRun(route, route.version);
      await (route.work === 'resume' ? this.#runtime.resume(toRun) : this.#runtime.start(toRun));
      return { event: 'started' };
    });
  }

  async #drain(route: Route): Promise<void> {
    const within = { timeoutMs: route.timeoutMs };
    // A runtime that fails at it has ended, and with it all that was under way.
    await this.#reporting(route, 'drained', async () => {
      const { work, id } = route;
      const drained = await (work === 'stop' ? this.#runtime.stop(id, within) : this.#runtime.suspend(id, within));
      return { event: 'drained', ...stuckIn(drained, route) };
    });
  }

  async #swap(changed: readonly Route[]): Promise<void> {
    try {
      await this.#runtime.swap(changed.map((route) => this.#toRun(route, route.next ?? route.version)));
      for (const { id: routeId, turn } of changed) this.#tell({ routeId, turn, event: 'updated' });
    } catch (thrown) {
      const fault = faultOf(thrown);
      for (const { id: routeId, turn } of changed) this.#tell({ routeId, turn, event: 'notUpdated', fault });
    }
  }

  async #reporting(
    { id: routeId, turn }: Route,
    otherwise: RouteReport['event'],
    work: () => Promise<Pick<RouteReport, 'event' | 'fault'>>,
  ): Promise<void> {
    try {
      this.#tell({ routeId, turn, ...(await work()) });
    } catch (thrown) {
      this.#tell({ routeId, turn, event: otherwise, fault: faultOf(thrown) });
    }
  }

  #toRun(route: Route, version: number): RouteToRun {
    const toRun = routeToRun(this.#partition.replica.read(), route, version);
    if (toRun !== undefined) {
      this.#deployers.add(toRun.deployer);
      return toRun;
    }
    throw new ServiceError('NOT_FOUND', `version ${version} of route '${route.id}' is not kept any more`);
  }

  #shareWritten(fileId: string, file: RouteFileEntry | null): void {
    const before = this.#paths.get(fileId);
    if (before !== undefined && before !== file?.path) this.#quietly(this.#runtime.share(before, null));
    if (file === null) this.#paths.delete(fileId);
    if (file !== null) this.#share(file.path, file);
  }

  #share(path: string, file: RouteFileEntry): void {
    this.#paths.set(file.id, path);
    this.#quietly(this.#runtime.share(path, sharedOf(this.#partition.replica.read(), file)));
  }

  #quietly(work: Promise<void>): void {
    const { workspace } = this.#partition;
    work.catch((error: unknown) => log.error({ workspace, err: error }, 'the runtime of routes failed'));
  }

  async #recover(recover: Parameters<EipReports['recoverRoutes']['decide']>[1]): Promise<void> {
    await this.#sent(() => this.#partition.sendAsSystem(this.#reports.recoverRoutes, recover));
  }

  #tell(report: RouteReport): void {
    if (this.#isEnded) return;
    this.#told.push(report);
    this.#sending ??= this.#send();
  }

  async #send(): Promise<void> {
    // What is told in the same turn goes in the same command.
    await Promise.resolve();
    while (this.#told.length > 0) {
      const reports = this.#told.splice(0, REPORTS_MAX);
      await this.#sent(() => this.#partition.sendAsSystem(this.#reports.reportRoutes, { reports }));
    }
    this.#sending = null;
  }

  /** Sends until it is answered: what is told again counts no more, so it bears that. */
  async #sent(send: () => Promise<unknown>): Promise<void> {
    while (!this.#isEnded) {
      try {
        await send();
        return;
      } catch (thrown) {
        const isAway = thrown instanceof ServiceError && thrown.code === 'UNAVAILABLE';
        if (!isAway && !this.#isEnded) {
          log.error({ workspace: this.#partition.workspace, err: thrown }, 'what became of routes could not be told');
          return;
        }
        await new Promise<void>((resolve) => void this.#time.after(RESEND_MS, resolve));
      }
    }
  }
}

interface Waiting {
  done(id: string): void;
  resolve(): void;
}

/** Routes in the order in which they start: those of a group together, and those without an order behind all others. */
function inOrder(all: readonly Route[]): Route[][] {
  const groups = new Map<number, Route[]>();
  for (const route of all) {
    const order = route.startupOrder ?? Number.POSITIVE_INFINITY;
    groups.set(order, [...(groups.get(order) ?? []), route]);
  }
  return [...groups.entries()].sort(([a], [b]) => a - b).map(([, group]) => group);
}
