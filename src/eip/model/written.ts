import type { Position } from '../../expression/index.js';

/** A definition as a tree, whether it is written in YAML or XML: the shape is that of the YAML DSL. */
export type Written = WrittenScalar | WrittenMap | WrittenList;

export interface WrittenScalar {
  readonly type: 'scalar';
  readonly at: Position;
  readonly value: string | number | boolean | null;
  /** As it stands in the file: `1.0`, where the value is 1. */
  readonly text: string;
}

export interface WrittenMap {
  readonly type: 'map';
  readonly at: Position;
  readonly entries: readonly WrittenEntry[];
}

export interface WrittenEntry {
  readonly name: string;
  /** Of the name. */
  readonly at: Position;
  readonly value: Written;
}

export interface WrittenList {
  readonly type: 'list';
  readonly at: Position;
  readonly items: readonly Written[];
}

/** A word for a piece of a definition, for messages. */
export const wordOf = (written: Written): string => {
  if (written.type === 'map') return 'options';
  if (written.type === 'list') return 'a list';
  return written.value === null ? 'nothing' : `'${written.text.trim().slice(0, 80)}'`;
};

/** How large a definition may be. */
export interface RouteLimits {
  /** Of the text, as UTF-8. */
  readonly bytes: number;
  /** Names, values and lists in all, those that YAML's aliases repeat counted each time. */
  readonly elements: number;
  readonly depth: number;
}

export const ROUTE_LIMITS: RouteLimits = { bytes: 4 * 1024 * 1024, elements: 100_000, depth: 100 };

/** The entry of a map by its name. */
export const fieldOf = (written: Written, name: string): WrittenEntry | undefined =>
  written.type === 'map' ? written.entries.find((entry) => entry.name === name) : undefined;

/** A map without some of its entries. */
export const without = (written: Written, names: readonly string[]): Written =>
  written.type === 'map'
    ? { ...written, entries: written.entries.filter(({ name }) => !names.includes(name)) }
    : written;

/** The name of an entry that is text where none belongs: only XML has it. */
export const STRAY_TEXT = '#text';
