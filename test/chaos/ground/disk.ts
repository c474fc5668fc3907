import { spawnSync } from 'node:child_process';
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder } from '../../support/data-folder.js';
import type { Random } from '../../support/random.js';
import { Arena } from '../arena.js';
import { sleep } from '../ledger.js';
import type { Ground, Kind } from './ground.js';

const DISK = 'size=192m';
const BLOCK = Buffer.alloc(65_536);

/** How long the disk stays full, ms. */
const fullMs = (random: Random): number => 500 + random.below(8_000);

/** The disk is full while callers go on, and has room again. */
export const disk: Kind = {
  name: 'disk',
  missing: () =>
    mayMount() || spawnSync('prlimit', ['--version']).status === 0
      ? undefined
      : 'a file system of its own may not be mounted, and there is no prlimit',
  open: () => (mayMount() ? smallDisk() : shortFiles()),
};

function mayMount(): boolean {
  if (process.getuid?.() !== 0) return false;
  const own = dataFolder();
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', own.path]).status === 0;
  if (isMounted) spawnSync('umount', [own.path]);
  own.remove();
  return isMounted;
}

/** A small disk of its own that a file fills. */
async function smallDisk(): Promise<Ground> {
  const own = dataFolder();
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', DISK, 'tmpfs', own.path]);
  if (mounted.status !== 0) throw new Error(`a disk could not be mounted: ${mounted.stderr}`);
  const arena = new Arena({ folder: join(own.path, 'data') });
  await arena.start();
  const filler = join(own.path, 'filler');
  return {
    arena,
    async strike(random) {
      // Now and then a little room is left, which is full soon.
      const left = random.chance(0.5) ? 0 : random.below(300_000);
      const ms = fullMs(random);
      fill(filler, left);
      await sleep(ms);
      rmSync(filler);
      return `disk full but for ${left} bytes for ${ms} ms`;
    },
    async close() {
      arena.remove();
      spawnSync('umount', [own.path]);
      own.remove();
    },
  };
}

function fill(path: string, left: number): void {
  const file = openSync(path, 'w');
  try {
    for (let size = BLOCK.length; size >= 512; size /= 2) {
      try {
        for (;;) writeSync(file, BLOCK, 0, size);
      } catch (thrown) {
        if ((thrown as { code?: unknown }).code !== 'ENOSPC') throw thrown;
      }
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  if (left > 0) spawnSync('truncate', ['-s', `-${left}`, path]);
}

/** Where no disk may be mounted: no file of the process may become longer, as if there was no room. */
async function shortFiles(): Promise<Ground> {
  const arena = new Arena();
  await arena.start();
  const limit = (bytes: string) => spawnSync('prlimit', ['--pid', `${arena.pid}`, `--fsize=${bytes}:`]);
  return {
    arena,
    async strike(random) {
      const ms = fullMs(random);
      limit('1');
      await sleep(ms);
      limit('unlimited');
      return `no file may grow for ${ms} ms`;
    },
    close: async () => arena.remove(),
  };
}
