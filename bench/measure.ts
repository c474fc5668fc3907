/** What a number of operations took. */
export interface Measured {
  readonly operations: number;
  readonly wallMs: number;
  /** User and system time of all threads of this process. */
  readonly cpuMicros: number;
}

/** A piece of work that can be done again and again. */
export type Work = () => unknown;

/** How often the work is done first, so that it is compiled as it is in a server that has run for a while; at most for twice `ms`. */
const WARM_UP = 10_000;

/** Does the work over and over for `ms` with `callers` callers at once, after a warm-up; `begin` is called between the two. */
export async function measure(work: Work, ms: number, callers = 1, begin = () => {}): Promise<Measured> {
  const patience = performance.now() + 2 * ms;
  for (let done = 0; done < WARM_UP && performance.now() < patience; ) done += await run(work, ms / 10, callers);
  begin();
  const cpu = process.cpuUsage();
  const begun = performance.now();
  const operations = await run(work, ms, callers);
  const wallMs = performance.now() - begun;
  const { user, system } = process.cpuUsage(cpu);
  return { operations, wallMs, cpuMicros: user + system };
}

async function run(work: Work, ms: number, callers: number): Promise<number> {
  const until = performance.now() + ms;
  let done = 0;
  const caller = async () => {
    do {
      const result = work();
      if (result instanceof Promise) await result;
      done++;
    } while (performance.now() < until);
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return done;
}

export const cpuEach = ({ cpuMicros, operations }: Measured): number => cpuMicros / operations;
export const perSecond = ({ wallMs, operations }: Measured): number => (operations * 1_000) / wallMs;

/** `12.3 µs CPU each, 45,678/s` */
export const told = (measured: Measured): string =>
  `${round(cpuEach(measured)).padStart(9)} µs CPU each, ${round(perSecond(measured)).padStart(8)}/s`;

export const round = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 });

/** The value below which a share of the sorted values lies. */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

export const say = (line = ''): void => void process.stdout.write(`${line}\n`);

/** A target and whether this run reached it. */
export const verdict = (reached: boolean, target: string): string => `[${reached ? 'reached' : 'MISSED '}: ${target}]`;

/** A figure with what it is of, and its goal. */
export const line = (what: string, told: string, goal?: string): void =>
  say(`  ${what.padEnd(58)} ${told}${goal === undefined ? '' : ` ${goal}`}`);
