import { setTimeout as sleep } from 'node:timers/promises';
import { SteadyClock } from '../src/shared/clock.js';
import { jobs } from '../src/store/index.js';
import { type EngineInStore, engineInStore } from './engine-in-store.js';
import { LoopWatch } from './loop-watch.js';
import { type CallTimes, openLoop } from './open-loop.js';

/** Timers that come due at once, beside callers who start instances. */
export interface DueTimers {
  readonly timers: number;
  readonly perSecond: number;
  /** CPU time of this process, all threads, per timer; what the callers cost is in it. */
  readonly cpuMicros: number;
  readonly starts: CallTimes;
  /** The longest time in which the event loop did nothing else, ms. */
  readonly blockMs: number;
}

const DAY_MS = 86_400_000;
const LOADERS = 256;

/** Instances that wait for a timer each, durable in the folder; then all are due at once, while others start at a steady rate. */
export async function dueTimers(folder: string, timers: number, startsPerSecond: number): Promise<DueTimers> {
  const clock = new SteadyClock();
  const watch = new LoopWatch();
  const engine = await engineInStore(folder, { clock, decided: watch.decided });
  await load(engine, timers);
  await openLoop(() => engine.start('d'), startsPerSecond, 2);
  watch.begin();
  const cpu = process.cpuUsage();
  const begun = performance.now();
  clock.set(clock.now() + 2 * DAY_MS);
  engine.partition.decider.jobs.wake();
  let through = 0;
  const seconds = Math.max(2, Math.ceil(timers / 5_000));
  const [starts] = await Promise.all([
    openLoop(() => engine.start('d'), startsPerSecond, seconds),
    untilThrough(engine).then(() => {
      through = performance.now() - begun;
    }),
  ]);
  const { user, system } = process.cpuUsage(cpu);
  const { longest } = watch.end();
  await engine.close();
  return {
    timers,
    perSecond: (timers * 1_000) / through,
    cpuMicros: (user + system) / timers,
    starts,
    blockMs: longest.ms,
  };
}

async function load(engine: EngineInStore, timers: number): Promise<void> {
  let left = timers;
  const loader = async () => {
    while (left-- > 0) await engine.start('timer');
  };
  await Promise.all(Array.from({ length: LOADERS }, loader));
}

async function untilThrough({ partition }: EngineInStore): Promise<void> {
  const isLeft = () =>
    partition.decider.jobs.running > 0 || partition.replica.read().range(jobs, 'queue', ['timed', 0], 1).length > 0;
  while (isLeft()) await sleep(20);
}
