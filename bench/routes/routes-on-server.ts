import { setTimeout as pause } from 'node:timers/promises';
import { type CallTimes, openLoop } from '../open-loop.js';
import { type BenchServer, benchServer } from '../server.js';
import { starting } from '../start-over-http.js';

const CREATE = 'mutation Create($input: CreateRouteInput!) { createRoute(input: $input) { id } }';
const STATES = 'query States { routes(first: 500) { totalCount edges { node { id status } } } }';
const SEND = 'mutation Send($input: SendToEndpointInput!) { sendToEndpoint(input: $input) { exchangeId } }';
const TOTAL = 'query Total($input: ID!) { route(id: $input) { exchangesTotal } }';
const STOP = 'mutation Stop($input: StopRouteInput!) { stopRoute(input: $input) { status } }';
/** As many as a workspace's routes may have under way. */
const COMMANDS = 64;
const ROUTES = 200;
const STARTS_PER_SECOND = 200;
const WARM_UP_SECONDS = 3;

/** How long routes take, in ms. */
export interface RoutesStarted {
  /** From the first createRoute, one after the other, to the last one's answer, which says that its route is started. */
  readonly createdMs: number;
  /** From the start of the process to the last route that is started, when they are there already. */
  readonly restartedMs: number;
  /** From when the server was ready to that. */
  readonly readyMs: number;
}

/** 200 routes of three steps, each with a timer of its own, are made, and are there again when the server is started again. */
export async function routesStarted(folder: string): Promise<RoutesStarted> {
  const first = await benchServer(folder);
  const begun = performance.now();
  for (let n = 0; n < ROUTES; n++) {
    const yaml = `- route:\n    id: r${n}\n    from:\n      uri: timer:t${n}?period=60000&delay=3600000\n      steps:\n        - setHeader: { name: n, constant: "${n}" }\n        - filter:\n            simple: "\${header.n} > 100"\n            steps: [{ to: "mock:out${n}" }]\n`;
    await first.ask(CREATE, { routeId: `r${n}`, yaml, autoStart: true });
  }
  const createdMs = performance.now() - begun;
  await first.end();
  const restarted = performance.now();
  const second = await benchServer(folder);
  const ready = performance.now();
  while ((await running(second)) < ROUTES) await pause(5);
  const done = performance.now();
  await second.end();
  return { createdMs, restartedMs: done - restarted, readyMs: done - ready };
}

async function running(server: BenchServer): Promise<number> {
  const { routes } = await server.ask<{ routes: { edges: { node: { status: string } }[] } }>(STATES, null);
  return routes.edges.filter(({ node }) => node.status === 'Started').length;
}

/** What callers of `startProcess` see at 200 a second. */
export interface BesideRoute {
  readonly alone: CallTimes;
  /** While a route computes without a pause. */
  readonly beside: CallTimes;
  /** While a route sends commands without end, as many at a time as may be under way. */
  readonly besideCommands: CallTimes;
  /** Exchanges of those routes in a second meanwhile. */
  readonly exchangesPerSecond: number;
  readonly commandsPerSecond: number;
}

const ENDLESS = `- route:
    id: endless
    from:
      uri: seda:again
      steps:
        - setHeader: { name: n, simple: "\${header.n}++" }
        - setBody: { simple: "hello \${header.n}" }
        - to: { uri: "mock:out?retainFirst=1" }
        - to: seda:again?waitForTaskToComplete=Never
`;

/** Each exchange starts a process, and sends another one. */
const COMMANDING = `- route:
    id: commanding
    from:
      uri: seda:command?concurrentConsumers=${COMMANDS}
      steps:
        - to: { uri: "bpm:start", parameters: { processDefinitionKey: d } }
        - to: seda:command?waitForTaskToComplete=Never
`;

/** Starts of processes alone, beside a route that computes without a pause, and beside one that starts processes itself without end. */
export async function besideRoute(folder: string, seconds: number): Promise<BesideRoute> {
  const server = await benchServer(folder);
  try {
    const start = await starting(server);
    await openLoop(start, STARTS_PER_SECOND, WARM_UP_SECONDS);
    const alone = await openLoop(start, STARTS_PER_SECOND, seconds);
    const busy = async (routeId: string, yaml: string, messages: number, endpointUri: string) => {
      await server.ask(CREATE, { routeId, yaml, autoStart: true });
      for (let n = 0; n < messages; n++) await server.ask(SEND, { endpointUri, body: 'x', headers: { n: 0 } });
      await openLoop(start, STARTS_PER_SECOND, WARM_UP_SECONDS);
      const [from, begun] = [await exchanges(server, routeId), performance.now()];
      const times = await openLoop(start, STARTS_PER_SECOND, seconds);
      const each = (((await exchanges(server, routeId)) - from) * 1_000) / (performance.now() - begun);
      await server.ask(STOP, { id: routeId, timeout: 1 });
      return { times, each };
    };
    const computing = await busy('endless', ENDLESS, 1, 'seda:again');
    const commanding = await busy('commanding', COMMANDING, COMMANDS, 'seda:command');
    return {
      ...{ alone, beside: computing.times, besideCommands: commanding.times },
      ...{ exchangesPerSecond: computing.each, commandsPerSecond: commanding.each },
    };
  } finally {
    await server.end();
  }
}

async function exchanges(server: BenchServer, routeId: string): Promise<number> {
  const { route } = await server.ask<{ route: { exchangesTotal: number } }>(TOTAL, routeId);
  return route.exchangesTotal;
}
