import { convert, tryConvert } from '../conversion/convert.js';
import { iterate } from '../conversion/iterate.js';
import type { Expression } from '../exchange/language.js';
import { mapped } from '../exchange/stream.js';
import {
  type FunctionCall,
  type FunctionMaker,
  illegalArgument,
  requiredInteger,
  withValues,
} from './function-call.js';

const asLong = (value: bigint): number | bigint => narrowed(value);

const abs: FunctionMaker = (call) => {
  const subject = call.subject();
  return (exchange) =>
    mapped(
      mapped(subject(exchange), (value) => convert(value, 'Long')),
      (known) => {
        if (known === null) return null;
        return typeof known === 'bigint' ? asLong(known < 0n ? -known : known) : Math.abs(Number(known));
      },
    );
};

const rounded =
  (round: (value: number) => number): FunctionMaker =>
  (call) => {
    const subject = call.subject();
    return (exchange) =>
      mapped(
        mapped(subject(exchange), (value) => convert(value, 'Double')),
        (known) => (known === null ? null : convert(round(Number(known)), 'Long')),
      );
  };

/** All whole numbers in values, and in what of them can be gone through; what is no number is left out. */
function numbersIn(values: readonly unknown[]): bigint[] {
  const numbers: bigint[] = [];
  for (const item of values.flatMap((value) => [...iterate(value)])) {
    const number = tryConvert(item, 'Long');
    if (typeof number === 'number' || typeof number === 'bigint') numbers.push(BigInt(number));
  }
  return numbers;
}

const ofAll =
  (combine: (numbers: readonly bigint[]) => bigint): FunctionMaker =>
  (call: FunctionCall) => {
    const values = call.text === '' ? [] : call.values();
    const result = (known: readonly unknown[]) => {
      const numbers = numbersIn(known);
      return numbers.length === 0 ? null : narrowed(combine(numbers));
    };
    return (exchange) => withValues(values, exchange, result);
  };

const narrowed = (value: bigint): number | bigint => {
  const wrapped = BigInt.asIntN(64, value);
  return wrapped >= BigInt(Number.MIN_SAFE_INTEGER) && wrapped <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(wrapped)
    : wrapped;
};

const ascending = (a: bigint, b: bigint): number => Number(a > b) - Number(a < b);
const total = (numbers: readonly bigint[]): bigint => numbers.reduce((all, it) => all + it, 0n);

/** `name(max)` or `name(min,max)`. */
function bounds(call: FunctionCall, least: string): readonly [Expression, Expression] {
  const found = call.text.split(',').map((it) => it.trim());
  if (call.text === '' || found.length > 2) throw call.wrong(`${call.name}(min,max)`);
  const [first = '', second] = found;
  return second === undefined
    ? [call.template(least), call.template(first)]
    : [call.template(first), call.template(second)];
}

const random: FunctionMaker = (call) => {
  const [least, most] = bounds(call, '0');
  return (exchange) => {
    const from = requiredInteger(least, exchange, 'min');
    const width = requiredInteger(most, exchange, 'max') - from;
    if (width <= 0) throw illegalArgument('bound must be positive');
    return Math.floor(exchange.context.random() * width) + from;
  };
};

const RANGE_MAX = 1_000_000;

const range: FunctionMaker = (call) => {
  const [least, most] = bounds(call, '1');
  return (exchange) => {
    const from = requiredInteger(least, exchange, 'min');
    const length = requiredInteger(most, exchange, 'max') - from;
    if (from < 0 || length <= 0) return null;
    if (length > RANGE_MAX)
      throw illegalArgument(`expected a range of at most ${RANGE_MAX} numbers, but found ${length}`);
    return Array.from({ length }, (_, at) => from + at);
  };
};

export const NUMBER_FUNCTIONS: Readonly<Record<string, FunctionMaker>> = {
  abs,
  floor: rounded(Math.floor),
  ceil: rounded(Math.ceil),
  sum: ofAll(total),
  max: ofAll((numbers) => numbers.toSorted(ascending).at(-1) ?? 0n),
  min: ofAll((numbers) => numbers.toSorted(ascending)[0] ?? 0n),
  average: ofAll((numbers) => total(numbers) / BigInt(numbers.length)),
  random,
  range,
};
