import { ExchangeFailure } from '../../expression/index.js';
import { parseCamelDuration } from '../model/camel-duration.js';
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

const wrong = ({ kind, at }: ElementModel, name: string, expected: string, value: unknown) =>
  new ExchangeFailure(
    'java.lang.IllegalArgumentException',
    `${kind} in line ${at.line}: expected ${name} to be ${expected}, got ${JSON.stringify(value) ?? 'nothing'}`,
  );
