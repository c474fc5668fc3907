import { parseArgs } from 'node:util';
import { Random } from '../support/random.js';
import { disk } from './ground/disk.js';
import { violationsAtEnd } from './ground/end.js';
import type { Ground, Kind } from './ground/ground.js';
import { kill } from './ground/kill.js';
import { power } from './ground/power.js';
import { redis } from './ground/redis.js';
import { redisPower } from './ground/redis-power.js';
import { busyness, type Limits } from './ledger.js';
import { playRound, type RoundResult } from './round.js';

const KINDS: readonly Kind[] = [kill, power, disk, redis, redisPower];
/** Rounds on one server's data; then a new one begins with none. */
const ROUNDS = 4;
const LIMITS: Limits = { answerMs: 10_000, refusalMs: 2_000, resumeMs: 2_000, settleMs: 25_000 };

/** All rounds of a kind, added up. */
interface Sum {
  kind: string;
  rounds: number;
  strikes: number;
  answered: number;
  refused: number;
  instances: number;
  reconnects: number;
  /** Medians and worst of what it took until changes were made again, ms. */
  resumedMs: number[];
  slowestMs: number;
  violations: string[];
  /** How many programs wanted each processor at most: limits are that much wider. */
  busiest: number;
}

/** What is played on now. */
let present: Ground | undefined;
const { values } = parseArgs({
  options: { minutes: { type: 'string' }, seed: { type: 'string' }, only: { type: 'string' } },
});
const minutes = Number(values.minutes ?? 30);
const firstSeed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));
const only = values.only?.split(',');
const unknown = only?.filter((name) => !KINDS.some((kind) => kind.name === name)) ?? [];
if (!(minutes > 0) || !Number.isInteger(firstSeed) || unknown.length > 0)
  throw new Error(
    `expected --minutes <number> --seed <whole number> --only ${KINDS.map(({ name }) => name).join(',')}`,
  );
const say = (line: string) => void process.stdout.write(`${line}\n`);
/** Whether nothing was wrong. */
async function main(): Promise<boolean> {
  const begun = performance.now();
  const end = begun + minutes * 60_000;
  const kinds = KINDS.filter(({ name }) => only?.includes(name) ?? true).filter(isPossible);
  say(`Chaos for ${minutes} minutes from seed ${firstSeed}: ${kinds.map(({ name }) => name).join(', ')}`);
  const sums: Sum[] = kinds.map(({ name }) => emptySum(name));
  for (let seed = firstSeed; performance.now() < end && kinds.length > 0; seed += ROUNDS) {
    for (const [i, kind] of kinds.entries()) {
      const sum = sums[i];
      if (sum !== undefined && performance.now() < end) await playGround(kind, seed, sum, end);
    }
  }
  const violations = sums.reduce((count, sum) => count + sum.violations.length, 0);
  say('');
  for (const line of tableOf(sums)) say(line);
  say('');
  say(
    JSON.stringify({
      seed: firstSeed,
      seconds: Math.round((performance.now() - begun) / 1000),
      kinds: sums.map(shown),
      violations,
    }),
  );
  return violations === 0;
}

function isPossible({ name, missing }: Kind): boolean {
  const why = missing?.();
  if (why !== undefined) say(`NOT TRIED: ${name}: ${why}`);
  return why === undefined;
}

async function playGround(kind: Kind, seed: number, sum: Sum, end: number): Promise<void> {
  const ground = await kind.open().catch((thrown: unknown) => {
    const result = broken({ seed }, thrown);
    add(sum, result);
    report(kind, result);
  });
  if (ground === undefined) return;
  present = ground;
  try {
    for (let i = 0; i < ROUNDS && performance.now() < end; i++) {
      // A job is given up that three servers in a row died with.
      const strikes = 1 + new Random(seed + i).below(2);
      const options = { seed: seed + i, limits: LIMITS, strikes, workMs: 2_500 };
      const result = await playRound(ground, options).catch((thrown: unknown) => broken(options, thrown));
      add(sum, result);
      report(kind, result);
      if (result.violations.length > 0) {
        say(ground.arena.logged().split('\n').slice(-30).join('\n'));
        break; // what is wrong once may be wrong for ever after on this data
      }
    }
  } finally {
    const wrong = await violationsAtEnd(ground);
    for (const one of wrong) say(`  VIOLATION (seed ${seed}) ${one}`);
    sum.violations.push(...wrong);
    await ground.close();
    present = undefined;
  }
}

function report(
  { name }: Kind,
  { seed, strikes, answered, refused, instances, slowestMs, violations }: RoundResult,
): void {
  const faults = strikes.map(({ what, resumedMs }) => `${what} → ${resumedMs} ms`).join('; ');
  say(
    `${name} ${seed}: ${answered} answered, ${refused} refused, ${instances} instances, slowest ${slowestMs} ms; ${faults}`,
  );
  for (const violation of violations) say(`  VIOLATION (--only ${name} --seed ${seed}) ${violation}`);
}

/** A round that could not be played to its end: something that must work did not. */
const broken = ({ seed }: { readonly seed: number }, thrown: unknown): RoundResult => ({
  seed,
  strikes: [],
  answered: 0,
  refused: 0,
  instances: 0,
  reconnects: 0,
  slowestMs: 0,
  violations: [`the round broke: ${thrown instanceof Error ? thrown.stack : String(thrown)}`],
});

/** Whoever stops it leaves no server, no mount and no file behind. */
async function stopped(): Promise<never> {
  if (present?.arena.isRunning === true) await present.arena.end('SIGKILL');
  await present?.close();
  process.exit(1);
}

const emptySum = (kind: string): Sum => ({
  kind,
  rounds: 0,
  strikes: 0,
  answered: 0,
  refused: 0,
  instances: 0,
  reconnects: 0,
  resumedMs: [],
  slowestMs: 0,
  violations: [],
  busiest: 1,
});

function add(sum: Sum, result: RoundResult): void {
  sum.rounds++;
  sum.busiest = Math.max(sum.busiest, Math.round(busyness() * 10) / 10);
  sum.strikes += result.strikes.length;
  for (const field of ['answered', 'refused', 'instances', 'reconnects'] as const) sum[field] += result[field];
  sum.resumedMs.push(...result.strikes.map(({ resumedMs }) => resumedMs));
  sum.slowestMs = Math.max(sum.slowestMs, result.slowestMs);
  sum.violations.push(...result.violations.map((one) => `seed ${result.seed}: ${one.slice(0, 120)}`));
}

/** The sum with figures in place of what they are taken from. */
function shown({ resumedMs, ...sum }: Sum) {
  const sorted = resumedMs.toSorted((a, b) => a - b);
  return { ...sum, resumedMsMedian: sorted[sorted.length >> 1] ?? 0, resumedMsMax: sorted.at(-1) ?? 0 };
}

function tableOf(sums: readonly Sum[]): string[] {
  const rows = sums
    .map(shown)
    .map((sum) => [
      sum.kind,
      ...[sum.rounds, sum.strikes, sum.answered, sum.refused, sum.instances, sum.reconnects].map(String),
      `${sum.resumedMsMedian} / ${sum.resumedMsMax}`,
      ...[sum.slowestMs, sum.busiest, sum.violations.length].map(String),
    ]);
  const head = [
    'fault',
    'rounds',
    'strikes',
    'answered',
    'refused',
    'instances',
    'stream connections',
    'resumed ms (median / max)',
    'slowest answer ms',
    'programs per processor',
    'violations',
  ];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stopped());
process.exitCode = (await main()) ? 0 : 1;
