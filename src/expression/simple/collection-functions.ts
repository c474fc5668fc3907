import { compareValues, equalData } from '../conversion/compare.js';
import { asText } from '../conversion/convert.js';
import { iterate } from '../conversion/iterate.js';
import { textOf } from '../conversion/text.js';
import type { Exchange } from '../exchange/exchange.js';
import { Asked, type Expression } from '../exchange/language.js';
import { mapped } from '../exchange/stream.js';
import { splitArguments } from './arguments.js';
import {
  body,
  type FunctionCall,
  type FunctionMaker,
  illegalArgument,
  requiredInteger,
  withValues,
} from './function-call.js';
import { splitByPattern } from './pattern.js';
import { SyntaxProblem } from './syntax-error.js';

/** How many items a function goes through. */
const ITEMS_MAX = 10_000_000;

function items(value: unknown): unknown[] {
  const all: unknown[] = [];
  for (const item of iterate(value)) {
    all.push(item);
    if (all.length > ITEMS_MAX) throw illegalArgument(`expected at most ${ITEMS_MAX} items`);
  }
  return all;
}

/** Of the items of all arguments. */
const ofItems =
  (make: (all: unknown[], exchange: Exchange) => unknown): FunctionMaker =>
  (call) => {
    const values = call.values();
    return (exchange) =>
      withValues(values, exchange, (known) =>
        make(
          known.flatMap((it) => items(it)),
          exchange,
        ),
      );
  };

function shuffled(all: unknown[], exchange: Exchange): unknown[] {
  for (let at = all.length - 1; at > 0; at--) {
    const other = Math.floor(exchange.context.random() * (at + 1));
    [all[at], all[other]] = [all[other], all[at]];
  }
  return all;
}

function distinct(all: readonly unknown[]): Set<unknown> {
  const found = new Set<unknown>();
  for (const item of all) {
    if (typeof item === 'object' && [...found].some((it) => equalData(it, item))) continue;
    found.add(item);
  }
  return found;
}

const list: FunctionMaker = (call) => {
  const values = call.text === '' ? [] : call.values();
  return (exchange) => withValues(values, exchange, (known) => [...known]);
};

const map: FunctionMaker = (call) => {
  const texts = call.text === '' ? [] : splitArguments(call.text);
  if (texts.length % 2 === 1) {
    throw new SyntaxProblem(0, `Map function must have an even number of values, was: ${texts.length} values.`);
  }
  const values = texts.map((it) => call.template(it));
  return (exchange) =>
    withValues(values, exchange, (known) => {
      const made = new Map<unknown, unknown>();
      for (let at = 0; at < known.length; at += 2) made.set(asText(known[at]), known[at + 1]);
      return asObject(made);
    });
};

/** Plain where the order of its names stays: an object puts numbers first. */
const asObject = (made: ReadonlyMap<unknown, unknown>): unknown =>
  [...made.keys()].some((key) => /^\d+$/.test(String(key)) || key === '__proto__')
    ? made
    : Object.fromEntries(made as Map<string, unknown>);

const join: FunctionMaker = (call) => {
  const [separator = ',', prefix, source] = call.list('join(separator,prefix,expression)', 0, 3, { trim: false });
  const value = source === undefined ? body : call.template(source);
  return (exchange) =>
    mapped(value(exchange), (known) =>
      items(known)
        .map((it) => (prefix ?? '') + textOf(it))
        .join(separator),
    );
};

const split: FunctionMaker = (call) => {
  const found = call.list('split(exp,separator)', 0, 2, { trim: false });
  const separator = found.pop() ?? ',';
  const value = found[0] === undefined ? body : call.template(found[0]);
  return (exchange) =>
    mapped(mapped(value(exchange), asText), (text) =>
      text === null ? null : splitByPattern(text as string, separator),
    );
};

const sort: FunctionMaker = (call) => {
  const found = call.list('sort(exp,reverse)', 0, 2, { trim: false });
  const isReverse = found.pop()?.trim().toLowerCase() === 'true';
  const value = found[0] === undefined ? body : call.template(found[0]);
  return (exchange) =>
    mapped(value(exchange), (known) => {
      const sorted = items(known).sort(compareValues);
      return isReverse ? sorted.reverse() : sorted;
    });
};

/** The arguments of what is done with each item, where a comma may be part of the last one. */
function itemwise(call: FunctionCall): readonly [Expression, string] {
  const [source = '', ...rest] = call.list(`${call.name}(exp,fun)`, 2, Number.POSITIVE_INFINITY, { trim: false });
  return [call.template(source), rest.join(',')];
}

/** `work` with each item as the body of a copy of the exchange, one after the other. */
function each(
  all: readonly unknown[],
  exchange: Exchange,
  work: (copy: Exchange) => unknown,
  done: (results: unknown[]) => unknown,
): unknown {
  const results: unknown[] = [];
  for (const [at, item] of all.entries()) {
    const copy = exchange.copy();
    copy.body = item;
    const result = work(copy);
    if (result instanceof Asked) {
      return mapped(result, (known) =>
        each(all.slice(at + 1), exchange, work, (rest) => done([...results, known, ...rest])),
      );
    }
    results.push(result);
  }
  return done(results);
}

const forEach: FunctionMaker = (call) => {
  const [source, text] = itemwise(call);
  const work = call.template(text);
  return (exchange) =>
    mapped(source(exchange), (known) =>
      each(items(known), exchange, work, (results) => results.filter((it) => it !== null)),
    );
};

const filter: FunctionMaker = (call) => {
  const [source, text] = itemwise(call);
  const holds = call.compiler.predicate(text);
  return (exchange) =>
    mapped(source(exchange), (known) => {
      const all = items(known);
      return each(all, exchange, holds, (results) => all.filter((_, at) => results[at] === true));
    });
};

function* skipped(value: unknown, count: number): IterableIterator<unknown> {
  let at = 0;
  for (const item of iterate(value)) if (at++ >= count) yield item;
}

function* collated(value: unknown, size: number): IterableIterator<unknown> {
  let group: unknown[] = [];
  for (const item of iterate(value)) {
    if (group.push(item) < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

/** Gives an iterator: each item is made when it is asked for. */
const ofBody =
  (make: (value: unknown, count: number) => IterableIterator<unknown>, least: number): FunctionMaker =>
  (call) => {
    if (call.text === '') throw call.wrong(`${call.name}(number)`);
    const count = call.template(call.text.trim());
    return (exchange) => {
      const known = requiredInteger(count, exchange, 'number');
      if (known < least)
        throw illegalArgument(`expected ${call.name} with a number of at least ${least}, but found ${known}`);
      return make(exchange.body, known);
    };
  };

export const COLLECTION_FUNCTIONS: Readonly<Record<string, FunctionMaker>> = {
  distinct: ofItems(distinct),
  reverse: ofItems((all) => all.reverse()),
  shuffle: ofItems(shuffled),
  list,
  map,
  join,
  split,
  sort,
  forEach,
  filter,
  skip: ofBody(skipped, 0),
  collate: ofBody(collated, 1),
};
