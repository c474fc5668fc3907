import type { Exchange } from '../../expression/routes.js';
import type { Outcome, Step } from './outcome.js';
import { after, afterTurn } from './outcome.js';

/** The runtime as steps see it. */
export interface Flow {
  /** Whether the exchange that computes now has done so for as long as it may (5 ms) and has to let others run. */
  isLate(): boolean;
  /**
   * Runs a step for an exchange by itself, beside whoever asks. `ended` is called once: with nothing, or with what was thrown. `freed` is called each time that
   * the exchange begins a wait which leaves whoever took it free to take the next one.
   */
  start(exchange: Exchange, step: Step, ended: (thrown?: unknown) => void, freed?: () => void): void;
  /** Calls `work` when others had their turn. */
  turn(work: () => void): void;
  /** Calls `work` at an instant of the domain's clock, in ms. Gives what takes that back. */
  at(instant: number, work: () => void): () => void;
  /** I/O that is of no exchange, such as a look for files: while it goes on, a clock that is set waits. */
  underWay<T>(work: Promise<T>): Promise<T>;
  /** What such work waits for meanwhile, and does nothing: an instant, an exchange of its own. */
  paused<T>(wait: Promise<T>): Promise<T>;
}

/** How many steps, or rounds, go by between two looks at the time. */
const LOOK_EVERY = 64;

/** Steps one after the other, until one stops the exchange. Lets others run when it has computed for long. */
export function pipeline(steps: readonly Step[], flow: Flow): Step {
  const [only] = steps;
  if (only !== undefined && steps.length === 1) return only;
  let looked = 0;
  const isTurnOver = () => {
    if (++looked < LOOK_EVERY) return false;
    looked = 0;
    return flow.isLate();
  };
  const from = (exchange: Exchange, first: number): Outcome => {
    for (let at = first; at < steps.length && !exchange.isStopped; at++) {
      if (isTurnOver()) return afterTurn(() => from(exchange, at));
      const outcome = steps[at]?.(exchange);
      if (outcome !== undefined) return after(outcome, () => from(exchange, at + 1));
    }
    return undefined;
  };
  return (exchange) => from(exchange, 0);
}

/** `step` again and again while `more` says so, without growing the stack. `more` may change the exchange before each round. */
export function repeated(exchange: Exchange, step: Step, more: () => boolean, flow: Flow): Outcome {
  for (let round = 1; more(); round++) {
    if (exchange.isStopped) return undefined;
    const outcome = step(exchange);
    if (outcome !== undefined) return after(outcome, () => repeated(exchange, step, more, flow));
    if (round % LOOK_EVERY === 0 && flow.isLate()) return afterTurn(() => repeated(exchange, step, more, flow));
  }
  return undefined;
}
