import type { FeelRange } from 'feelin';
import { refused } from './feel-note.js';
import type { FeelValue } from './feel-value.js';
import { feelin } from './feelin.js';

// How points and ranges lie to each other (DMN 1.5, table 78).

/** A point, or a range; a missing end is open without end. */
interface Span {
  readonly start: FeelValue;
  readonly end: FeelValue;
  readonly from: boolean;
  readonly to: boolean;
  readonly isPoint: boolean;
}

function spanOf(value: FeelValue): Span | null {
  if (!(value instanceof feelin().FeelRange)) {
    return value === null ? null : { start: value, end: value, from: true, to: true, isPoint: true };
  }
  const { start, end } = value as FeelRange & { start: FeelValue; end: FeelValue };
  return { start, end, from: value['start included'], to: value['end included'], isPoint: false };
}

/** Whether one is less; null where they cannot be compared. */
export function isLess(one: FeelValue, other: FeelValue): boolean | null {
  if (one === null || other === null) return null;
  const { FeelRange } = feelin();
  const above = new FeelRange({
    start: one,
    end: null,
    'start included': false,
    'end included': false,
    valueType: kind(one),
  });
  return (above as FeelRange).includes(other as never);
}

function kind(value: FeelValue): string {
  const { FeelDate, FeelTime, FeelDateTime, FeelDuration } = feelin();
  if (value instanceof FeelDate) return 'date';
  if (value instanceof FeelTime) return 'time';
  if (value instanceof FeelDateTime) return 'date time';
  return value instanceof FeelDuration ? 'duration' : typeof value;
}

const isSame = (one: FeelValue, other: FeelValue): boolean | null => {
  const less = isLess(one, other);
  const more = isLess(other, one);
  return less === null || more === null ? null : !less && !more;
};

const both = (...all: readonly (boolean | null)[]): boolean | null =>
  all.includes(null) ? null : all.every((each) => each === true);
const either = (...all: readonly (boolean | null)[]): boolean | null =>
  all.includes(null) ? null : all.includes(true);

type Test = (a: Span, b: Span) => boolean | null;

/** Starts no later than the other. */
const startsBy: Test = (a, b) => either(isLess(a.start, b.start), both(isSame(a.start, b.start), a.from || !b.from));
const endsBy: Test = (a, b) => either(isLess(b.end, a.end), both(isSame(b.end, a.end), a.to || !b.to));
const sameStart: Test = (a, b) => both(isSame(a.start, b.start), a.from === b.from);
const sameEnd: Test = (a, b) => both(isSame(a.end, b.end), a.to === b.to);
const finishes: Test = (a, b) => both(sameEnd(a, b), a.isPoint ? b.to : startsBy(b, a));
const starts: Test = (a, b) => both(sameStart(a, b), a.isPoint ? b.from : endsBy(b, a));
const overlapsBefore: Test = (a, b) =>
  both(
    either(isLess(a.start, b.start), both(isSame(a.start, b.start), a.from && !b.from)),
    either(isLess(b.start, a.end), both(isSame(b.start, a.end), a.to && b.from)),
    either(isLess(a.end, b.end), both(isSame(a.end, b.end), !a.to || b.to)),
  );

const isBefore: Test = (a, b) => either(isLess(a.end, b.start), both(isSame(a.end, b.start), !(a.to && b.from)));

/** Those that the library has not, or takes for whatever. */
const TESTS: Readonly<Record<string, Test>> = {
  before: isBefore,
  after: (a, b) => isBefore(b, a),
  'overlaps before': overlapsBefore,
  'overlaps after': (a, b) => overlapsBefore(b, a),
  finishes,
  'finished by': (a, b) => finishes(b, a),
  starts,
  'started by': (a, b) => starts(b, a),
  coincides: (a, b) => both(sameStart(a, b), sameEnd(a, b)),
};

/** Those that compare two ranges. */
const RANGES = new Set(['overlaps before', 'overlaps after']);

export const INTERVAL_FUNCTIONS = Object.entries(TESTS).map(([name, test]) => ({
  name,
  parameters: RANGES.has(name) ? ['range1', 'range2'] : ['a', 'b'],
  call: (one: FeelValue = null, other: FeelValue = null): FeelValue => {
    const a = spanOf(one);
    const b = spanOf(other);
    const isWrong = RANGES.has(name) && (a?.isPoint !== false || b?.isPoint !== false);
    if (a === null || b === null || isWrong) return refused(`${name} expects points or ranges`);
    return test(a, b) ?? refused(`${name} expects values that can be compared`);
  },
}));

/** `during`: whether a range has a point or another range. */
export function during(one: FeelValue = null, range: FeelValue = null): FeelValue {
  const { FeelRange } = feelin();
  if (one === null || !(range instanceof FeelRange)) return refused('during expects a point or range, and a range');
  return range.includes(one as never);
}
