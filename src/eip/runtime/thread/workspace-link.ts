import { fromThreadError, type ThreadError, toThreadError } from '../../../shared/thread-service.js';
import type {
  BlockCommand,
  CommandOrigin,
  Origin,
  RouteCommand,
  StageStep,
  WatchStep,
  WorkspaceCommand,
  WorkspacePort,
  WorkspaceQuery,
} from '../../component/workspace-port.js';
import { Batch } from './batch.js';

/** A call of the workspace's port, as it crosses from the routes' thread. */
export type WorkspaceRequest =
  | { readonly id: number; readonly send: WorkspaceCommand | BlockCommand | RouteCommand; readonly by: CommandOrigin }
  | { readonly id: number; readonly read: WorkspaceQuery; readonly by: Origin }
  | { readonly id: number; readonly stage: StageStep }
  | { readonly id: number; readonly watch: WatchStep };

/** The answer to a {@link WorkspaceRequest}, as it crosses back, by the request's id. */
export type WorkspaceAnswer =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly error: ThreadError };

interface Waiting {
  resolve(answer: unknown): void;
  reject(thrown: Error): void;
}

type Call<T = WorkspaceRequest> = T extends { readonly id: number } ? Omit<T, 'id'> : never;

/** The workspace as the routes' thread has it. */
export class RemoteWorkspace implements WorkspacePort {
  readonly #waiting = new Map<number, Waiting>();
  readonly #requests: Batch<WorkspaceRequest>;
  #next = 0;

  constructor(post: (requests: readonly WorkspaceRequest[]) => void) {
    this.#requests = new Batch(post);
  }

  send(command: WorkspaceCommand | BlockCommand | RouteCommand, by: CommandOrigin): Promise<unknown> {
    return this.#ask({ send: command, by });
  }

  read(query: WorkspaceQuery, by: Origin): Promise<unknown> {
    return this.#ask({ read: query, by });
  }

  stage(step: StageStep): Promise<unknown> {
    return this.#ask({ stage: step });
  }

  watch(step: WatchStep): Promise<unknown> {
    return this.#ask({ watch: step });
  }

  take(answers: readonly WorkspaceAnswer[]): void {
    for (const answered of answers) {
      const waiting = this.#waiting.get(answered.id);
      this.#waiting.delete(answered.id);
      if ('error' in answered) waiting?.reject(fromThreadError(answered.error));
      else waiting?.resolve(answered.answer);
    }
  }

  #ask(call: Call): Promise<unknown> {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#requests.add({ id, ...call } as WorkspaceRequest);
    });
  }
}

/** How many requests are begun before others have the main thread: a command takes up to half a millisecond. */
const PER_TURN = 8;

/** Answers what the routes' thread asks of the workspace. What was sent stands, whether the thread is there to hear of it or not. */
export class WorkspaceDesk {
  readonly #port: WorkspacePort;
  readonly #answers: Batch<WorkspaceAnswer>;
  readonly #waiting: WorkspaceRequest[] = [];
  #isWorking = false;

  constructor(port: WorkspacePort, post: (answers: readonly WorkspaceAnswer[]) => void) {
    this.#port = port;
    this.#answers = new Batch(post);
  }

  /** Some in each turn of the event loop: what the API asks for comes in turn with them. */
  take(requests: readonly WorkspaceRequest[]): void {
    this.#waiting.push(...requests);
    if (!this.#isWorking) this.#work();
  }

  #work(): void {
    const now = this.#waiting.splice(0, PER_TURN);
    this.#isWorking = this.#waiting.length > 0;
    if (this.#isWorking) setImmediate(() => this.#work());
    for (const request of now) void this.#answer(request);
  }

  async #answer(request: WorkspaceRequest): Promise<void> {
    const { id } = request;
    try {
      this.#answers.add({ id, answer: await this.#call(request) });
    } catch (thrown) {
      this.#answers.add({ id, error: toThreadError(thrown) });
    }
  }

  #call(request: WorkspaceRequest): Promise<unknown> {
    if ('send' in request) return this.#port.send(request.send, request.by);
    if ('read' in request) return this.#port.read(request.read, request.by);
    if ('watch' in request) return this.#port.watch(request.watch);
    return this.#port.stage(request.stage);
  }
}
