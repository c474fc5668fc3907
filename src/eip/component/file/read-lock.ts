import type { Stats } from 'node:fs';
import { readdir, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ExchangeFailure } from '../../../expression/routes.js';
import type { ComponentContext, EndpointAddress } from '../component.js';
import type { GenericFile } from './generic-file.js';
import type { KeyStore } from './key-store.js';

type Options = EndpointAddress['options'];

/** That nobody writes a file while it is read, or reads it, too. */
export interface ReadLock {
  /** Whether it may be read. What was acquired is given back by `release`. */
  acquire(file: GenericFile): Promise<boolean>;
  /** At the end, as it went. */
  release(file: GenericFile, isFailed: boolean): Promise<void>;
  /** What servers left that are gone. */
  clean?(directory: string): Promise<void>;
}

const MARKER = '.camelLock';
const PROBE = '.camelExclusiveReadLock';

/** The locks that an endpoint's options ask for, in the order in which they are acquired. @throws ExchangeFailure where there is no such one */
export function readLocksOf(options: Options, keys: () => KeyStore, context: ComponentContext): readonly ReadLock[] {
  const kind = String(options.readLock ?? 'none');
  if (kind === 'none') return [];
  if (kind === 'fileLock')
    throw new ExchangeFailure(
      'java.lang.IllegalArgumentException',
      'readLock=fileLock is not supported: expected markerFile, changed, rename or idempotent',
    );
  const locks: ReadLock[] = [];
  if (kind.startsWith('idempotent')) locks.push(idempotentLock(options, keys()));
  else if (options.readLockMarkerFile !== false || kind === 'markerFile') locks.push(markerLock(options));
  if (kind.endsWith('changed')) locks.push(changedLock(options, context));
  if (kind.endsWith('rename')) locks.push(renameLock(options, context));
  return locks;
}

/** A file beside it, which one alone can make. */
function markerLock(options: Options): ReadLock {
  return {
    acquire: async ({ path }) => {
      try {
        await writeFile(path + MARKER, '', { flag: 'wx' });
        return true;
      } catch (thrown) {
        if ((thrown as NodeJS.ErrnoException).code === 'EEXIST') return false;
        throw thrown;
      }
    },
    release: ({ path }) => unlink(path + MARKER).catch(() => undefined),
    clean: async (directory) => {
      if (options.readLockDeleteOrphanLockFiles === false) return;
      const names = await readdir(directory, { recursive: options.recursive === true }).catch(() => []);
      for (const name of names) if (name.endsWith(MARKER)) await unlink(join(directory, name)).catch(() => undefined);
    },
  };
}

/** Size and time stay as they are for a while. */
function changedLock(options: Options, context: ComponentContext): ReadLock {
  const { interval, deadline } = timesOf(options, context);
  const [minLength, minAge] = [Number(options.readLockMinLength ?? 1), Number(options.readLockMinAge ?? 0)];
  const isSettled = (before: Stats | undefined, now: Stats) =>
    before?.size === now.size &&
    before.mtimeMs === now.mtimeMs &&
    now.size >= minLength &&
    (minAge <= 0 || context.now() - now.mtimeMs >= minAge);
  return {
    acquire: async ({ path }) => {
      const isLate = deadline();
      let before: Stats | undefined;
      for (;;) {
        const now = await stat(path).catch(() => undefined);
        if (now === undefined) return false;
        if (isSettled(before, now)) return true;
        before = now;
        if (isLate()) return false;
        await pause(interval, context);
      }
    },
    release: async () => {},
  };
}

/** It can be renamed, so nobody writes it. */
function renameLock(options: Options, context: ComponentContext): ReadLock {
  const { interval, deadline } = timesOf(options, context);
  return {
    acquire: async ({ path }) => {
      const isLate = deadline();
      for (;;) {
        try {
          await rename(path, path + PROBE);
          await rename(path + PROBE, path);
          return true;
        } catch {
          if (isLate()) return false;
          await pause(interval, context);
        }
      }
    },
    release: async () => {},
  };
}

/** A key that one alone can add: across servers, where they share the store. */
function idempotentLock(options: Options, keys: KeyStore): ReadLock {
  return {
    acquire: async ({ path }) => keys.add(path),
    release: async ({ path }, isFailed) => {
      const isRemoved = isFailed ? options.readLockRemoveOnRollback !== false : options.readLockRemoveOnCommit === true;
      if (isRemoved) await keys.remove(path);
    },
  };
}

function timesOf(options: Options, context: ComponentContext) {
  const interval = Number(options.readLockCheckInterval ?? 1000);
  const timeout = Number(options.readLockTimeout ?? 10_000);
  if (timeout > 0 && timeout <= interval)
    throw new ExchangeFailure(
      'java.lang.IllegalArgumentException',
      `The option readLockTimeout must be higher than readLockCheckInterval, was readLockTimeout=${timeout}, readLockCheckInterval=${interval}. A good practice is to let the readLockTimeout be at least 3 times higher than the readLockCheckInterval, to ensure that the read lock procedure has enough time to acquire the lock.`,
    );
  const deadline = () => {
    const end = timeout > 0 ? context.now() + timeout : Number.POSITIVE_INFINITY;
    return () => context.now() >= end;
  };
  return { interval, deadline };
}

const pause = (ms: number, context: ComponentContext) =>
  context.flow.paused(new Promise<void>((resolve) => void context.flow.at(context.now() + ms, resolve)));
