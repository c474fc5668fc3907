// `npm run bench`: builds what is to be measured, then measures it.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { buildTests, installIfNeeded, root } from '../scripts/project.mjs';

process.chdir(root);
process.env.MILLRACE_LOG_LEVEL ??= 'error'; // what took long is among the figures
installIfNeeded({ dev: true });
if (!buildTests()) process.exit(1);
const args = [join(root, 'build/bench/main.js'), ...process.argv.slice(2)];
process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
