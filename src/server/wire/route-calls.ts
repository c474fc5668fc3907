import type { RouteCall, RouteReply, RouteRuntime } from '../../eip/index.js';
import { unavailable } from '../../shared/errors.js';
import { systemTime, within } from '../../shared/time.js';

/** How long a call waits for the routes of a workspace to start, ms. */
const STARTING_MS = 60_000;

/** Calls of routes from outside of them, while the routes of workspaces come and go. */
export class RouteCalls {
  readonly #isOn: (partition: string) => boolean;
  readonly #runtimeOf: (partition: string) => Pick<RouteRuntime, 'call'> | undefined;
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #ending = new Set<string>();

  /** `isOn`: whether routes are to run there; `runtimeOf`: what runs them; undefined: they are starting. */
  constructor(
    isOn: (partition: string) => boolean,
    runtimeOf: (partition: string) => Pick<RouteRuntime, 'call'> | undefined,
  ) {
    this.#isOn = isOn;
    this.#runtimeOf = runtimeOf;
  }

  /**
   * The reply. Where routes are ended with their workspace, whoever waits is not told that it failed, for it did not: the job is given back, and calls again.
   * @throws UNAVAILABLE routes are off there, or do not start in time
   */
  async call(partition: string, call: RouteCall): Promise<RouteReply> {
    if (!this.#isOn(partition))
      throw unavailable('expected the integration engine of the workspace to run, but it is off');
    if (this.#runtimeOf(partition) === undefined)
      await within(systemTime, STARTING_MS, this.#start(partition), notStarted);
    const runtime = this.#runtimeOf(partition);
    if (runtime === undefined) throw notStarted();
    const never = new Promise<never>(() => {});
    try {
      const reply = await runtime.call(call);
      return reply.exception !== null && this.#ending.has(partition) ? never : reply;
    } catch (thrown) {
      if (this.#ending.has(partition)) return never;
      throw thrown;
    }
  }

  /** The routes of the workspace have something that runs them. */
  started(partition: string): void {
    for (const resolve of this.#waiting.get(partition) ?? []) resolve();
    this.#waiting.delete(partition);
  }

  ending(partition: string): void {
    this.#ending.add(partition);
  }

  ended(partition: string): void {
    this.#ending.delete(partition);
  }

  #start(partition: string): Promise<void> {
    return new Promise((resolve) => this.#waiting.set(partition, [...(this.#waiting.get(partition) ?? []), resolve]));
  }
}

const notStarted = () => unavailable('expected the routes of the workspace to start, but they did not in time');
