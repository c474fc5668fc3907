import { parentPort, workerData } from 'node:worker_threads';
import { type Said, served, type ThreadData, type ThreadModule, type ToThread } from './thread-service.js';

// Where every thread begins: it loads its module, and serves whoever started it. What that throws is the reason of its end.

const { module, data } = workerData as ThreadData;
const post = (said: Said) => parentPort?.postMessage(said);
const { inThread } = (await import(module)) as ThreadModule;
const take = served(await inThread(data as never, (news) => post({ news })), post);
parentPort?.on('message', (message: ToThread) => {
  // Without its port it ends by itself, as soon as it waits for nothing.
  if (take(message)) parentPort?.close();
});
post({ started: true });
