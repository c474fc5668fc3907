import { compareValues, containsValue, equalValues } from '../conversion/compare.js';
import { asText, requiredClass } from '../conversion/convert.js';
import { iterate } from '../conversion/iterate.js';
import { isInstance, isStream, javaClass } from '../conversion/java-class.js';
import { ExchangeFailure } from '../exchange/failure.js';
import { Asked, type Expression } from '../exchange/language.js';
import { mapped } from '../exchange/stream.js';
import { patternOf } from './pattern.js';

type Test = (left: unknown, right: unknown) => boolean;

/** Both null, or neither and as told. */
const known =
  (bothNull: boolean, test: Test): Test =>
  (left, right) => {
    const [noLeft, noRight] = [left === null || left === undefined, right === null || right === undefined];
    return noLeft || noRight ? noLeft && noRight && bothNull : test(left, right);
  };

const texts = (test: (left: string, right: string) => boolean): Test =>
  known(true, (left, right) => test(asText(left) as string, asText(right) as string));

const not =
  (test: Test): Test =>
  (left, right) =>
    !test(left, right);

const equal: Test = (left, right) => left === right || equalValues(left, right);
const equalFolded: Test = (left, right) => equalValues(left, right, true);
const contains = known(true, (left, right) => containsValue(left, right));
const containsFolded = known(true, (left, right) => containsValue(left, right, true));
const startsWith = texts((left, right) => left.startsWith(right));
const endsWith = texts((left, right) => left.endsWith(right));
const isIn: Test = (left, right) => {
  for (const value of iterate(right)) if (equalValues(left, value)) return true;
  return false;
};
const range: Test = (left, right) => {
  const [, from, to] = /^(\d+)\.\.(\d+)$/.exec(asText(right) as string) ?? [];
  if (from === undefined || to === undefined)
    throw illegal(
      `range operator is not valid. Valid syntax:'from..to' (where from and to are numbers), found '${asText(right)}'`,
    );
  return TESTS['>=']?.(left, from) === true && TESTS['<=']?.(left, to) === true;
};
const regex: Test = (left, right) => {
  const text = asText(left);
  return typeof text === 'string' && patternOf(asText(right) as string).matches(text);
};
const is: Test = (left, right) => {
  const name = asText(right);
  if (typeof name !== 'string' || name === 'null')
    throw illegal('is operator cannot accept null. A class type must be provided.');
  return isInstance(left, requiredClass(name));
};

const illegal = (message: string) =>
  new ExchangeFailure('org.apache.camel.language.simple.types.SimpleIllegalSyntaxException', message);

const TESTS: Readonly<Record<string, Test>> = {
  '==': equal,
  '!=': not(equal),
  '=~': equalFolded,
  '!=~': not(equalFolded),
  '>': known(false, (left, right) => compareValues(left, right) > 0),
  '>=': known(true, (left, right) => compareValues(left, right) >= 0),
  '<': known(true, (left, right) => compareValues(left, right) < 0),
  '<=': known(true, (left, right) => compareValues(left, right) <= 0),
  contains,
  '!contains': not(contains),
  '~~': containsFolded,
  '!~~': not(containsFolded),
  startsWith,
  '!startsWith': not(startsWith),
  endsWith,
  '!endsWith': not(endsWith),
  in: isIn,
  '!in': not(isIn),
  range,
  '!range': not(range),
  regex,
  '!regex': not(regex),
  is,
  '!is': not(is),
};

/** A comparison of two values. `fixed`: the right one, where it is the same for all exchanges. @throws ExchangeFailure where it can be seen beforehand that it always fails */
export function comparison(
  sign: string,
  left: Expression,
  right: Expression,
  fixed: { readonly value: unknown } | undefined,
): Expression {
  const test = TESTS[sign];
  if (test === undefined) throw illegal(`Unknown binary operator ${sign}`);
  if (fixed === undefined) return (exchange) => tested(test, left(exchange), right(exchange));
  const { value } = fixed;
  checkFixed(sign, value);
  if (sign === '==' && typeof value === 'string') {
    return (exchange) => {
      const known = left(exchange);
      return known === value || tested(test, known, value);
    };
  }
  return (exchange) => tested(test, left(exchange), value);
}

function tested(test: Test, left: unknown, right: unknown): unknown {
  if (typeof left !== 'object' && typeof right !== 'object') return test(left, right);
  return mapped(inMemory(left), (a) => mapped(inMemory(right), (b) => test(a, b)));
}

/** A stream is compared as the text that it has. */
const inMemory = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || value instanceof Asked) return value;
  return isStream(value) ? asText(value) : value;
};

function checkFixed(sign: string, value: unknown): void {
  if (sign.endsWith('regex')) patternOf(asText(value) as string);
  if (sign !== 'is' && sign !== '!is') return;
  if (javaClass(asText(value) as string) === undefined)
    throw illegal(`${sign} operator cannot find class with name: ${asText(value)}`);
}
