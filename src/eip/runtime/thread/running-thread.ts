import { ExchangeFailure } from '../../../expression/index.js';
import { ServiceError, unavailable } from '../../../shared/errors.js';
import { Thread, type ThreadPort } from '../../../shared/thread.js';
import type { Time, Timer } from '../../../shared/time.js';
import type { HttpFront } from '../../component/http-front.js';
import type { WorkspacePort } from '../../component/workspace-port.js';
import type { RouteFault, RuntimeReports } from '../../route-port.js';
import type { HistoryBatch } from '../exchange-history.js';
import type { Meter } from '../meters.js';
import { HttpCrossing } from './http-crossing.js';
import type { FromRoutes, LogLine, RouteQuestion, RouteThreadData, ToRoutes } from './messages.js';
import { WorkspaceDesk } from './workspace-link.js';

export interface ThreadedRuntimeOptions {
  readonly thread: (data: RouteThreadData) => ThreadPort;
  /** What a new thread begins with, but for its beat and properties. */
  readonly begin: () => Omit<RouteThreadData, 'beat' | 'properties'>;
  /** What `{{…}}` stands for now. */
  readonly properties: () => RouteThreadData['properties'];
  readonly told: RuntimeReports;
  readonly log: (line: LogLine) => void;
  /** Takes over what is kept of exchanges. Resolves when it is. */
  readonly history: (batch: HistoryBatch) => Promise<void>;
  /** Opens the workspace for a new thread. */
  readonly workspace: () => OpenWorkspace;
  /** Where HTTP requests for its routes come in. */
  readonly front: HttpFront;
  /** The domain clock. */
  readonly now: () => number;
  readonly time: Pick<Time, 'every' | 'after'>;
}

/** The workspace of one thread's routes. */
export interface OpenWorkspace extends WorkspacePort {
  /** The thread has gone: lets go of what it has staged. What it has sent stands. */
  close(): void;
}

/** A thread that has not turned its event loop for so long is ended, in ms. */
const SILENT_MS = 10_000;
const SILENCE = `a step of them has computed for more than ${SILENT_MS / 1000} s without giving way`;
const LOOK_MS = 1_000;
/** What is asked and looks placeholders up. */
const LOOKS_UP: ReadonlySet<RouteQuestion['verb']> = new Set(['evaluate', 'prepare', 'send', 'start', 'swap'] as const);

/** Handlers of the messages of the thread, by their kind. */
type Hearing = { readonly [Kind in FromRoutes['kind']]: (news: Extract<FromRoutes, { kind: Kind }>) => void };

interface Heard {
  readonly counted: (meters: readonly Meter[]) => void;
  readonly gone: (fault: RouteFault) => void;
}

/** One thread of a workspace's routes, which is ended when its event loop does not turn any more. */
export class RunningThread {
  readonly #thread: Thread<RouteQuestion, unknown, ToRoutes, FromRoutes>;
  readonly #watch: Timer;
  readonly #beat: Int32Array;
  readonly #properties: () => RouteThreadData['properties'];
  /** As the thread has them, as JSON. */
  #toldProperties: string;
  #isClosing = false;
  #isSilent = false;

  constructor(
    port: ThreadPort,
    { beat, properties }: Pick<RouteThreadData, 'beat' | 'properties'>,
    options: ThreadedRuntimeOptions,
    { counted, gone }: Heard,
  ) {
    const { told, log, history, time } = options;
    this.#properties = options.properties;
    this.#toldProperties = JSON.stringify(properties);
    const workspace = options.workspace();
    const desk = new WorkspaceDesk(workspace, (answers) => this.#thread.tell({ kind: 'workspace', answers }));
    const http = new HttpCrossing(options.front, (messages) => this.#thread.tell({ kind: 'http', messages }));
    const hear: Hearing = {
      log: ({ lines }) => lines.forEach(log),
      history: ({ batch }) => void this.#keep(history, batch),
      counted: ({ meters }) => counted(meters),
      workspace: ({ requests }) => desk.take(requests),
      http: ({ messages }) => {
        for (const message of messages) http.take(message);
      },
      failed: ({ routeId, fault }) => told.failed(routeId, fault),
    };
    this.#thread = new Thread(port, {
      heard: (news) => hear[news.kind](news as never),
      lost: ({ message }) => unavailable(`the thread of the routes has ended: ${this.#isSilent ? SILENCE : message}`),
      refused: asFailure,
      gone: (lost) => {
        const { message } = lost;
        this.#watch.cancel();
        workspace.close();
        http.end(lost);
        if (!this.#isClosing) gone({ message });
      },
    });
    this.#beat = new Int32Array(beat);
    this.#watch = this.#watched(this.#beat, time);
  }

  /** The number of the route that computes, or did so last; 0: none. */
  get last(): number {
    return Atomics.load(this.#beat, 1);
  }

  ask(question: RouteQuestion): Promise<unknown> {
    if (LOOKS_UP.has(question.verb)) this.#tellProperties();
    return this.#thread.ask(question);
  }

  #tellProperties(): void {
    const properties = this.#properties();
    const told = JSON.stringify(properties);
    if (told !== this.#toldProperties) this.#thread.tell({ kind: 'properties', properties });
    this.#toldProperties = told;
  }

  async #keep(history: ThreadedRuntimeOptions['history'], batch: HistoryBatch): Promise<void> {
    await history(batch);
    if (batch.failed !== null) this.#thread.tell({ kind: 'kept', bytes: batch.failed.bytes.byteLength });
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#thread.close(SILENT_MS);
    this.#thread.terminate();
  }

  #watched(beats: Int32Array, time: Pick<Time, 'every'>): Timer {
    let last = 0;
    let silentMs = 0;
    return time.every(LOOK_MS, () => {
      const now = Atomics.load(beats, 0);
      silentMs = now === last ? silentMs + LOOK_MS : 0;
      last = now;
      if (silentMs < SILENT_MS) return;
      this.#watch.cancel();
      this.#isSilent = true;
      this.#thread.terminate();
    });
  }
}

/** What failed there with a Java class does so here: names of those are all that have packages. */
function asFailure(thrown: Error): Error {
  if (thrown instanceof ServiceError || !thrown.name.includes('.')) return thrown;
  const failure = new ExchangeFailure(thrown.name, thrown.message);
  if (thrown.stack !== undefined) failure.stack = thrown.stack;
  return failure;
}
