import { messageOf, unavailable } from '../../shared/errors.js';
import { type ThreadPort, workerThread } from '../../shared/thread.js';
import { pause, systemTime, type Time, turn } from '../../shared/time.js';
import { type CommitRecord, type Log, LogBroken } from './log.js';
import type { TableShape } from './schema.js';
import type { WriterReply, WriterRequest } from './writer-requests.js';

/** How many documents of a commit are handed over at once. */
const PIECE_DOCUMENTS = 1_000;
/** How long {@link LocalLog.close} waits for a writer that hangs. */
const CLOSE_MS = 5_000;

/** What a local log runs on. */
export interface LocalLogPorts {
  readonly time: Time;
  /** Starts a writer of the log's file. */
  readonly startWriter: () => ThreadPort;
}

/** The machine's, for an existing `log.db` with all tables. */
export const localLogPorts = (path: string, shapes: readonly TableShape[]): LocalLogPorts => ({
  time: systemTime,
  startWriter: () =>
    workerThread(new URL('./writer-thread.js', import.meta.url), { name: 'writer', workerData: { path, shapes } }),
});

/** A writer's thread, until it has gone. */
interface Writer {
  readonly thread: ThreadPort;
  /** Why it has gone; null: it is there, as far as is known. */
  gone: Error | null;
  readonly ended: Promise<void>;
}

/** The embedded log: SQLite, written by a thread of its own. A commit is the transaction on `log.db`. */
export class LocalLog implements Log {
  readonly system = 'sqlite';
  readonly #ports: LocalLogPorts;
  readonly #waiting = new Map<number, { resolve: () => void; reject: (error: Error) => void }>();
  #writer: Writer;
  #whenLost: (error: Error) => void = () => {};
  #next = 0;
  #closed = false;

  constructor(ports: LocalLogPorts) {
    this.#ports = ports;
    this.#writer = this.#start();
  }

  append(group: readonly CommitRecord[]): Promise<void> {
    const [first] = group;
    if (group.length === 1 && first !== undefined && first.documents.length > PIECE_DOCUMENTS)
      return this.#request((id) => this.#sendPieces(id, first));
    return this.#request((id) => this.#send({ type: 'append', id, group }));
  }

  trim(revision: number, outcomesBefore: number): Promise<void> {
    return this.#request((id) => this.#send({ type: 'trim', id, revision, outcomesBefore }));
  }

  /**
   * The thread is replaced, and only when it has gone. One that hangs within a call of the operating system may neither be ended from outside
   * (that has taken the process with it) nor be left behind: it holds the lock of the file's writers for as long as it hangs, so another one could
   * write nothing, and as soon as it goes on it may land what it has, which nobody may come between. So this waits, however long that takes.
   * Whoever asked for what it has is refused meanwhile; what it lands after all lands before this resolves, and is then found in the replica and
   * told. There is one writer at any time, and none once the log is closed.
   */
  async recover(): Promise<void> {
    const old = this.#writer;
    this.#askToEnd(old);
    await old.ended;
    if (this.#closed) throw unavailable('the log is closed');
    this.#writer = this.#start();
    await this.probe();
  }

  probe(): Promise<void> {
    return this.#request((id) => this.#send({ type: 'probe', id }));
  }

  onLost(listener: (error: Error) => void): void {
    this.#whenLost = listener;
  }

  /** A writer that hangs is not waited for any longer than 5 s: what was answered is durable. */
  async close(): Promise<void> {
    this.#closed = true;
    const { ended, thread } = this.#writer;
    this.#askToEnd(this.#writer);
    await Promise.race([ended, pause(this.#ports.time, CLOSE_MS)]);
    thread.hold(false);
  }

  #start(): Writer {
    const thread = this.#ports.startWriter();
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const writer: Writer = { thread, gone: null, ended };
    thread.onMessage((reply) => this.#settle(reply as WriterReply));
    thread.onExit((reason) => {
      writer.gone = unavailable(`the log's writer is gone: ${messageOf(reason)}`);
      end();
      this.#lose(writer.gone);
    });
    return writer;
  }

  /** It ends by itself once it has closed its file, behind what it was asked before. */
  #askToEnd({ thread }: Writer): void {
    thread.post({ type: 'close', id: -1 } satisfies WriterRequest);
  }

  #request(send: (id: number) => void): Promise<void> {
    if (this.#closed) return Promise.reject(unavailable('the log is closed'));
    if (this.#writer.gone !== null) return Promise.reject(this.#writer.gone);
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      send(id);
    });
  }

  #send(request: WriterRequest): void {
    this.#writer.thread.post(request);
  }

  /** What is copied to the thread at once holds up this one: the documents go piece by piece, before the commit that they are of. */
  async #sendPieces(id: number, { documents, ...commit }: CommitRecord): Promise<void> {
    for (let at = 0; at < documents.length; at += PIECE_DOCUMENTS) {
      await turn(this.#ports.time);
      // The thread that has the first pieces is gone, and the commit with it.
      if (!this.#waiting.has(id)) return;
      this.#send({ type: 'documents', documents: documents.slice(at, at + PIECE_DOCUMENTS) });
    }
    this.#send({ type: 'append', id, group: [{ ...commit, documents: [] }] });
  }

  #settle({ id, error }: WriterReply): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve();
    else
      waiting?.reject(error.broken ? new LogBroken(error.message) : unavailable(`the log refused: ${error.message}`));
  }

  /** Every question ends with the thread that it was put to. */
  #lose(error: Error): void {
    const lost = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of lost) reject(error);
    if (!this.#closed) this.#whenLost(error);
  }
}
