import { type Exchange, ExchangeFailure } from '../../expression/routes.js';
import { type Outcome, Waiting } from '../flow/outcome.js';
import { booleanOption, numberOption, oneOf } from './options.js';
import type { Pattern } from './pattern.js';

/** Camel's default pool. */
const MOST_AT_ONCE = 20;
const MOST_QUEUED = 1000;

/**
 * `threads`: behind this step an exchange goes on by itself, and whoever took it may take the next one. As many as `maxPoolSize` (`poolSize`, 20) do so at once, others wait, up to
 * `maxQueueSize`; what comes then goes on with whoever took it (`CallerRuns`), waits like the others (`Block`), or fails (`Abort`).
 */
export const threads: Pattern = (step, route) => {
  const most = numberOption(route, step, 'maxPoolSize') ?? numberOption(route, step, 'poolSize') ?? MOST_AT_ONCE;
  const queued = numberOption(route, step, 'maxQueueSize') ?? MOST_QUEUED;
  const callerRuns = booleanOption(route, step, 'callerRunsWhenRejected', true);
  const policy =
    oneOf(route, step, 'rejectedPolicy', ['Abort', 'CallerRuns', 'Block']) ?? (callerRuns ? 'CallerRuns' : 'Abort');
  const waiting: (() => void)[] = [];
  let running = 0;
  const run = (exchange: Exchange): undefined => {
    running++;
    exchange.whenEnded(() => {
      running--;
      if (running < most) waiting.shift()?.();
    });
    return undefined;
  };
  return (exchange): Outcome => {
    if (running < most) {
      run(exchange);
      return new Waiting({ kind: 'turn', frees: true }, () => undefined);
    }
    const isFull = queued >= 0 && waiting.length >= queued;
    if (isFull && policy === 'CallerRuns') return undefined;
    if (isFull && policy === 'Abort')
      throw new ExchangeFailure(
        'java.util.concurrent.RejectedExecutionException',
        `Task rejected by ${step.id}: its queue is full`,
      );
    const arm = (wake: () => void) => void waiting.push(wake);
    return new Waiting({ kind: 'signal', of: 'threads', arm, frees: !isFull }, () => run(exchange));
  };
};
