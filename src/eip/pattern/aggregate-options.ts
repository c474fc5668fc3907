import { ExchangeFailure, type Predicate, type RouteExpression } from '../../expression/routes.js';
import type { StepModel } from '../model/route-model.js';
import { type AggregationStrategy, strategyOption } from './aggregation-strategy.js';
import { DefinedBean } from './defined-bean.js';
import { booleanOption, durationOption, numberOption, refused, textOption } from './options.js';
import type { RouteCompiler } from './pattern.js';

/** When a group is complete, and what becomes of it. Times in ms. */
export interface AggregateOptions {
  readonly strategy: AggregationStrategy;
  readonly key: RouteExpression;
  readonly completionPredicate: Predicate | undefined;
  readonly completionSize: number;
  readonly completionSizeExpression: RouteExpression | undefined;
  /** Since the last exchange of the group. */
  readonly completionTimeout: number;
  readonly completionTimeoutExpression: RouteExpression | undefined;
  /** All groups, again and again. */
  readonly completionInterval: number;
  readonly fromBatchConsumer: boolean;
  readonly onNewGroup: boolean;
  /** Predicate and sizes look at the exchange that comes; else at what has been aggregated. */
  readonly isEager: boolean;
  readonly ignoresInvalidKeys: boolean;
  /** How many keys of complete groups are remembered, and refused; 0: all of them. */
  readonly closedKeys: number | undefined;
  readonly discardsOnTimeout: boolean;
  readonly discardsOnFailure: boolean;
  readonly completesOnStop: boolean;
  readonly waitsOnStop: boolean;
  readonly isParallel: boolean;
}

export function aggregateOptions(step: StepModel, route: RouteCompiler): AggregateOptions {
  const strategy = strategyOption(route, step);
  if (strategy === undefined) throw refused(step, 'expected aggregationStrategy');
  const repository = textOption(route, step, 'aggregationRepository');
  const kept = repository === undefined ? undefined : route.context.bean(repository);
  if (repository !== undefined && !(kept instanceof DefinedBean && kept.of === 'aggregationRepository'))
    throw refused(
      step,
      `aggregationRepository ${repository}: groups are kept in memory; there is MemoryAggregationRepository`,
    );
  const flag = (name: string) => booleanOption(route, step, name, false);
  const expression = (name: string) => (route.has(step, name) ? route.expression(step, name) : undefined);
  const options: AggregateOptions = {
    strategy,
    key: route.expression(step, route.has(step, 'correlationExpression') ? 'correlationExpression' : 'expression'),
    completionPredicate: route.has(step, 'completionPredicate')
      ? route.predicate(step, 'completionPredicate')
      : undefined,
    completionSize: numberOption(route, step, 'completionSize') ?? 0,
    completionSizeExpression: expression('completionSizeExpression'),
    completionTimeout: durationOption(route, step, 'completionTimeout') ?? 0,
    completionTimeoutExpression: expression('completionTimeoutExpression'),
    completionInterval: durationOption(route, step, 'completionInterval') ?? 0,
    fromBatchConsumer: flag('completionFromBatchConsumer'),
    onNewGroup: flag('completionOnNewCorrelationGroup'),
    isEager: flag('eagerCheckCompletion'),
    ignoresInvalidKeys: flag('ignoreInvalidCorrelationKeys'),
    closedKeys: numberOption(route, step, 'closeCorrelationKeyOnCompletion'),
    discardsOnTimeout: flag('discardOnCompletionTimeout'),
    discardsOnFailure: flag('discardOnAggregationFailure'),
    completesOnStop: flag('forceCompletionOnStop'),
    waitsOnStop: flag('completeAllOnStop'),
    isParallel: flag('parallelProcessing') || textOption(route, step, 'executorService') !== undefined,
  };
  checkCompletion(options, step);
  return options;
}

function checkCompletion(options: AggregateOptions, step: StepModel): void {
  const { completionInterval, completionTimeout, completionSize } = options;
  if (completionInterval > 0 && completionTimeout > 0)
    throw refused(step, 'Only one of completionInterval or completionTimeout can be used, not both.');
  const isGiven =
    completionTimeout > 0 ||
    completionInterval > 0 ||
    completionSize > 0 ||
    options.fromBatchConsumer ||
    options.completionPredicate !== undefined ||
    options.completionTimeoutExpression !== undefined ||
    options.completionSizeExpression !== undefined;
  if (isGiven || options.strategy.preComplete !== undefined) return;
  throw new ExchangeFailure(
    'java.lang.IllegalStateException',
    `aggregate in line ${step.at.line}: At least one of the completions options [completionTimeout, completionInterval, completionSize, completionPredicate, completionFromBatchConsumer] must be set`,
    { at: step.at },
  );
}

/** Why a group is complete: `CamelAggregatedCompletedBy`. */
export type Completion = 'size' | 'predicate' | 'timeout' | 'interval' | 'consumer' | 'strategy' | 'force';
