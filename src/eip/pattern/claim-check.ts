import { Asked, type Exchange, namePattern } from '../../expression/routes.js';
import { evaluated, type Outcome } from '../flow/outcome.js';
import { type AggregationStrategy, strategyOption } from './aggregation-strategy.js';
import { correlatedCopy, takeResult } from './branch.js';
import { oneOf, refused, textOption } from './options.js';
import type { Pattern } from './pattern.js';
import { textOf } from './value.js';

/**
 * Keeps copies of the message with the exchange, by a key or as a stack, and merges one back: body and headers, or those parts that `filter` lists (`body`, `headers`,
 * `header:PATTERN`, with `-` in front: not, with `--`: removed).
 */
export const claimCheck: Pattern = (step, route) => {
  const operation = oneOf(route, step, 'operation', ['Get', 'GetAndRemove', 'Set', 'Push', 'Pop']);
  if (operation === undefined) throw refused(step, 'expected operation');
  const needsKey = operation !== 'Push' && operation !== 'Pop';
  const keyText = textOption(route, step, 'key');
  if (needsKey && keyText === undefined) throw refused(step, `expected key for ${operation}`);
  const key = needsKey ? route.textExpression(keyText ?? '', step) : () => '';
  const strategy = strategyOption(route, step) ?? merging(textOption(route, step, 'filter') ?? '');
  const merge = (exchange: Exchange, kept: Exchange | undefined): Outcome => {
    if (kept === undefined) return undefined;
    const made = strategy.aggregate(exchange, kept);
    const take = (it: Exchange | undefined) => (it === undefined ? undefined : takeResult(exchange, it));
    return made instanceof Asked ? evaluated(made, (it) => take(it as Exchange | undefined)) : take(made);
  };
  return (exchange) =>
    evaluated(key(exchange), (value) => merge(exchange, claimed(exchange, operation, textOf(value) ?? '')));
};

/** Keeps a copy, or gives one that was kept. */
function claimed(exchange: Exchange, operation: string, key: string): Exchange | undefined {
  const { byKey, stack } = claimsOf(exchange);
  if (operation === 'Pop') return stack.pop();
  if (operation === 'Push') stack.push(correlatedCopy(exchange));
  if (operation === 'Set') byKey.set(key, correlatedCopy(exchange));
  const kept = operation === 'Get' || operation === 'GetAndRemove' ? byKey.get(key) : undefined;
  if (operation === 'GetAndRemove') byKey.delete(key);
  return kept;
}

interface Claims {
  readonly byKey: Map<string, Exchange>;
  readonly stack: Exchange[];
}

const CLAIMS = 'CamelClaimCheckRepository';

function claimsOf({ properties }: Exchange): Claims {
  const present = properties.get(CLAIMS) as Claims | undefined;
  if (present !== undefined) return present;
  const made: Claims = { byKey: new Map(), stack: [] };
  properties.set(CLAIMS, made);
  return made;
}

/** Merges what a filter lists. */
function merging(filter: string): AggregationStrategy {
  const parts = filter
    .split(',')
    .map((it) => it.trim())
    .filter((it) => it !== '');
  const isAll = parts.length === 0 || filter === '*';
  const removed = parts.filter((it) => it.startsWith('--')).map((it) => it.slice(2));
  const wanted = parts.filter((it) => !it.startsWith('--'));
  const included = wanted.filter((it) => !it.startsWith('-')).map((it) => it.replace(/^\+/, ''));
  const excluded = wanted.filter((it) => it.startsWith('-')).map((it) => it.slice(1));
  const takesBody = isAll || takes('body', included, excluded);
  const isTaken = isAll ? () => true : headersMeant(included, excluded);
  const removes = headerPatterns(removed);
  const isRemoved = removed.includes('headers') ? () => true : removes;
  return {
    aggregate(exchange, kept) {
      if (exchange === undefined || kept === undefined) return exchange;
      if (takesBody) exchange.body = kept.body;
      if (removed.includes('body')) exchange.body = null;
      mergeHeaders(exchange, kept, isTaken, isRemoved);
      return exchange;
    },
  };
}

function mergeHeaders(
  { headers }: Exchange,
  kept: Exchange,
  isTaken: (name: string) => boolean,
  isRemoved: (name: string) => boolean,
): void {
  for (const [name, value] of kept.headers) if (isTaken(name)) headers.set(name, value);
  for (const name of [...headers.names()]) if (isRemoved(name)) headers.delete(name);
}

/** Named, or where only others are left out: not named. */
const takes = (part: string, included: readonly string[], excluded: readonly string[]) =>
  included.includes(part) || (included.length === 0 && !excluded.includes(part));

function headersMeant(included: readonly string[], excluded: readonly string[]): (name: string) => boolean {
  const isIncluded = headerPatterns(included);
  const isExcluded = headerPatterns(excluded);
  const hasPatterns = [...included, ...excluded].some((it) => it.startsWith('header:'));
  if (!hasPatterns || included.includes('headers')) {
    const isMeant = takes('headers', included, excluded);
    return () => isMeant;
  }
  const isOnlyExcluding = !included.some((it) => it.startsWith('header:'));
  return (name) => isIncluded(name) || (isOnlyExcluding && !isExcluded(name));
}

function headerPatterns(parts: readonly string[]): (name: string) => boolean {
  const patterns = parts.filter((it) => it.startsWith('header:')).map((it) => namePattern(it.slice('header:'.length)));
  return (name) => patterns.some((it) => it(name));
}
