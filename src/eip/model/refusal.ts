import { nearest } from '../../shared/nearest.js';
import { LANGUAGES, STEPS } from './dsl.js';
import { REFUSED, RUN_DATA_FORMATS, RUN_ERROR_HANDLERS, RUN_LANGUAGES, RUN_STEPS } from './what-runs.js';

const RUN: Readonly<Record<string, { readonly names: readonly string[]; readonly instead: string }>> = {
  step: { names: RUN_STEPS, instead: '' },
  language: { names: RUN_LANGUAGES, instead: ': simple, js, jsonpath, jq and xpath are' },
  dataFormat: { names: RUN_DATA_FORMATS, instead: `: ${RUN_DATA_FORMATS.join(', ')} are` },
  errorHandler: { names: RUN_ERROR_HANDLERS, instead: '' },
};

/** Why something that the DSL has is not run. `undefined`: it is run, or the DSL has no such thing. */
export function refusalOf(
  place: 'step' | 'option' | 'top' | 'language' | 'dataFormat' | 'errorHandler',
  name: string,
): string | undefined {
  const why = REFUSED[place];
  if (why !== undefined && Object.hasOwn(why, name)) return `${name} ${why[name]}`;
  const run = RUN[place];
  if (run === undefined || run.names.includes(name)) return undefined;
  if (place === 'step' && !STEPS.has(name)) return undefined;
  if (place === 'language' && !LANGUAGES.has(name)) return undefined;
  return `${name} is not run here${run.instead}`;
}

/** The nearest name, where one is near. */
export function perhaps(name: string, known: readonly string[]): string {
  const near = nearest(name, known, Math.max(1, Math.floor(name.length / 3)));
  return near === undefined ? '' : `: is ${near} meant?`;
}

/** A name as the DSL has it: `set-body` is setBody, where that is known. */
export function camelName(name: string, isKnown: (name: string) => boolean): string {
  if (!name.includes('-')) return name;
  const camel = name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return isKnown(camel) ? camel : name;
}
