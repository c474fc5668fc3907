import { Asked, type Exchange } from '../../expression/routes.js';

/**
 * A step of a route takes an exchange further. `undefined`: it is through with it; else what must be waited for before it goes on. What failed is thrown.
 * A step that need not wait does not: it makes no promise and no closure, which is what makes routes fast.
 */
export type Step = (exchange: Exchange) => Outcome;
export type Outcome = Waiting | undefined;

/** A wait of a step, as data: the runtime alone knows promises and timers. */
export type Wait =
  /** An instant of the domain's clock, in ms. `frees`: whoever took the exchange may take the next one meanwhile (Camel's asyncDelayed). */
  | { readonly kind: 'instant'; readonly at: number; readonly frees?: boolean }
  /** What comes from outside: `from` says of whom (an endpoint's URI, a script). */
  | { readonly kind: 'reply'; readonly from: string; readonly reply: Promise<unknown> }
  /** Others' turn: the exchange has computed for long enough. `frees`: as above. */
  | { readonly kind: 'turn'; readonly frees?: boolean }
  /** Something in memory: a permit, the end of a branch. `arm` is called once, and calls `wake` once, at once or later, with the value to go on with. */
  | {
      readonly kind: 'signal';
      readonly of: string;
      readonly arm: (wake: (value?: unknown) => void) => void;
      readonly frees?: boolean;
    };

/** A wait, and how it goes on afterwards: with the value that came, or with what was thrown instead. */
export class Waiting {
  readonly wait: Wait;
  readonly resume: (value: unknown) => Outcome;
  readonly fail: (thrown: unknown) => Outcome;

  constructor(wait: Wait, resume: (value: unknown) => Outcome, fail: (thrown: unknown) => Outcome = rethrown) {
    this.wait = wait;
    this.resume = resume;
    this.fail = fail;
  }
}

const rethrown = (thrown: unknown): never => {
  throw thrown;
};

const TURN: Wait = { kind: 'turn' };

/** Goes on when others had their turn. */
export const afterTurn = (next: () => Outcome): Outcome => new Waiting(TURN, next);

/** Goes on at an instant of the domain's clock, in ms. */
export const untilInstant = (at: number, next: () => Outcome): Outcome => new Waiting({ kind: 'instant', at }, next);

/** Goes on with what `reply` gives; what it is rejected with is thrown in its place. `from`: an endpoint's URI, or what else answers. */
export const untilReply = (from: string, reply: Promise<unknown>, next: (value: unknown) => Outcome): Outcome =>
  new Waiting({ kind: 'reply', from, reply }, next);

/** Goes on when `arm`'s `wake` is called, with the value it is called with. */
export const untilSignal = (
  of: string,
  arm: (wake: (value?: unknown) => void) => void,
  next: (value: unknown) => Outcome,
): Outcome => new Waiting({ kind: 'signal', of, arm }, next);

/** One outcome after another: `next` when the first is through. */
export function after(outcome: Outcome, next: () => Outcome): Outcome {
  if (outcome === undefined) return next();
  return new Waiting(
    outcome.wait,
    (value) => after(outcome.resume(value), next),
    (thrown) => after(outcome.fail(thrown), next),
  );
}

/** `work`, and `failed` with whatever it throws, now or after what it waits for. */
export function attempt(work: () => Outcome, failed: (thrown: unknown) => Outcome): Outcome {
  let outcome: Outcome;
  try {
    outcome = work();
  } catch (thrown) {
    return failed(thrown);
  }
  if (outcome === undefined) return undefined;
  const { wait, resume, fail } = outcome;
  return new Waiting(
    wait,
    (value) => attempt(() => resume(value), failed),
    (thrown) => attempt(() => fail(thrown), failed),
  );
}

/** `work`, and `ended` when it is through, or has failed: what it threw is thrown again then. */
export const whenThrough = (work: () => Outcome, ended: (isFailed: boolean, thrown?: unknown) => void): Outcome =>
  after(
    attempt(work, (thrown) => {
      ended(true, thrown);
      throw thrown;
    }),
    () => {
      ended(false);
      return undefined;
    },
  );

/** `then` with the value of an expression, which a thread may have to be asked for. */
export function evaluated(value: unknown, then: (value: unknown) => Outcome): Outcome {
  if (!(value instanceof Asked)) return then(value);
  return untilReply('script', value.answer, (answer) => evaluated(value.taken(answer), then));
}
