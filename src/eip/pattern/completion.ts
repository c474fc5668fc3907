import { Asked, type Exchange, ExchangeFailure } from '../../expression/routes.js';
import type { AggregateOptions, Completion } from './aggregate-options.js';
import type { Groups } from './groups.js';
import { integerOf } from './value.js';

/** The reason for which the group of a key is complete, by one exchange: the aggregated one, or (eagerly) the one that came. `undefined`: it is not yet. */
export function completionOf(
  options: AggregateOptions,
  groups: Groups,
  key: string,
  exchange: Exchange,
): Completion | undefined {
  const { properties } = exchange;
  if (properties.get('CamelAggregationCompleteCurrentGroup') === true) {
    properties.delete('CamelAggregationCompleteCurrentGroup');
    return 'strategy';
  }
  if (options.completionPredicate !== undefined && atOnce(options.completionPredicate(exchange)) === true)
    return 'predicate';
  if (isFull(options, exchange)) return 'size';
  return options.fromBatchConsumer && groups.isBatchThrough(key, exchange) ? 'consumer' : undefined;
}

function isFull({ completionSize, completionSizeExpression }: AggregateOptions, exchange: Exchange): boolean {
  const size = Number(exchange.properties.get('CamelAggregatedSize') ?? 1);
  const asked = completionSizeExpression === undefined ? undefined : atOnce(completionSizeExpression(exchange));
  const most = asked === undefined || asked === null ? 0 : integerOf(asked);
  if (most > 0) return size >= most;
  return completionSize > 0 && size >= completionSize;
}

/** How long the group waits for a next one; 0: for ever. */
export function timeoutOf(
  { completionTimeout, completionTimeoutExpression }: AggregateOptions,
  exchange: Exchange,
): number {
  if (completionTimeoutExpression === undefined) return completionTimeout;
  const asked = atOnce(completionTimeoutExpression(exchange));
  const timeout = asked === undefined || asked === null ? 0 : integerOf(asked);
  return timeout > 0 ? timeout : completionTimeout;
}

/** The value of a completion, which scripts are too slow for. */
function atOnce(value: unknown): unknown {
  if (!(value instanceof Asked)) return value;
  value.answer.catch(() => {});
  throw new ExchangeFailure(
    'java.lang.UnsupportedOperationException',
    'a completion cannot wait for a script: let a step before compute it into a header or property',
  );
}
