import type { ContextNumbers } from '../../eip/index.js';
import type { ApiContext } from '../api-context.js';

/** Resolvers of what is counted of exchanges: of a route, or of all routes of a context. */
export function counterResolvers<P, N extends ContextNumbers>(numbersOf: (parent: P, context: ApiContext) => N) {
  /** Of something that is made of what is counted. */
  const counted =
    <T>(value: (numbers: N) => T) =>
    (parent: P, _: unknown, context: ApiContext): T =>
      value(numbersOf(parent, context));

  /** As {@link counted}: null as long as no exchange has completed. */
  const timed = (value: (numbers: N) => number) =>
    counted((numbers) => (numbers.completed === 0 ? null : Math.round(value(numbers))));

  const totals = {
    exchangesTotal: counted(({ completed, failed }) => completed + failed),
    exchangesCompleted: counted(({ completed }) => completed),
    exchangesFailed: counted(({ failed }) => failed),
    exchangesInflight: counted(({ inflight }) => inflight),
    meanProcessingTime: timed(({ totalTime, completed }) => Math.floor(totalTime / completed)),
    maxProcessingTime: timed(({ maxTime }) => maxTime),
    minProcessingTime: timed(({ minTime }) => minTime),
    totalProcessingTime: timed(({ totalTime }) => totalTime),
  };
  return { counted, timed, totals };
}
