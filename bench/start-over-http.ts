import { modelOf } from './cases.js';
import { type CallTimes, openLoop } from './open-loop.js';
import { type BenchServer, benchServer } from './server.js';

/** What callers of `startProcess` saw at a steady rate. */
export interface StartTimes extends CallTimes {
  /** CPU time of the server's process, all threads, per call; null where the system does not tell. */
  readonly serverCpuMicros: number | null;
}

const START = `mutation Start($input: StartProcessInput!) { startProcess(input: $input) { id } }`;
const DEPLOY = `mutation Deploy($input: DeployProcessInput!) { deployProcess(input: $input) { id } }`;

/** Starts a server of its own on the folder and calls `startProcess` of (d) at `perSecond`. */
export async function startOverHttp(folder: string, perSecond: number, seconds: number): Promise<StartTimes> {
  const server = await benchServer(folder);
  try {
    const start = await starting(server);
    await openLoop(start, perSecond, Math.min(2, seconds));
    const cpu = server.cpuMicros();
    const times = await openLoop(start, perSecond, seconds);
    const spent = cpu === null ? null : (server.cpuMicros() ?? 0) - cpu;
    return { ...times, serverCpuMicros: spent === null ? null : spent / times.calls };
  } finally {
    await server.end();
  }
}

/** Deploys (d); gives what starts an instance of it. */
export async function starting({ ask }: BenchServer): Promise<() => Promise<unknown>> {
  const model = { name: 'd.bpmn', content: modelOf('d', 'millrace') };
  await ask(DEPLOY, { name: 'bench', resources: [model] });
  return () => ask(START, { definitionKey: 'd' });
}
