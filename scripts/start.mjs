// `npm start`: installs and builds when that is needed, then runs the server in this process, so that signals reach it.
import { buildDist, distIsFresh, installIfNeeded } from './project.mjs';

try {
  const isFresh = distIsFresh();
  installIfNeeded({ dev: !isFresh });
  if (!isFresh) buildDist();
} catch (thrown) {
  process.stderr.write(`${thrown.message}\n`);
  process.exit(1);
}
await import('../dist/server/main.js');
