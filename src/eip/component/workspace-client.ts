import { type Exchange, ExchangeFailure, isStream } from '../../expression/routes.js';
import { newSeed } from '../../shared/ids.js';
import { bodyPieces } from './body.js';
import type { ComponentContext } from './component.js';
import { Transaction } from './transaction.js';
import type {
  BlockCommand,
  CommandOrigin,
  Origin,
  ReadNode,
  RouteCommand,
  StageStep,
  StoredContent,
  WatchStep,
  WorkspaceCommand,
  WorkspacePort,
  WorkspaceQuery,
} from './workspace-port.js';

/** How many commands of a workspace's routes are under way at once, how many reads, and how many bodies on their way; beyond that steps wait. */
const UNDER_WAY_MAX = 64;

/** The client by which routes of a context reach nodes and processes of their workspace. @throws ExchangeFailure where there is no workspace */
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
  /** Whatever ids exchanges of another thread have: these are others. */
  readonly #nonce = `${newSeed()}/`;
  readonly #commands = new Gate(UNDER_WAY_MAX);
  readonly #reads = new Gate(UNDER_WAY_MAX);
  readonly #bodies = new Gate(UNDER_WAY_MAX);
  /** How many commands of each step of an exchange were answered. */
  readonly #answered = new WeakMap<Exchange, Map<string, number>>();
  /** Streams that were stored: one that is sent again is gone by then. */
  readonly #stored = new WeakMap<object, StoredContent>();

  constructor(port: WorkspacePort) {
    this.#port = port;
  }

  /**
   * Sends the command of the step that the exchange is in; within a block, it is taken in, and answered as far as that is known. An attempt that failed counts for nothing: the next one
   * has the same key, so that what was done although nobody heard of it is not done again; the next round of a loop has another.
   */
  async send(command: WorkspaceCommand, exchange: Exchange): Promise<unknown> {
    const transaction = transactionOf(exchange);
    if (transaction !== undefined) return transaction.add(command, exchange.routeId);
    return this.#send(command, exchange, exchange.stepId ?? '');
  }

  /** Operates a route: at once, also within a block. */
  operate(command: RouteCommand, exchange: Exchange): Promise<unknown> {
    return this.#send(command, exchange, exchange.stepId ?? '');
  }

  /** Begins a block: `stepId` is that of the block. */
  begin(exchange: Exchange, stepId: string): Transaction {
    const key = this.#keyOf(exchange, stepId);
    return new Transaction(key, exchange.call?.at ?? exchange.createdAt);
  }

  /** Sends what a block has taken in. */
  async commit({ steps, reads, isEmpty }: Transaction, exchange: Exchange, stepId: string): Promise<void> {
    if (!isEmpty) await this.#send({ kind: 'block', steps, reads }, exchange, stepId);
  }

  async read(query: WorkspaceQuery, exchange: Exchange): Promise<unknown> {
    const transaction = transactionOf(exchange);
    const pending = transaction === undefined || transaction.isEmpty ? {} : { pending: [...transaction.steps] };
    const asked = isOfNodes(query) ? { ...query, ...pending } : query;
    const found = await this.#reads.pass(() => this.#port.read(asked, originOf(exchange)));
    if (query.kind === 'cms.node') transaction?.saw(query.path, (found as ReadNode).version);
    return found;
  }

  async #send(
    command: WorkspaceCommand | BlockCommand | RouteCommand,
    exchange: Exchange,
    stepId: string,
  ): Promise<unknown> {
    const by: CommandOrigin = { ...originOf(exchange), key: this.#keyOf(exchange, stepId) };
    const answer = await this.#commands.pass(() => this.#port.send(command, by));
    const step = stepOf(exchange, stepId);
    const counts = this.#answered.get(exchange) ?? new Map<string, number>();
    this.#answered.set(exchange, counts.set(step, (counts.get(step) ?? 0) + 1));
    return answer;
  }

  #keyOf(exchange: Exchange, stepId: string): string {
    const step = stepOf(exchange, stepId);
    return `${exchange.call?.key ?? `${this.#nonce}${exchange.id}`}/${step}/${this.#answered.get(exchange)?.get(step) ?? 0}`;
  }

  /** Follows changes for a route: each in its turn, and not among the reads. */
  watch(step: WatchStep): Promise<unknown> {
    return this.#port.watch(step);
  }

  /** Stores a body, so that a command may name it. `name`: one that nobody else gives. */
  async store(name: string, body: unknown, charset: unknown): Promise<StoredContent> {
    const known = isStream(body) ? this.#stored.get(body) : undefined;
    if (known !== undefined) return known;
    const stored = await this.#bodies.pass(() => this.#storePieces(name, bodyPieces(body, charset)));
    if (isStream(body)) this.#stored.set(body, stored);
    return stored;
  }

  async #storePieces(name: string, pieces: AsyncIterable<Uint8Array>): Promise<StoredContent> {
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

/** Whether a block has to do with what is read. */
const isOfNodes = ({ kind }: WorkspaceQuery): boolean =>
  kind === 'cms.node' || kind === 'cms.children' || kind === 'cms.query';

/** How many bytes cross at once. */
const PIECE_BYTES = 1_048_576;

async function* cut(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces)
    for (let from = 0; from < piece.length; from += PIECE_BYTES) yield piece.subarray(from, from + PIECE_BYTES);
}

const stepOf = ({ routeId }: Exchange, stepId: string) => `${routeId}/${stepId}`;

/** The block that the exchange is in. What it left behind, as others of its branches failed, may do nothing any more. @throws ExchangeFailure where it has ended */
function transactionOf({ transaction }: Exchange): Transaction | undefined {
  if (!(transaction instanceof Transaction)) return undefined;
  if (!transaction.isOver) return transaction;
  throw new ExchangeFailure('java.lang.IllegalStateException', 'the transacted block that this is a part of has ended');
}

/** W3C Trace Context §3.2.2. */
const TRACE = /^00-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/;
const traceOf = (traceparent: unknown) =>
  typeof traceparent === 'string' && TRACE.test(traceparent) ? { traceparent } : {};

const originOf = ({ routeId, id, origin, headers }: Exchange): Origin => ({
  routeId: routeId === '' ? null : routeId,
  exchangeId: id,
  ...traceOf(headers.get('traceparent')),
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
