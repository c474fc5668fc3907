import type { EngineInStore } from './engine-in-store.js';
import type { Work } from './measure.js';
import { cpuEach, type Measured, measure, perSecond, round, say, verdict } from './measure.js';

const START_MICROS_MAX = 450;
const TASK_MICROS_MAX = 800;
/** A server that has run for a while has compiled what it does; a single caller would take minutes for that. */
const WARM_UP_CALLERS = 64;

/** What one caller costs who waits for each answer before he asks for more: every commit is a group of its own, and every thread is woken for it. */
export async function oneCaller(engine: EngineInStore, ms: number): Promise<void> {
  say('One caller alone, who waits for each answer; CPU of all threads, and how often one of them went to sleep:');
  await told('(a) start → end', engine.work('a'), ms, START_MICROS_MAX);
  await told('(d) start, find and complete the task', engine.found, ms, TASK_MICROS_MAX);
}

async function told(what: string, work: Work, ms: number, microsMax: number): Promise<void> {
  await measure(work, ms / 2, WARM_UP_CALLERS);
  let before = 0;
  const measured: Measured = await measure(work, ms, 1, () => {
    before = process.resourceUsage().voluntaryContextSwitches;
  });
  const sleeps = (process.resourceUsage().voluntaryContextSwitches - before) / measured.operations;
  const micros = cpuEach(measured);
  say(`  ${what.padEnd(38)} ${round(micros)} µs, ${round(perSecond(measured))}/s, ${round(sleeps)} times`);
  say(`    ${verdict(micros <= microsMax, `≤ ${microsMax} µs CPU each`)}`);
}
