import { type Call, type Entry, library } from './feel-call.js';
import { refused } from './feel-note.js';
import { feelin } from './feelin.js';

// Functions whose parameters may be called otherwise than the library does, by the standard's names or Camunda 8's.

type Names = readonly string[];

/** The names of points and ranges in what compares them (DMN 1.5, table 78). */
const POINTS: readonly Names[] = [
  ['point1', 'point2'],
  ['point', 'range'],
  ['range1', 'range2'],
];
const RANGE_FIRST: readonly Names[] = [
  ['range', 'point'],
  ['range1', 'range2'],
];

const OTHERS: Readonly<Record<string, readonly Names[]>> = {
  before: POINTS,
  after: POINTS,
  finishes: POINTS,
  starts: POINTS,
  during: POINTS,
  coincides: POINTS,
  'finished by': RANGE_FIRST,
  'started by': RANGE_FIRST,
  includes: RANGE_FIRST,
  'from json': [['json']],
  extract: [['input', 'pattern']],
  'get entries': [['context']],
};

/** The function with the other names of its parameters. */
export function withOtherNames([name, own, call]: Entry): Entry {
  const others = OTHERS[name];
  if (others === undefined) return [name, own, call];
  const all = [...new Set([...own, ...others.flat()])];
  const places = own.map((_each, at) => [...new Set([own, ...others].map((names) => all.indexOf(names[at] ?? '')))]);
  const named: Call = (...values) => {
    const given = places.map((at) =>
      at.flatMap((index) => (values[index] === undefined ? [] : [{ value: values[index] }])),
    );
    // Who gives several values for one parameter gives too many by their places.
    if (given.some(({ length }) => length > 1)) return refused(`${name} expects at most ${own.length} values`);
    return call(...given.map(([first]) => first?.value));
  };
  return [name, all, named];
}

/** What the library makes of the values, without those at the end that are not given. */
const asGiven =
  (name: string): Call =>
  (...values) =>
    library(name, values.slice(0, values.findLastIndex((value) => value !== undefined) + 1));

/** A position in a list or text is none below 1 or above -1. */
const from =
  (name: string): Call =>
  (value, first, length, other) => {
    const start = first === undefined ? other : first;
    return start === 0 ? refused(`${name} expects a position other than 0`) : asGiven(name)(value, start, length);
  };

const contextOf: Call = (entries) => {
  const list = (Array.isArray(entries) ? entries : [entries]) as readonly { readonly key?: unknown }[];
  const isWrong = list.some((entry) => typeof entry?.key !== 'string');
  return isWrong ? refused('context expects entries whose keys are texts') : library('context', [entries]);
};

const includes: Call = (range, value) =>
  range instanceof feelin().FeelRange ? library('includes', [range, value]) : refused('includes expects a range');

export const NAMED_FUNCTIONS: readonly Entry[] = [
  ['get entries', ['m'], (m) => library('get entries', [m])],
  ['context', ['entries'], contextOf],
  ['sublist', ['list', 'start', 'length', 'start position'], from('sublist')],
  ['substring', ['string', 'start position', 'length'], from('substring')],
  ['append', ['list', '...item', '...items'], asGiven('append')],
  ['concatenate', ['...list', '...lists'], asGiven('concatenate')],
  ['union', ['...list', '...lists'], asGiven('union')],
  ['includes', ['range', 'value'], includes],
];
