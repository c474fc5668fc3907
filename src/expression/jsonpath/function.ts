import { Double } from '../exchange/double.js';
import { ExchangeFailure } from '../exchange/failure.js';
import { isMap, namesOf, numberOf, textOf } from './model.js';
import { type Parameter, type Path, pathOf, type Step } from './path.js';

/** A value that a filter or a function looks at, and how it looks further. */
export interface Question {
  readonly value: unknown;
  /** What is at a path of it; `undefined`: nothing. */
  at(path: Path): unknown;
  exists(path: Path): boolean;
}

/** What a function gives for a value. */
export function call({ name, parameters }: Step & { kind: 'function' }, question: Question): unknown {
  if (name === 'length' || name === 'size') return lengthOf(question, parameters);
  const { value } = question;
  const given = parameters.map((one) => ('path' in one ? question.at(one.path) : one.value));
  switch (name) {
    case 'keys':
      return isMap(value) ? namesOf(value) : null;
    case 'concat':
      return [...(Array.isArray(value) ? value : []), ...given]
        .flat()
        .filter((one) => one !== null && one !== undefined)
        .map(textOf)
        .join('');
    case 'append':
      return Array.isArray(value) ? [...value, ...given] : value;
    case 'first':
      return itemOf(value, 0);
    case 'last':
      return itemOf(value, -1);
    case 'index':
      return itemOf(value, Number(numberOf(given[0]) ?? 0));
    default:
      return aggregate(name, numbersOf(value, given));
  }
}

/** Of a list or an object; of what a path finds, where it is indefinite. */
function lengthOf({ value, at }: Question, [first]: readonly Parameter[]): unknown {
  if (first !== undefined && 'path' in first) {
    const inner = at(pathOf(first.path.begins, [...first.path.steps, { kind: 'wildcard' }]));
    if (!first.path.isDefinite && Array.isArray(inner)) return inner.length;
  }
  if (Array.isArray(value)) return value.length;
  return isMap(value) ? namesOf(value).length : null;
}

function itemOf(value: unknown, index: number): unknown {
  if (!Array.isArray(value)) throw emptyArray();
  const from = index < 0 ? value.length + index : index;
  if (from < 0 || from >= value.length) {
    throw functionFailure(`Target index:${index} larger than object count:${value.length}`);
  }
  return value[from];
}

function numbersOf(value: unknown, given: readonly unknown[]): number[] {
  const all = [...(Array.isArray(value) ? value : []), ...given.flat()];
  return all.flatMap((one) => {
    const number = numberOf(one);
    return number === undefined ? [] : [Number(number)];
  });
}

function aggregate(name: string, numbers: readonly number[]): unknown {
  if (numbers.length === 0) throw emptyArray();
  const sum = numbers.reduce((total, one) => total + one, 0);
  const average = sum / numbers.length;
  const squares = numbers.reduce((total, one) => total + one * one, 0);
  const results: Readonly<Record<string, () => number>> = {
    sum: () => sum,
    avg: () => average,
    min: () => numbers.reduce((least, one) => Math.min(least, one)),
    max: () => numbers.reduce((most, one) => Math.max(most, one)),
    stddev: () => Math.sqrt(squares / numbers.length - (sum * sum) / numbers.length / numbers.length),
  };
  const result = results[name]?.() ?? Number.NaN;
  return Number.isInteger(result) ? new Double(result) : result;
}

const functionFailure = (message: string) => new ExchangeFailure('com.jayway.jsonpath.JsonPathException', message);
const emptyArray = () => functionFailure('Aggregation function attempted to calculate value using empty array');
