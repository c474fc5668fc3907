import { type Call, type Entry, library } from './feel-call.js';
import { isLess } from './feel-interval.js';
import { refused } from './feel-note.js';
import type { FeelValue } from './feel-value.js';
import { feelin, kindOfFeel } from './feelin.js';

// Functions of lists, where the library's are not those of the standard.

const listReplace: Call = (list, position, newItem = null, match) => {
  if (list == null) return refused('list replace expects a list');
  const items = (Array.isArray(list) ? list : [list]) as readonly FeelValue[];
  const which = position ?? match;
  return typeof which === 'number' ? replacedAt(items, which, newItem) : replacedWhere(items, which, newItem);
};

function replacedAt(items: readonly FeelValue[], position: number, newItem: FeelValue): FeelValue {
  const whole = Math.trunc(position);
  const at = whole < 0 ? items.length + whole : whole - 1;
  if (items[at] === undefined) return refused(`list replace: there is no position ${position}`);
  return items.map((item, index) => (index === at ? newItem : item));
}

function replacedWhere(items: readonly FeelValue[], matches: FeelValue | undefined, newItem: FeelValue): FeelValue {
  if (!(matches instanceof feelin().FeelFunction) || matches.parameterNames.length !== 2)
    return refused('list replace expects a position, or a function of an item and the new one');
  const found = items.map((item) => matches.fn(item, newItem) as unknown);
  if (found.some((each) => typeof each !== 'boolean'))
    return refused('list replace expects a function that says true or false');
  return items.map((item, index) => (found[index] === true ? newItem : item));
}

/** What a filter found that may have been an index. */
const filtered: Call = (found = null, all = null, index = null) => {
  const isFound = Array.isArray(found) && found.length > 0;
  if (all === null || isFound || typeof index !== 'number') return found;
  const items = (Array.isArray(all) ? all : [all]) as readonly FeelValue[];
  return items[index < 0 ? items.length + index : index - 1] ?? null;
};

const isNothing = (value: FeelValue): boolean => value === null || value === false;

/** What a filter found, with the items that are null or false, which the library passes over: each is tested by itself. */
const withNothing: Call = (found = null, all = null, test = null) => {
  const isFound = Array.isArray(found) && Array.isArray(all) && test instanceof feelin().FeelFunction;
  if (!isFound || !(all as FeelValue[]).some(isNothing)) return found;
  const others = found as FeelValue[];
  let at = 0;
  return (all as FeelValue[]).filter((each) => {
    if (isNothing(each)) return test.fn(each) === true;
    const isNext = at < others.length && Object.is(others[at], each);
    if (isNext) at += 1;
    return isNext;
  });
};

/** The place of a position in a list, counted from its end below 0; undefined: it is none. */
const placeOf = (list: readonly FeelValue[], position: FeelValue | undefined): number | undefined => {
  if (typeof position !== 'number' || Math.trunc(position) === 0) return undefined;
  return position < 0 ? list.length + Math.trunc(position) : Math.trunc(position) - 1;
};

const listed = (list: FeelValue | undefined): readonly FeelValue[] | undefined =>
  list == null ? undefined : ((Array.isArray(list) ? list : [list]) as readonly FeelValue[]);

const removed: Call = (list, position) => {
  const items = listed(list);
  const place = items && placeOf(items, position);
  if (items === undefined || place === undefined) return refused('remove expects a list, and a position in it');
  return items.filter((_item, at) => at !== place);
};

const inserted: Call = (list, position, newItem = null) => {
  const items = listed(list);
  const place = items && placeOf(items, position);
  if (items === undefined || place === undefined) return refused('insert before expects a list, and a position in it');
  return [...items.slice(0, Math.max(0, place)), newItem, ...items.slice(Math.max(0, place))];
};

/** Of numbers the library's, of dates, times, durations and texts by their order. */
const extreme =
  (name: 'min' | 'max'): Call =>
  (...given) => {
    const [first] = given;
    const values = (given.length === 1 && Array.isArray(first) ? first : given) as readonly FeelValue[];
    const kinds = new Set(values.map(kindOfFeel));
    const [kind = 'other'] = kinds;
    if (kinds.size !== 1 || !ORDERED.has(kind)) return library(name, given);
    const sorted = [...values].sort((a, b) => (isLess(a, b) === true ? -1 : isLess(b, a) === true ? 1 : 0));
    return (name === 'min' ? sorted[0] : sorted.at(-1)) ?? null;
  };

const ORDERED: ReadonlySet<string> = new Set(['date', 'time', 'date time', 'duration', 'string']);

export const LIST_FUNCTIONS: readonly Entry[] = [
  ['list of', ['value'], (value = null) => (value === null || Array.isArray(value) ? value : [value])],
  ['filtered', ['found', 'all', 'index'], filtered],
  ['with nothing', ['found', 'all', 'test'], withNothing],
  ['list replace', ['list', 'position', 'newItem', 'match'], listReplace],
  ['remove', ['list', 'position'], removed],
  ['insert before', ['list', 'position', 'newItem'], inserted],
  ['min', ['...list'], extreme('min')],
  ['max', ['...list'], extreme('max')],
];
