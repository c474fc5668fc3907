import { ExchangeFailure, type Position, parseCamelDuration } from '../../expression/routes.js';
import type { ElementModel } from '../model/route-model.js';
import type { RouteCompiler } from './pattern.js';

/** An option as text, placeholders resolved. `undefined`: it was not written. */
export function textOption(route: RouteCompiler, element: ElementModel, name: string): string | undefined {
  const value = element.options[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'object') throw wrong(element, name, 'a text', value);
  return route.resolved(String(value));
}

export function requiredText(route: RouteCompiler, element: ElementModel, name: string): string {
  const text = textOption(route, element, name);
  if (text === undefined || text === '') throw wrong(element, name, 'a text', text);
  return text;
}

/** The URI of an element as it is written: placeholders are resolved with its endpoint, option by option. */
export function uriOption(element: ElementModel): string {
  const { uri } = element.options;
  if (typeof uri !== 'string' || uri === '') throw wrong(element, 'uri', 'a text', uri);
  return uri;
}

export function booleanOption(route: RouteCompiler, element: ElementModel, name: string, byDefault: boolean): boolean {
  const text = textOption(route, element, name)?.trim().toLowerCase();
  if (text === undefined || text === '') return byDefault;
  if (text !== 'true' && text !== 'false') throw wrong(element, name, 'true or false', text);
  return text === 'true';
}

export function numberOption(route: RouteCompiler, element: ElementModel, name: string): number | undefined {
  const text = textOption(route, element, name)?.trim();
  if (text === undefined || text === '') return undefined;
  const number = Number(text);
  if (!Number.isFinite(number)) throw wrong(element, name, 'a number', text);
  return number;
}

/** A time in ms: `500`, `5s`, `1m30s`, `PT5S`. */
export function durationOption(route: RouteCompiler, element: ElementModel, name: string): number | undefined {
  const text = textOption(route, element, name)?.trim();
  if (text === undefined || text === '') return undefined;
  const duration = parseCamelDuration(text);
  if (duration === undefined) throw wrong(element, name, 'a time such as 500, 5s or 1m30s', text);
  return duration;
}

/** One of some words, in any letter case. `undefined`: it was not written. */
export function oneOf<T extends string>(
  route: RouteCompiler,
  element: ElementModel,
  name: string,
  words: readonly T[],
): T | undefined {
  const text = textOption(route, element, name)?.trim();
  if (text === undefined || text === '') return undefined;
  const word = words.find((it) => it.toLowerCase() === text.toLowerCase());
  if (word === undefined) throw wrong(element, name, `one of ${words.join(', ')}`, text);
  return word;
}

/** A list of names: a list, or one text with commas. */
export function namesOption(route: RouteCompiler, element: ElementModel, name: string): string[] {
  const value = element.options[name];
  if (value === undefined || value === null) return [];
  const texts = Array.isArray(value) ? value : String(value).split(',');
  return texts.map((text) => route.resolved(String(text)).trim()).filter((text) => text !== '');
}

/** An element that cannot be as it is defined. */
export const refused = ({ kind, at }: ElementModel, why: string): ExchangeFailure =>
  new ExchangeFailure('java.lang.IllegalArgumentException', `${kind} in line ${at.line}: ${why}`, { at });

const wrong = ({ kind, at }: ElementModel, name: string, expected: string, value: unknown) =>
  new ExchangeFailure(
    'java.lang.IllegalArgumentException',
    `${kind} in line ${at.line}: expected ${name} to be ${expected}, got ${JSON.stringify(value) ?? 'nothing'}`,
    { at },
  );

/** Makes something of an element; a failure of that gets the position of the element, unless it has one. */
export function placedAt<T>(at: Position, make: () => T): T {
  try {
    return make();
  } catch (thrown) {
    if (!(thrown instanceof ExchangeFailure) || thrown.at !== undefined) throw thrown;
    throw new ExchangeFailure(thrown.type, thrown.message, { cause: thrown.cause, at });
  }
}
