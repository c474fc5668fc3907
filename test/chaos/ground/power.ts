import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder } from '../../support/data-folder.js';
import { Arena } from '../arena.js';
import { restoreDisk } from '../restore-disk.js';
import type { Kind } from './ground.js';

/** The compiler is not there, or cannot make what is needed. */
export function unbuilt(): string | undefined {
  if (process.platform !== 'linux') return 'a library is preloaded on Linux alone';
  return spawnSync('cc', ['--version']).status === 0 ? undefined : 'there is no C compiler (cc)';
}

/** Builds the library into the folder; gives what a process needs so that its writes to `data` in there are noted in `notes`. */
export function preloadFor(folder: string) {
  const [library, data, notes] = [join(folder, 'power-loss.so'), join(folder, 'data'), join(folder, 'notes')];
  const source = join(process.cwd(), 'test/chaos/power-loss.c');
  const built = spawnSync('cc', ['-shared', '-fPIC', '-O2', '-w', '-o', library, source, '-ldl', '-lpthread']);
  if (built.status !== 0) throw new Error(`power-loss.c could not be compiled: ${built.stderr}`);
  return { LD_PRELOAD: library, POWER_LOSS_ROOT: data, POWER_LOSS_NOTES: notes };
}

/** The power goes: what was not flushed is lost, or not, as chance has it. */
export const power: Kind = {
  name: 'power',
  missing: unbuilt,
  async open() {
    const own = dataFolder();
    const env = preloadFor(own.path);
    const { POWER_LOSS_ROOT: folder, POWER_LOSS_NOTES: notes } = env;
    mkdirSync(notes);
    const arena = new Arena({ folder, env });
    await arena.start();
    return {
      arena,
      async strike(random) {
        await arena.end('SIGKILL');
        const { lost, survived } = restoreDisk(folder, notes, random, random.chance(0.4) ? 'none' : 'some');
        await arena.start();
        return `power loss (${lost} of ${lost + survived} unflushed changes lost)`;
      },
      close: async () => {
        arena.remove();
        own.remove();
      },
    };
  },
};
