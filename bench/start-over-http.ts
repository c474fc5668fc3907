import { modelOf } from './cases.js';
import { measure, perSecond } from './measure.js';
import { type CallTimes, openLoop } from './open-loop.js';
import { type BenchServer, benchServer, type CpuTime } from './server.js';

/** What a number of operations cost the server's process; null where the system does not tell. */
export interface ServerCost {
  /** µs per operation. */
  readonly cpu: CpuTime | null;
}

/** How many instances were carried through, and how many were not. */
interface TaskRate {
  readonly failed: number;
  readonly perSecond: number;
}

const START = `mutation Start($input: StartProcessInput!) { startProcess(input: $input) { id } }`;
const FIND = `query Find($input: ID!) { tasks(first: 1, processInstance: $input) { edges { node { id } } } }`;
const COMPLETE = `mutation Complete($input: CompleteTaskInput!) { completeTask(input: $input) { id } }`;
const DEPLOY = `mutation Deploy($input: DeployProcessInput!) { deployProcess(input: $input) { id } }`;
const CALLERS = 64;
/** How long callers who wait for their answers warm a server up, so that its code is compiled as that of one that has run for a while. */
const WARM_UP_MS = 3_000;

/** Starts a server of its own on the folder and calls `startProcess` of (d) at `perSecond`. */
export async function startOverHttp(
  folder: string,
  perSecond: number,
  seconds: number,
): Promise<CallTimes & ServerCost> {
  const server = await benchServer(folder);
  try {
    const start = await starting(server);
    await measure(() => start().catch(() => {}), WARM_UP_MS, CALLERS); // a cold server may refuse so many
    await openLoop(start, perSecond, Math.min(2, seconds));
    const cost = costOf(server);
    const times = await openLoop(start, perSecond, seconds);
    return { ...times, cpu: cost(times.calls) };
  } finally {
    await server.end();
  }
}

/** Starts a server of its own on the folder; callers who wait for each answer start an instance of (d), look for its task and complete it. */
export async function tasksOverHttp(folder: string, ms: number): Promise<TaskRate & ServerCost> {
  const server = await benchServer(folder);
  try {
    await deploy(server);
    const work = async () => {
      const { startProcess } = await server.ask<{ startProcess: { id: string } }>(START, { definitionKey: 'd' });
      const { tasks } = await server.ask<{ tasks: { edges: { node: { id: string } }[] } }>(FIND, startProcess.id);
      await server.ask(COMPLETE, { taskId: tasks.edges[0]?.node.id });
    };
    let cost = costOf(server);
    let failed = 0;
    const begin = () => {
      cost = costOf(server);
      failed = 0;
    };
    const measured = await measure(() => work().catch(() => failed++), ms, CALLERS, begin);
    const operations = measured.operations - failed;
    return { failed, perSecond: perSecond({ ...measured, operations }), cpu: cost(operations) };
  } finally {
    await server.end();
  }
}

/** Deploys (d); gives what starts an instance of it. */
export async function starting(server: BenchServer): Promise<() => Promise<unknown>> {
  await deploy(server);
  return () => server.ask(START, { definitionKey: 'd' });
}

const deploy = ({ ask }: BenchServer): Promise<unknown> =>
  ask(DEPLOY, { name: 'bench', resources: [{ name: 'd.bpmn', content: modelOf('d', 'millrace') }] });

/** What the server's process has spent from now on, per operation. */
function costOf(server: BenchServer): (operations: number) => CpuTime | null {
  const from = server.cpu();
  return (operations) => {
    const to = server.cpu();
    if (from === null || to === null) return null;
    return { all: (to.all - from.all) / operations, main: (to.main - from.main) / operations };
  };
}
