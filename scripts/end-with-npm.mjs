/** npm hands a signal to the shell between it and this process, and that one ends without handing it on. `script`: of package.json, this one's. */
export function endWithNpm(script) {
  const shell = process.ppid;
  if (process.env.npm_lifecycle_event !== script) return;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 200);
  watch.unref();
}
