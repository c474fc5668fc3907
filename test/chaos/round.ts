import { LOAD_MODEL } from '../scenario/support/load.js';
import { Random } from '../support/random.js';
import { WATCHERS } from './arena.js';
import { Caller } from './caller.js';
import { checkRound } from './checks.js';
import type { Ground } from './ground/ground.js';
import { Health } from './health.js';
import { busyness, Ledger, type Limits, sleep } from './ledger.js';
import { Watcher } from './watcher.js';

const CALLERS = 8;

export interface RoundOptions {
  readonly seed: number;
  readonly limits: Limits;
  /** How often it strikes. */
  readonly strikes: number;
  /** How long callers work before each strike at most, and behind the last one, ms. */
  readonly workMs: number;
}

/** One fault of a round. */
export interface Strike {
  readonly what: string;
  readonly begunAt: number;
  readonly overAt: number;
  /** From its end until a change was made again, ms. */
  readonly resumedMs: number;
}

export interface RoundResult {
  readonly seed: number;
  readonly strikes: readonly Strike[];
  readonly answered: number;
  readonly refused: number;
  readonly instances: number;
  readonly reconnects: number;
  readonly slowestMs: number;
  readonly violations: readonly string[];
}

const rounds = { count: 0 };

/** Callers work, faults strike, all comes to its end, and everything is compared with what was answered. */
export async function playRound({ arena, strike }: Ground, options: RoundOptions): Promise<RoundResult> {
  const { seed, limits } = options;
  const random = new Random(seed);
  const name = `r${++rounds.count}-${seed}`;
  const ledger = new Ledger(arena, limits);
  const position = await deploy(ledger, name);
  const callers = Array.from({ length: CALLERS }, (_, i) => new Caller(ledger, `${name}-c${i}`, new Random(seed + i)));
  for (const { folder } of callers) await makeFolder(ledger, folder);
  const [steady, restless] = WATCHERS;
  const watchers = [new Watcher(arena, steady, position), new Watcher(arena, restless, position, new Random(seed))];
  const health = new Health(arena);
  const stop = new AbortController();
  const work = Promise.all(callers.map((caller) => caller.work(stop.signal)));
  const strikes: Strike[] = [];
  try {
    for (let i = 0; i < options.strikes; i++) {
      await sleep(random.below(options.workMs));
      strikes.push(await struck(ledger, () => strike(random)));
    }
    await sleep(options.workMs / 2);
    stop.abort();
    ledger.deadline = performance.now() + limits.settleMs * busyness();
    await work;
    await checkRound({ ledger, callers, watchers, health, strikes, random });
  } finally {
    stop.abort();
    ledger.deadline = 0;
    await work;
    for (const one of [...watchers, health]) one.close();
  }
  const { answered, refused, slowestMs, violations } = ledger;
  return {
    seed,
    strikes,
    answered: answered.length,
    refused,
    instances: callers.reduce((sum, { started }) => sum + started.length, 0),
    reconnects: watchers.reduce((sum, one) => sum + one.reconnects, 0),
    slowestMs: Math.round(slowestMs),
    violations: [...violations, ...watchers.flatMap((one) => one.violations)],
  };
}

/** The round's own model, the newest version by now; gives a position before anything else of the round. */
async function deploy(ledger: Ledger, name: string): Promise<string> {
  const input = { name, resources: [{ name: 'load.bpmn', content: LOAD_MODEL }] };
  const { extensions, errors } = await ledger.arena
    .client('admin')
    .ask('mutation ($input: DeployProcessInput!) { deployProcess(input: $input) { id } }', { variables: { input } });
  if (extensions?.position === undefined) throw new Error(`the model is not deployed: ${JSON.stringify(errors)}`);
  return extensions.position;
}

async function makeFolder(ledger: Ledger, path: string): Promise<void> {
  const name = path.slice(path.lastIndexOf('/') + 1);
  await ledger.arena
    .client('admin')
    .run(
      'mutation ($name: String!) { createNode(input: { path: "/content", name: $name, nodeType: "nt:unstructured" }) { path } }',
      { name },
    );
}

/** Strikes, and sees when callers are answered again. */
async function struck(ledger: Ledger, strike: () => Promise<string>): Promise<Strike> {
  const begunAt = performance.now();
  const what = await strike();
  const overAt = performance.now();
  const resumed = () => ledger.answered.findLast(({ at }) => at >= overAt) !== undefined;
  const isOver = () => performance.now() > overAt + ledger.limits.settleMs || ledger.givenUp === CALLERS;
  while (!resumed() && !isOver()) await sleep(5);
  const first = ledger.answered.find(({ at }) => at >= overAt);
  const resumedMs = Math.round((first?.at ?? performance.now()) - overAt);
  if (ledger.isLate(resumedMs, ledger.limits.resumeMs))
    ledger.wrong(`changes were made again only ${resumedMs} ms after '${what}' was over`);
  return { what, begunAt, overAt, resumedMs };
}
