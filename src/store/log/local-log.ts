import { messageOf, unavailable } from '../../shared/errors.js';
import { Thread, type ThreadPort, workerThread } from '../../shared/thread.js';
import { systemTime, type Time, turn } from '../../shared/time.js';
import { type CommitRecord, type DocumentRecord, type Log, LogBroken } from './log.js';
import type { TableShape } from './schema.js';
import type { WriterRequest } from './writer-requests.js';

/** How many documents of a commit are handed over at once. */
const PIECE_DOCUMENTS = 1_000;
/** How long {@link LocalLog.close} waits for a writer that hangs. */
const CLOSE_MS = 5_000;

/** Ports of a local log. */
interface LocalLogPorts {
  readonly time: Time;
  /** Starts a writer of the log's file. */
  readonly startWriter: () => ThreadPort;
}

/** The machine's, for an existing `log.db` with all tables. */
export const localLogPorts = (path: string, shapes: readonly TableShape[]): LocalLogPorts => ({
  time: systemTime,
  startWriter: () =>
    workerThread(new URL('./writer-requests.js', import.meta.url), { name: 'writer', data: { path, shapes } }),
});

type Writer = Thread<WriterRequest, void, readonly DocumentRecord[]>;

/** The embedded log: SQLite, written by a thread of its own. A commit is the transaction on `log.db`. */
export class LocalLog implements Log {
  readonly system = 'sqlite';
  readonly #ports: LocalLogPorts;
  #writer: Writer;
  #whenLost: (error: Error) => void = () => {};
  #closed = false;

  constructor(ports: LocalLogPorts) {
    this.#ports = ports;
    this.#writer = this.#start();
  }

  append(group: readonly CommitRecord[]): Promise<void> {
    const [first] = group;
    if (group.length === 1 && first !== undefined && first.documents.length > PIECE_DOCUMENTS)
      return this.#appendPieces(first);
    return this.#ask({ type: 'append', group });
  }

  trim(revision: number, outcomesBefore: number): Promise<void> {
    return this.#ask({ type: 'trim', revision, outcomesBefore });
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
    old.end();
    await old.ended;
    if (this.#closed) throw unavailable('the log is closed');
    this.#writer = this.#start();
    await this.probe();
  }

  probe(): Promise<void> {
    return this.#ask({ type: 'probe' });
  }

  onLost(listener: (error: Error) => void): void {
    this.#whenLost = listener;
  }

  /** A writer that hangs is not waited for any longer than 5 s: what was answered is durable. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#writer.close(CLOSE_MS, this.#ports.time);
  }

  #start(): Writer {
    return new Thread(this.#ports.startWriter(), {
      lost: (reason) => unavailable(`the log's writer is gone: ${messageOf(reason)}`),
      gone: (error) => {
        if (!this.#closed) this.#whenLost(error);
      },
      // The data contradicts what is stored.
      refused: ({ message }) =>
        /constraint/i.test(message) ? new LogBroken(message) : unavailable(`the log refused: ${message}`),
    });
  }

  #ask(request: WriterRequest): Promise<void> {
    return this.#closed ? Promise.reject(unavailable('the log is closed')) : this.#writer.ask(request);
  }

  /** What is copied to the thread at once holds up this one: the documents go piece by piece, before the commit that they are of. */
  async #appendPieces({ documents, ...commit }: CommitRecord): Promise<void> {
    const writer = this.#writer;
    for (let at = 0; at < documents.length; at += PIECE_DOCUMENTS) {
      await turn(this.#ports.time);
      // The thread that has the first pieces is gone, and the commit with it.
      if (writer.lost !== null) throw writer.lost;
      writer.tell(documents.slice(at, at + PIECE_DOCUMENTS));
    }
    return writer.ask({ type: 'append', group: [{ ...commit, documents: [] }] });
  }
}
