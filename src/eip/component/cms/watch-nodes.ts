import type { Exchange } from '../../../expression/routes.js';
import { Headers } from '../../../expression/routes.js';
import type { Consumer, Intake } from '../component.js';
import type { NodeChange, NodeChanges } from '../workspace-port.js';
import type { CmsEndpoint } from './cms-endpoint.js';

/** How often its place is kept at most, and how long it rests after a failure, in ms. */
const KEEP_MS = 1_000;
const REST_MS = 2_000;

/**
 * Takes changes of nodes into a route, one after the other, from the place where it has left them; what was not through when the server died comes again. A place
 * that is behind what the workspace keeps is told as a failure, and it begins anew with what comes from then on.
 */
export class NodeWatch implements Consumer {
  readonly #endpoint: CmsEndpoint;
  readonly #intake: Intake;
  readonly #types: ReadonlySet<string>;
  /** Another one for each start: what belongs to an earlier one does nothing more. */
  #run = 0;
  #place: string | null = null;
  #kept: string | null = null;
  #keeping: NodeJS.Timeout | undefined;

  constructor(endpoint: CmsEndpoint, intake: Intake) {
    this.#endpoint = endpoint;
    this.#intake = intake;
    const { events = '' } = endpoint.address.options;
    this.#types = new Set(
      String(events)
        .toUpperCase()
        .split(',')
        .map((it) => it.trim())
        .filter((it) => it !== ''),
    );
  }

  /** It follows from here on, be it that nothing has changed yet. @throws what keeps it from that */
  async start(): Promise<void> {
    const run = ++this.#run;
    const path = this.#endpoint.watchedPath;
    const first = await this.#endpoint.workspace.watch({ ...this.#step(path), after: this.#place });
    if (run !== this.#run) return;
    void this.#follow(run, path, first as NodeChanges);
  }

  async stop(): Promise<void> {
    this.#run++;
    await this.#keep();
  }

  #step(path: string) {
    return { routeId: this.#intake.routeId, path, deep: this.#endpoint.address.options.deep === true };
  }

  async #follow(run: number, path: string, first: NodeChanges): Promise<void> {
    let found: NodeChanges | undefined = first;
    while (run === this.#run) {
      try {
        found ??= (await this.#endpoint.workspace.watch({ ...this.#step(path), after: this.#place })) as NodeChanges;
        if (run !== this.#run) return;
        await this.#take(run, found);
      } catch (thrown) {
        if (run !== this.#run) return;
        this.#intake.failed(thrown);
        await new Promise((resolve) => setTimeout(resolve, REST_MS).unref());
      }
      found = undefined;
    }
  }

  async #take(run: number, { changes, place, isAnew }: NodeChanges): Promise<void> {
    if (isAnew)
      this.#intake.failed(
        new Error(
          `what had changed since the route followed ${this.#endpoint.address.uri} last is not known any more: it begins anew with what changes from now on`,
        ),
      );
    for (const change of changes) {
      if (run !== this.#run) return;
      if (this.#types.size === 0 || this.#types.has(change.type)) await this.#process(change);
      // Also of one that ended behind the stop: it is through.
      this.#moved(change.place);
    }
    this.#moved(place);
  }

  #process(change: NodeChange): Promise<void> {
    const exchange = exchangeOf(this.#intake, change);
    return new Promise((resolve) => this.#intake.process(exchange, () => resolve()));
  }

  #moved(place: string): void {
    this.#place = place;
    if (this.#keeping !== undefined) return;
    this.#keeping = setTimeout(() => void this.#keep(), this.#kept === null ? 0 : KEEP_MS).unref();
  }

  async #keep(): Promise<void> {
    clearTimeout(this.#keeping);
    this.#keeping = undefined;
    const place = this.#place;
    if (place === null || place === this.#kept) return;
    try {
      await this.#endpoint.workspace.watch({ routeId: this.#intake.routeId, place });
      this.#kept = place;
    } catch (thrown) {
      // What is through comes again, should the server die before the next place is kept.
      this.#intake.failed(thrown);
    }
  }
}

function exchangeOf(intake: Intake, { place, ...change }: NodeChange): Exchange {
  const headers = new Headers();
  const told = {
    CamelCmsEventType: change.type,
    CamelCmsPath: change.path,
    CamelCmsSourcePath: change.sourcePath,
    CamelCmsId: change.id,
    CamelCmsNodeType: change.nodeType,
    CamelCmsUserId: change.userId,
    CamelCmsTimestamp: change.timestamp,
  };
  for (const [name, value] of Object.entries(told)) if (value !== null) headers.set(name, value);
  const exchange = intake.exchange({ headers, body: change });
  // Should it come again, what it did is known.
  exchange.call = { key: `${intake.routeId}@${place}`, at: change.timestamp };
  return exchange;
}
