import { type Exchange, ExchangeFailure } from '../../expression/routes.js';
import type { ComponentContext } from './component.js';
import type {
  CommandOrigin,
  Origin,
  StageStep,
  StoredContent,
  WorkspaceCommand,
  WorkspacePort,
  WorkspaceQuery,
} from './workspace-port.js';

/** How many commands of a workspace's routes are under way at once, and how many reads; beyond that steps wait. */
const UNDER_WAY_MAX = 64;

/** What routes of a context send to their workspace. @throws ExchangeFailure where they may not */
export function workspaceOf(context: ComponentContext, uri: string): WorkspaceClient {
  const { workspace } = context.host;
  if (workspace === undefined)
    throw new ExchangeFailure(
      'org.apache.camel.ResolveEndpointFailedException',
      `Failed to resolve endpoint: ${uri} due to: there is no workspace here`,
    );
  return context.shared('workspace', () => new WorkspaceClient(workspace));
}

/** The workspace as steps use it: some at once, and each command with the key by which it is known when it comes again. */
export class WorkspaceClient {
  readonly #port: WorkspacePort;
  readonly #commands = new Gate(UNDER_WAY_MAX);
  readonly #reads = new Gate(UNDER_WAY_MAX);
  /** How many commands of each step of an exchange were answered. */
  readonly #answered = new WeakMap<Exchange, Map<string, number>>();

  constructor(port: WorkspacePort) {
    this.#port = port;
  }

  /**
   * Sends the command of the step that the exchange is in. An attempt that failed counts for nothing: the next one has the same key, so that what was
   * done although nobody heard of it is not done again; the next round of a loop has another.
   */
  async send(command: WorkspaceCommand, exchange: Exchange): Promise<unknown> {
    const step = `${exchange.routeId}/${exchange.stepId ?? ''}`;
    const counts = this.#answered.get(exchange) ?? new Map<string, number>();
    const count = counts.get(step) ?? 0;
    const by: CommandOrigin = { ...originOf(exchange), key: `${exchange.callKey ?? exchange.id}/${step}/${count}` };
    const answer = await this.#commands.pass(() => this.#port.send(command, by));
    this.#answered.set(exchange, counts.set(step, count + 1));
    return answer;
  }

  read(query: WorkspaceQuery, exchange: Exchange): Promise<unknown> {
    return this.#reads.pass(() => this.#port.read(query, originOf(exchange)));
  }

  /** Stores bytes that come in pieces, so that a command may name them. `name`: one that nobody else gives. */
  async store(name: string, pieces: AsyncIterable<Uint8Array>): Promise<StoredContent> {
    const stage = (step: StageStep) => this.#port.stage(step);
    let last: Uint8Array = new Uint8Array(0);
    try {
      for await (const piece of cut(pieces)) {
        if (last.length > 0) await stage({ name, piece: last });
        last = piece;
      }
    } catch (thrown) {
      await stage({ name, end: 'discard' });
      throw thrown;
    }
    return (await stage({ name, piece: last, end: 'seal' })) as StoredContent;
  }
}

/** How many bytes cross at once. */
const PIECE_BYTES = 1_048_576;

async function* cut(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces)
    for (let from = 0; from < piece.length; from += PIECE_BYTES) yield piece.subarray(from, from + PIECE_BYTES);
}

const originOf = ({ routeId, id, origin }: Exchange): Origin => ({
  routeId: routeId === '' ? null : routeId,
  exchangeId: id,
  ...(routeId === '' && origin.user !== undefined && { user: origin.user }),
});

/** Lets so many through at once; the others wait in their order. */
class Gate {
  readonly #max: number;
  readonly #waiting: (() => void)[] = [];
  #inside = 0;

  constructor(max: number) {
    this.#max = max;
  }

  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.#inside >= this.#max) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#inside++;
    try {
      return await work();
    } finally {
      // Whoever waits takes the place over.
      const next = this.#waiting.shift();
      if (next === undefined) this.#inside--;
      else next();
    }
  }
}
