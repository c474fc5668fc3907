// `npm run chaos`: kills, power losses, a full disk, and a Redis that is killed, cut and paused, under callers, on the real server. `--minutes 30`
// (default), `--seed n` repeats what was struck when, `--only kill,power,disk,redis,redis-power`. Ends with 1 when anything was lost, doubled, late or silent.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { lackOf } from './programs.mjs';
import { buildTests, installIfNeeded, root } from './project.mjs';

process.chdir(root);
installIfNeeded({ dev: true });
const lack = lackOf('redis-server');
if (lack !== undefined) process.stderr.write(`${lack}\n`); // said again in what was not tried
if (!buildTests()) process.exit(1);
const args = [join(root, 'build/test/chaos/main.js'), ...process.argv.slice(2)];
process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
