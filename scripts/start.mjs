// `npm start`: installs and builds when that is needed, then runs the server in this process, so that signals reach it.
import { prepareDist } from './project.mjs';

prepareDist(1);
endWithNpm();
await import('../dist/server/main.js');

/** npm hands a signal to the shell between it and this process, and that one ends without handing it on. */
function endWithNpm() {
  const shell = process.ppid;
  if (process.env.npm_lifecycle_event !== 'start') return;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 200);
  watch.unref();
}
