import { type ApiOperations, type ExternalTask, externalTasks, type FetchAndLock } from '../../engine/index.js';
import type { FetchingWorker, WorkerServices } from '../../graphql/index.js';
import { ServiceError } from '../../shared/errors.js';
import { pause, type Time } from '../../shared/time.js';
import type { CommitFollower, Committed } from '../../store/index.js';
import { TopicLines, type Waiter } from './topic-lines.js';

/** A request of a worker for external tasks. */
type WorkAsked = Omit<FetchAndLock, 'now' | 'from'>;
type Work = Awaited<ReturnType<WorkerServices['fetch']>>;

const NO_WORK: Work = { tasks: [], revision: 0 };

/** How long who ends a task waits for room in its instance's mailbox. */
const MAILBOX_WAIT_MS = 10_000;
const MAILBOX_LOOK_MS = 50;
/** As many rounds as one look for work has, at most: each looks at a thousand tasks. */
const ROUNDS_MAX = 1_000;

/** Workers that wait for work: each is woken by what is committed, or by the time at which something comes to be free; nothing is polled. */
export class WaitingWorkers implements WorkerServices {
  readonly #api: Pick<ApiOperations, 'fetchAndLock' | 'unlockExternalTask'>;
  readonly #time: Time;
  readonly #lines = new Map<string, TopicLines>();
  #isOver = false;

  constructor(api: Pick<ApiOperations, 'fetchAndLock' | 'unlockExternalTask'>, time: Time) {
    this.#api = api;
    this.#time = time;
  }

  /** What tells the workers of a partition of new work. */
  follower(partition: string): CommitFollower {
    return {
      collections: [externalTasks],
      committed: (commit: Committed) => this.#lines.get(partition)?.committed(tasksIn(commit)),
      renewed: () => this.#lines.get(partition)?.wakeAll(),
    };
  }

  now(): number {
    return this.#time.now();
  }

  /** Locks work for a worker, as soon as there is any; none when its time is over, or the server ends. @throws FORBIDDEN, BAD_REQUEST, UNAVAILABLE */
  async fetch(worker: FetchingWorker, asked: WorkAsked): Promise<Work> {
    const lines = this.#linesOf(worker.partition);
    const waiter = lines.enter(asked.topics.map(({ topicName }) => topicName));
    try {
      return await this.#fetchWaiting(worker, asked, waiter);
    } finally {
      lines.leave(waiter);
      if (lines.isEmpty) this.#lines.delete(worker.partition.id);
    }
  }

  /** Whoever waits is answered: now, and from now on. `workspace`: those of this one, which may be started again. */
  end(workspace?: string): void {
    if (workspace === undefined) this.#isOver = true;
    for (const lines of this.#lines.values()) if (workspace === undefined || lines.workspace === workspace) lines.end();
  }

  /** Does what ends a task; where its instance's mailbox is full it waits for room. @throws what the work throws */
  async patiently<T>(work: () => Promise<T>): Promise<T> {
    const until = this.#time.monotonic() + MAILBOX_WAIT_MS;
    for (;;) {
      try {
        return await work();
      } catch (thrown) {
        if (!isMailboxFull(thrown) || this.#time.monotonic() >= until) throw thrown;
        await pause(this.#time, MAILBOX_LOOK_MS);
      }
    }
  }

  #linesOf({ id, workspace }: FetchingWorker['partition']): TopicLines {
    const lines = this.#lines.get(id) ?? new TopicLines(workspace, this.#time);
    this.#lines.set(id, lines);
    return lines;
  }

  async #fetchWaiting(worker: FetchingWorker, asked: WorkAsked, waiter: Waiter): Promise<Work> {
    const { waitMs, signal, aside } = worker;
    const until = this.#time.monotonic() + waitMs;
    const isGone = () => signal?.aborted === true;
    for (;;) {
      waiter.look();
      const { locked, nextAt, revision } = await this.#fetchNow(worker, asked);
      if (isGone()) return this.#giveBack(worker, locked);
      if (locked.length > 0) {
        waiter.took();
        return { tasks: locked, revision };
      }
      const left = until - this.#time.monotonic();
      if (left <= 0 || this.#isOver || waiter.isEnded) return NO_WORK;
      aside?.(true);
      await waiter.wait({ ms: left, nextAt, signal });
      aside?.(false);
      if (isGone() || waiter.isEnded) return NO_WORK;
    }
  }

  /** Looks on as long as all that was looked at is for others. */
  async #fetchNow(
    { partition, caller, signal }: FetchingWorker,
    asked: WorkAsked,
  ): Promise<{ readonly locked: readonly ExternalTask[]; readonly nextAt: number | null; readonly revision: number }> {
    let from: FetchAndLock['from'];
    for (let round = 0; round < ROUNDS_MAX && signal?.aborted !== true; round++) {
      const input: FetchAndLock = { ...asked, now: this.#time.now(), ...(from !== undefined && { from }) };
      const { answer, revision } = await partition.send(this.#api.fetchAndLock, input, { caller });
      if (answer.locked.length > 0 || answer.from === null) return { ...answer, revision };
      from = answer.from;
    }
    return { locked: [], nextAt: null, revision: 0 };
  }

  /** Nobody is there to do it: others have it at once. */
  async #giveBack({ partition, caller }: FetchingWorker, locked: readonly ExternalTask[]): Promise<Work> {
    await Promise.all(
      locked.map(({ id: taskId, lock }) =>
        partition
          .send(this.#api.unlockExternalTask, { taskId, lockToken: lock?.token ?? '' }, { caller })
          .catch(() => undefined),
      ),
    );
    return NO_WORK;
  }
}

const tasksIn = ({ writes }: Committed): ExternalTask[] =>
  writes.flatMap(({ collection, document }) =>
    collection.name === externalTasks.name && document !== null ? [document as ExternalTask] : [],
  );

const isMailboxFull = (thrown: unknown): boolean =>
  thrown instanceof ServiceError && thrown.info.reason === 'mailbox_full';
