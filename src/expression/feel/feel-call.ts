import { refused } from './feel-note.js';
import { DIALECT } from './feel-syntax.js';
import type { FeelValue } from './feel-value.js';
import { feelin } from './feelin.js';

/** A function as it is called; what is not given is undefined. */
export type Call = (...values: (FeelValue | undefined)[]) => FeelValue;

/** A function of ours: its name, those of its parameters, and what it does. */
export type Entry = readonly [name: string, parameters: readonly string[], call: Call];

const libraryCalls = new Map<string, (...values: readonly unknown[]) => unknown>();

/** What the library's function of that name makes of the same; null, with a note, where it refuses. */
export function library(name: string, values: readonly unknown[]): FeelValue {
  let call = libraryCalls.get(name);
  if (call === undefined) {
    call = feelin().evaluate(`\`${name}\``, {}, DIALECT).value as (...values: readonly unknown[]) => unknown;
    libraryCalls.set(name, call);
  }
  const value = call(...values) ?? null;
  const isRefusal = typeof value === 'object' && value !== null && 'template' in value;
  return isRefusal ? refused(refusalOf(value as unknown as Refusal)) : (value as FeelValue);
}

interface Refusal {
  readonly template: string;
  readonly values: Readonly<Record<string, unknown>>;
}

const refusalOf = ({ template, values }: Refusal): string =>
  template.replace(/\{(\w+)\}/g, (_all, name: string) => `'${String(values[name])}'`);
