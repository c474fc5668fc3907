import { engineInStore } from './engine-in-store.js';
import { cpuEach, measure, percentile, round, say } from './measure.js';

/** How often each of the two is measured, in turns: what else the machine does then holds for both. */
const PAIRS = 9;
/** Several share a transaction, as in a server. */
const CALLERS = 16;

/** (e): a decision table of 20 rules in a run, beside the same run with an expression in its place. */
export async function decisionsBench(ms: number): Promise<void> {
  say(
    `(e) a decision table of 20 rules and three inputs in a run, in memory, ${CALLERS} callers, CPU time per instance, median of ${PAIRS} pairs:`,
  );
  const with20: number[] = [];
  const without: number[] = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    // A store for each: one in memory is full at 1 GB.
    const engine = await engineInStore(null);
    without.push(cpuEach(await measure(() => engine.start('undecided'), ms, CALLERS)));
    with20.push(cpuEach(await measure(() => engine.start('decision'), ms, CALLERS)));
    await engine.close();
  }
  const middle = (values: number[]) =>
    percentile(
      values.sort((a, b) => a - b),
      0.5,
    );
  const [one, other] = [middle(with20), middle(without)];
  say(
    `  with the decision ${round(one)} µs, with an expression ${round(other)} µs: the decision and its history take ${round(one - other)} µs`,
  );
}
