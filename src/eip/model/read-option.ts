import type { OptionType } from './dsl.js';
import { hasPlaceholder } from './placeholder.js';
import type { OptionValue } from './route-model.js';
import type { RouteProblems } from './route-problems.js';
import { type Written, type WrittenEntry, type WrittenScalar, wordOf } from './written.js';

/** The value of an option that is no element; `undefined` where nothing, or something wrong, is written. */
export function readOption(
  problems: RouteProblems,
  kind: string,
  option: OptionType,
  { name, value }: WrittenEntry,
): OptionValue | undefined {
  if (option.kind === 'any') return readAny(problems, kind, option, name, value);
  if (option.isList) return textsOf(problems, kind, name, value);
  if (value.type !== 'scalar') {
    problems.error(value.at, kind, `expected ${wantedBy(option)} for ${name} of ${kind}, but found ${wordOf(value)}`);
    return undefined;
  }
  if (value.value === null) return undefined;
  const read = hasPlaceholder(value.text) ? value.text : READ[option.kind](value, option);
  if (read === undefined)
    problems.error(value.at, kind, `expected ${wantedBy(option)} for ${name} of ${kind}, but found ${wordOf(value)}`);
  return read;
}

/** Whatever is written, as plain values. */
export function plainValue(written: Written): OptionValue {
  if (written.type === 'scalar') return written.value;
  if (written.type === 'list') return written.items.map(plainValue);
  return Object.fromEntries(written.entries.map(({ name, value }) => [name, plainValue(value)]));
}

const READ: Readonly<
  Record<OptionType['kind'], (value: WrittenScalar, option: OptionType) => OptionValue | undefined>
> = {
  text: ({ text }) => text,
  boolean: ({ text }) => (/^(true|false)$/i.test(text.trim()) ? text.trim().toLowerCase() === 'true' : undefined),
  number: ({ text }) => (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : undefined),
  choice: ({ text }, { values }) => values.find((value) => value.toLowerCase() === text.trim().toLowerCase()),
  any: ({ value }) => value,
  // They are read elsewhere.
  expression: () => undefined,
  element: () => undefined,
};

function wantedBy({ kind, values }: OptionType): string {
  if (kind === 'boolean') return 'true or false';
  if (kind === 'number') return 'a number';
  return kind === 'choice' ? `one of ${values.join(', ')}` : 'a text';
}

function readAny(
  problems: RouteProblems,
  kind: string,
  option: OptionType,
  name: string,
  value: Written,
): OptionValue | undefined {
  const wanted = option.isList ? 'list' : 'map';
  if (value.type === wanted) return plainValue(value);
  if (value.type === 'scalar' && value.value === null) return undefined;
  problems.error(
    value.at,
    kind,
    `expected ${option.isList ? 'a list' : 'names and values'} for ${name} of ${kind}, but found ${wordOf(value)}`,
  );
  return undefined;
}

/** A list of texts; one alone is a list, too. */
function textsOf(problems: RouteProblems, kind: string, name: string, value: Written): OptionValue {
  const items = value.type === 'list' ? value.items : [value];
  return items.flatMap((item) => {
    if (item.type === 'scalar' && item.value !== null) return [item.text];
    problems.error(item.at, kind, `expected texts for ${name} of ${kind}, but found ${wordOf(item)}`);
    return [];
  });
}
