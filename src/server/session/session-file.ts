import { closeSync, openSync, renameSync, rmSync } from 'node:fs';
import { messageOf, ServiceError } from '../../shared/errors.js';
import { log } from '../../shared/log.js';
import { Thread, workerThread } from '../../shared/thread.js';
import { MemorySessionStore, type SessionRecord, type SessionStore } from './session-store.js';

/** A request to the thread that owns the file: for all sessions, or to write something of one. */
export type SessionFileRequest =
  | { readonly read: true }
  | { readonly put: SessionRecord }
  | { readonly touch: string; readonly lastSeenAt: number }
  | { readonly remove: string };

type SessionThread = Thread<SessionFileRequest, readonly SessionRecord[]>;

/**
 * Keeps sessions in a SQLite file, so that a restart keeps people signed in. They are read once, at the start, and served from memory;
 * a thread of its own writes them. A kill -9 loses none that was answered; a power loss may lose those of the last moments. A file that is
 * damaged is put aside: people sign in again. A thread that has gone is replaced by the next write. @throws CONFLICT when it cannot be used for another reason
 */
export async function openSessionFile(file: string): Promise<SessionStore> {
  const { thread: first, records } = await openedThread(file);
  const memory = new MemorySessionStore();
  const written = new Map<string, number>();
  for (const record of records) {
    await memory.put(record);
    written.set(record.id, record.lastSeenAt);
  }
  let current = Promise.resolve(first);
  const ask = async (request: SessionFileRequest): Promise<void> => {
    const before = current;
    const thread = await before.catch(() => undefined);
    if (thread?.lost === null) return void (await thread.ask(request));
    // Of those who find it gone at once, one starts another.
    if (current === before) current = replacement(file, memory);
    await (await current).ask(request);
  };
  return {
    get: (id) => memory.get(id),
    ofUser: (userId) => memory.ofUser(userId),
    expired: (now, seenBefore) => memory.expired(now, seenBefore),
    put: async (record) => {
      written.set(record.id, record.lastSeenAt);
      await memory.put(record);
      await ask({ put: record });
    },
    touch: (id, lastSeenAt) => {
      const noted = memory.touch(id, lastSeenAt);
      if (!memory.has(id) || lastSeenAt - (written.get(id) ?? 0) < WRITE_SEEN_MS) return noted;
      written.set(id, lastSeenAt);
      return ask({ touch: id, lastSeenAt });
    },
    remove: async (id) => {
      written.delete(id);
      await memory.remove(id);
      await ask({ remove: id });
    },
    close: async () => {
      const thread = await current;
      if (thread.lost === null) await thread.close();
    },
  };
}

/** Another thread: what the one before has not written, it writes first. */
async function replacement(file: string, memory: MemorySessionStore): Promise<SessionThread> {
  log.error({ file }, 'the thread that keeps sessions has gone, and is started again');
  const { thread, records } = await openedThread(file);
  const gone = records.filter(({ id }) => !memory.has(id)).map(({ id }) => thread.ask({ remove: id }));
  await Promise.all([...gone, ...memory.all().map((record) => thread.ask({ put: record }))]);
  return thread;
}

interface OpenedThread {
  readonly thread: SessionThread;
  readonly records: readonly SessionRecord[];
}

async function openedThread(file: string): Promise<OpenedThread> {
  try {
    return await begun(file);
  } catch (thrown) {
    if (!UNSOUND.test(messageOf(thrown))) throw unusable(file, thrown);
    const aside = `${file}.damaged-${Date.now()}`;
    log.error(
      { file, aside, reason: messageOf(thrown) },
      'the file of sessions is damaged and put aside: all sign in again',
    );
    renameSync(file, aside);
    for (const end of ['-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
    return begun(file);
  }
}

async function begun(file: string): Promise<OpenedThread> {
  closeSync(openSync(file, 'a', 0o600)); // SQLite would make it readable for others
  const ended = 'the thread that keeps sessions has ended';
  const port = workerThread(new URL('./session-thread.js', import.meta.url), { data: { file }, ended });
  // A process with nothing else to do waits for the answer, and ends when there is nothing to wait for.
  const thread: SessionThread = new Thread(port, { holds: 'asked' });
  return { thread, records: await thread.ask({ read: true }) };
}

/** As SQLite says that a file is no sound database, or none of sessions. */
const UNSOUND = /malformed|not a database|no such column|has no column/;

const unusable = (file: string, thrown: unknown) =>
  new ServiceError(
    'CONFLICT',
    `expected ${file} to be a file of sessions that can be read and written, but: ${messageOf(thrown)}`,
    {
      reason: 'sessions_unusable',
    },
  );

/** How often it is written when a session was last seen. */
const WRITE_SEEN_MS = 60_000;
