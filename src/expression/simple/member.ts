import { compareValues, equalData } from '../conversion/compare.js';
import { asText } from '../conversion/convert.js';
import { isMap, JavaClass, typeName } from '../conversion/java-class.js';
import { integerOf, isNumeric } from '../conversion/number.js';
import { textOf } from '../conversion/text.js';
import { Double } from '../exchange/double.js';
import { ExchangeFailure, failureType } from '../exchange/failure.js';
import { Headers } from '../exchange/headers.js';
import { LIST_METHODS, MAP_METHODS } from '../juel/collection-methods.js';
import { Failure, Work } from '../juel/failure.js';
import { TEXT_METHODS } from '../juel/text-methods.js';
import { patternOf, replaceByPattern, splitByPattern } from './pattern.js';

type Args = readonly unknown[];
type Method = (value: never, args: Args) => unknown;

/**
 * The value of `.name` or `.name(…)`: a method on the list for that kind of value, or a getter of that name. What is written without parentheses may be either.
 * @throws ExchangeFailure MethodNotFoundException
 */
export function callMember(value: unknown, name: string, args: Args, isCall: boolean): unknown {
  const result = found(value, name, args) ?? (isCall ? undefined : found(value, getter(name), args));
  if (result !== undefined) return plain(result);
  throw memberFailure(
    name,
    'org.apache.camel.component.bean.MethodNotFoundException',
    `Method with name: ${name} not found on bean: ${textOf(value).slice(0, 200)} of type: ${typeName(value)}`,
  );
}

const getter = (name: string): string => `get${name.charAt(0).toUpperCase()}${name.slice(1)}`;

function found(value: unknown, name: string, args: Args): unknown {
  const signature = `${name}/${args.length}`;
  const own = OWN.find(({ is }) => is(value))?.methods[signature] ?? ANY[signature];
  if (own !== undefined) return own(value as never, args) ?? null;
  if (value instanceof ExchangeFailure && args.length === 0) return memberOf(value, name);
  try {
    return shared(value, signature, args);
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    throw memberFailure(name, 'java.lang.IndexOutOfBoundsException', thrown.message);
  }
}

/** What a failure has beside its message, by its getter. */
function memberOf({ members = {} }: ExchangeFailure, getter: string): unknown {
  const name = /^get([A-Z])(.*)$/.exec(getter);
  const key = name === null ? getter : `${name[1]?.toLowerCase()}${name[2]}`;
  return Object.hasOwn(members, key) ? (members[key] ?? null) : undefined;
}

/** What JUEL's expressions may call, too. */
function shared(value: unknown, signature: string, args: Args): unknown {
  const work = new Work();
  if (typeof value === 'string') return TEXT_METHODS.get(signature)?.(value, args, work);
  if (Array.isArray(value) || value instanceof Set) return LIST_METHODS.get(signature)?.([...value], args, work);
  if (value instanceof Map || value instanceof Headers)
    return MAP_METHODS.get(signature)?.(Object.fromEntries(value), args, work);
  return isMap(value) ? MAP_METHODS.get(signature)?.(value, args, work) : undefined;
}

const plain = (value: unknown): unknown => value ?? null;

const at = (args: Args, place: number): string => asText(args[place]) as string;

const TEXT: Readonly<Record<string, Method>> = {
  'split/1': (text: string, args) => splitByPattern(text, at(args, 0)),
  'matches/1': (text: string, args) => patternOf(at(args, 0)).matches(text),
  'replaceAll/2': (text: string, args) => replaceByPattern(text, at(args, 0), at(args, 1)),
  'contains/1': (text: string, args) => text.includes(at(args, 0)),
  'toUpperCase/0': (text: string) => text.toUpperCase(),
  'toLowerCase/0': (text: string) => text.toLowerCase(),
  'getBytes/0': (text: string) => Buffer.from(text),
  'compareTo/1': (text: string, args) => compareValues(text, at(args, 0)),
};
const DATE: Readonly<Record<string, Method>> = {
  'getTime/0': (date: Date) => date.getTime(),
  'toInstant/0': (date: Date) => date.toISOString(),
  'before/1': (date: Date, [other]) => other instanceof Date && date < other,
  'after/1': (date: Date, [other]) => other instanceof Date && date > other,
};
const NUMBER: Readonly<Record<string, Method>> = {
  'intValue/0': (value: number) => integerOf(value, 32),
  'longValue/0': (value: number) => integerOf(value, 64),
  'doubleValue/0': (value: number) => (Number.isInteger(Number(value)) ? new Double(Number(value)) : value),
  'compareTo/1': (value: number, [other]) => Math.sign(compareValues(value, other)),
};
const THROWN: Readonly<Record<string, Method>> = {
  'getMessage/0': (thrown: Error) => thrown.message,
  'getLocalizedMessage/0': (thrown: Error) => thrown.message,
  'getCause/0': (thrown: Error) => thrown.cause ?? null,
};
const CLASS: Readonly<Record<string, Method>> = {
  'getName/0': (type: JavaClass) => type.name,
  'getSimpleName/0': (type: JavaClass) => type.simpleName,
  'getCanonicalName/0': (type: JavaClass) => type.name,
  'getTypeName/0': (type: JavaClass) => type.name,
};
const BYTES: Readonly<Record<string, Method>> = { 'length/0': (bytes: Uint8Array) => bytes.length };
const OWN: readonly { readonly is: (value: unknown) => boolean; readonly methods: Readonly<Record<string, Method>> }[] =
  [
    { is: (value) => typeof value === 'string', methods: TEXT },
    { is: (value) => value instanceof Date, methods: DATE },
    { is: isNumeric, methods: NUMBER },
    { is: (value) => value instanceof Error, methods: THROWN },
    { is: (value) => value instanceof JavaClass, methods: CLASS },
    { is: (value) => value instanceof Uint8Array, methods: BYTES },
    { is: (value) => typeof value === 'boolean', methods: { 'booleanValue/0': (value: boolean) => value } },
  ];
/** Of every value. */
const ANY: Readonly<Record<string, Method>> = {
  'getClass/0': (value: unknown) => new JavaClass(value instanceof Error ? failureType(value) : typeName(value)),
  'toString/0': (value: unknown) => textOf(value),
  'equals/1': (value: unknown, [other]) => equalData(value, other),
};

/** As Camel wraps what fails while members are looked up. */
export function memberFailure(member: string, type: string, message: string): ExchangeFailure {
  const cause = new ExchangeFailure(type, message);
  return new ExchangeFailure(
    'org.apache.camel.language.bean.RuntimeBeanExpressionException',
    `Failed to invoke method: ${member} due to: ${type}: ${message}`,
    { cause },
  );
}
