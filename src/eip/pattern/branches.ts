import type { Asked, Exchange } from '../../expression/routes.js';
import { keepOriginal } from '../error/original-message.js';
import type { Outcome, Step } from '../flow/outcome.js';
import type { ElementModel } from '../model/route-model.js';
import type { AggregationStrategy } from './aggregation-strategy.js';
import { taken, takeResult } from './branch.js';
import { booleanOption, durationOption, textOption } from './options.js';
import type { RouteCompiler } from './pattern.js';
import { preparation } from './process.js';
import { camelExchangeFailure } from './value.js';

/** Branches of one exchange, one after the other. */
export interface Branches {
  /** What must be waited for before there is a next one: gives nothing, but makes `next` ready. */
  ready?(): Asked | undefined;
  /** The next branch; `undefined`: there is none. */
  next(): Exchange | undefined;
  /** What the branch that came last is sent through. */
  readonly step: Step;
  /** Whether none follows the branch that came last. */
  readonly isLast: boolean;
  /** How many there are, where that is known beforehand. */
  readonly size?: number | undefined;
  /** No more are wanted. */
  close?(): void;
}

/** Options that split, multicast and recipientList have in common. */
export interface GatherOptions {
  readonly strategy: AggregationStrategy;
  /** Branches go on beside each other; else one begins when the one before is through. */
  readonly isParallel: boolean;
  /** Results are aggregated as they come; else in the order of the branches. */
  readonly isStreaming: boolean;
  readonly stopsOnException: boolean;
  /** In ms; 0: none. */
  readonly timeout: number;
  /** What a branch that failed and was handled counts as: the unit of work is the exchange's own. */
  readonly isUnitShared: boolean;
  /** Changes a copy before it is sent. */
  readonly prepare: ((branch: Exchange) => void) | undefined;
  /** Whether so many failures among so many branches are too many. Fewer are put up with: the exchange does not fail. */
  readonly isTooMany?: (failed: number, done: number) => boolean;
}

/** The options that they share, read from a step. */
export const gatherOptions = (
  route: RouteCompiler,
  step: ElementModel,
  strategy: AggregationStrategy,
): GatherOptions => ({
  strategy,
  isParallel:
    booleanOption(route, step, 'parallelProcessing', false) || textOption(route, step, 'executorService') !== undefined,
  isStreaming: booleanOption(route, step, 'streaming', false),
  stopsOnException: booleanOption(route, step, 'stopOnException', false),
  timeout: durationOption(route, step, 'timeout') ?? 0,
  isUnitShared: booleanOption(route, step, 'shareUnitOfWork', false),
  prepare: preparation(route, step),
});

/** Prepares a branch, and sends it. What fails is its `exception`. */
export function sent(branch: Exchange, step: Step, { prepare, isUnitShared }: GatherOptions): Outcome {
  if (branch.original !== undefined && !isUnitShared) keepOriginal(branch);
  if (prepare !== undefined) {
    try {
      prepare(branch);
    } catch (thrown) {
      branch.exception = thrown;
      return undefined;
    }
  }
  return taken(branch, step);
}

/** Where the unit of work is shared, a failure that a branch's error handler dealt with is the whole's, too. */
export function shareFailure(made: Exchange, branch: Exchange): void {
  if (!branch.isHandled && branch.exception === undefined) return;
  made.exception ??= branch.exception;
  const caught = branch.properties.get('CamelExceptionCaught');
  if (caught !== undefined) made.properties.set('CamelExceptionCaught', caught);
  if (!branch.isHandled) return;
  made.isHandled = true;
  made.isStopped = true;
}

export const isEnding = (branch: Exchange, { stopsOnException }: GatherOptions) =>
  stopsOnException && (branch.exception !== undefined || branch.isStopped);

export function asStopped(branch: Exchange, index: number): Exchange {
  if (branch.exception !== undefined)
    branch.exception = camelExchangeFailure(
      `Multicast processing failed for number ${index}`,
      branch,
      branch.exception,
    );
  return branch;
}

/** The branches of an exchange as far as they are through, and what was aggregated of them. */
export interface Made {
  readonly exchange: Exchange;
  readonly branches: Branches;
  readonly options: GatherOptions;
  readonly result: Exchange | undefined;
  /** How many branches are through, and how many of them failed and that was put up with, or too many. */
  readonly done: number;
  readonly failed: number;
}

export function finish({ exchange, branches, options, result, done, failed }: Made): undefined {
  branches.close?.();
  if (options.isTooMany !== undefined) {
    const aborted = failed > 0 && options.isTooMany(failed, done) && result?.exception !== undefined;
    const counted = {
      total: branches.size ?? done,
      processed: done,
      success: done - failed,
      failures: failed,
      aborted,
    };
    exchange.properties.set('CamelSplitResult', counted);
  }
  const made = result ?? exchange;
  // Where a failure stops all, that alone is taken over.
  if (options.stopsOnException && made.exception !== undefined) return stopped(exchange, made.exception);
  // The steps of the branches had their error handlers.
  if (made.exception !== undefined) made.isExhausted = true;
  if (result !== undefined) options.strategy.onCompletion?.(result);
  return takeResult(exchange, made);
}

function stopped(exchange: Exchange, exception: unknown): never {
  exchange.isExhausted = true;
  throw exception;
}
