import { parentPort, workerData } from 'node:worker_threads';
import { ROUTE_WORLD } from './route-world.js';
import { ScriptInterpreter } from './script-interpreter.js';
import type { ThreadOptions, ThreadReply, ThreadRequest } from './script-run.js';
import { PROCESS_WORLD } from './script-world.js';

// The interpreter asks the host for the local zone and nothing else; scripts run in UTC wherever the server stands.
Date.prototype.getTimezoneOffset = () => 0;

const port = parentPort;
if (port === null) throw new Error('the script thread is started by ScriptPool');

const { memoryBytes, begun, world } = workerData as ThreadOptions;
const interpreter = await ScriptInterpreter.load(memoryBytes, world === 'route' ? ROUTE_WORLD : PROCESS_WORLD);
const reply = (message: ThreadReply) => port.postMessage(message);

port.on('message', (request: ThreadRequest) => {
  const { result, broken } = interpreter.run(request, () => Atomics.store(begun, 0, process.hrtime.bigint()));
  reply({ type: 'done', result: JSON.stringify(result), broken });
  setImmediate(() => interpreter.prepare());
});
interpreter.warmUp();
interpreter.prepare();
reply({ type: 'ready' });
