// `npm run simulate -- --seeds 10000 --from 0`: plays stories of the simulation, see docs/reliability.md.
import { buildTests, installIfNeeded, root, run } from './project.mjs';

process.chdir(root);
process.env.MILLRACE_LOG_LEVEL ??= 'silent';
installIfNeeded({ dev: true });
const went = buildTests() && run(process.execPath, ['build/test/simulation/main.js', ...process.argv.slice(2)]);
process.exitCode = went ? 0 : 1;
