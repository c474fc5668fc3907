import type { FeelRange } from 'feelin';
import { refused } from './feel-note.js';
import { readAt, readDate, readDateTime, readTime } from './feel-temporal.js';
import type { FeelValue } from './feel-value.js';
import { feelin, kindOfFeel } from './feelin.js';

const RANGE = /^\s*([[(\]])\s*([\s\S]*?)\s*\.\.\s*([\s\S]*?)\s*([\])[])\s*$/;
const NUMBER = /^-?(?:\d+(?:\.\d+)?|\.\d+)$/;
const TEXT = /^"((?:[^"\\]|\\.)*)"$/;
const AT = /^@"([^"]*)"$/;
const CALL = /^(date and time|date|time|duration)\s*\(\s*"([^"]*)"\s*\)$/;

/** `range("[1..3]")`: a range that is written as a text, of literals; an end that is left out is open. */
export function rangeOf(from: FeelValue | undefined): FeelValue {
  const parts = typeof from === 'string' ? RANGE.exec(from) : null;
  if (parts === null) return refused(`'${String(from)}' is no range`);
  const [, open, first = '', last = '', close] = parts;
  const start = endOf(first);
  const end = endOf(last);
  const isWrong =
    start === undefined ||
    end === undefined ||
    (start === null && end === null) ||
    (start === null && open === '[') ||
    (end === null && close === ']') ||
    (start !== null && end !== null && kindOfFeel(start) !== kindOfFeel(end));
  if (isWrong) return refused(`'${String(from)}' is no range`);
  const { FeelRange } = feelin();
  const range = new FeelRange({
    start,
    end,
    'start included': open === '[',
    'end included': close === ']',
    valueType: kindOfFeel(start ?? end),
  });
  const goesDown = start !== null && end !== null && !isUpwards(range);
  return goesDown ? refused(`the range '${String(from)}' ends before it begins`) : range;
}

/** A range as it is written; null where an end is null, or the ends cannot be compared. */
export function interval(start: FeelValue, end: FeelValue, brackets: string): FeelValue {
  if (start === null || end === null) return refused('a range expects two ends');
  if (kindOfFeel(start) !== kindOfFeel(end)) return refused('a range expects two ends of one type');
  return new (feelin().FeelRange)({
    start,
    end,
    'start included': brackets.startsWith('['),
    'end included': brackets.endsWith(']'),
    valueType: kindOfFeel(start),
  });
}

/** Where one goes from `start` to `end`, by ones or by days. */
export function stepped(start: FeelValue, end: FeelValue): FeelValue {
  const { FeelDate } = feelin();
  if (start instanceof FeelDate && end instanceof FeelDate) {
    const days = start.unwrap().until(end.unwrap(), { largestUnit: 'day' }).days;
    const step = days < 0 ? -1 : 1;
    return Array.from(
      { length: Math.abs(days) + 1 },
      (_each, at) => new FeelDate(start.unwrap().add({ days: at * step })),
    );
  }
  if (!Number.isInteger(start) || !Number.isInteger(end)) return refused('a round goes over whole numbers, or dates');
  const [from, to] = [start as number, end as number];
  const step = to < from ? -1 : 1;
  return Array.from({ length: Math.abs(to - from) + 1 }, (_each, at) => from + at * step);
}

/** Items of a range that goes up, by ones or by days. */
export function eachOf(start: FeelValue, end: FeelValue, brackets: string): FeelValue {
  const all = stepped(start, end);
  if (!Array.isArray(all)) return all;
  const range = interval(start, end, '[]');
  const goesUp = range instanceof feelin().FeelRange && isUpwards(range);
  if (!goesUp) return refused('a range that is gone through ends no earlier than it begins');
  return all.slice(brackets.startsWith('[') ? 0 : 1, brackets.endsWith(']') ? undefined : -1) as FeelValue[];
}

const isUpwards = ({ start, end, valueType }: FeelRange): boolean =>
  new (feelin().FeelRange)({
    start,
    end: null,
    'start included': true,
    'end included': false,
    valueType,
  }).includes(end) === true;

/** A literal; null where it is left out, undefined where it is none. */
function endOf(text: string): FeelValue | undefined {
  if (text === '' || text === 'null') return null;
  if (NUMBER.test(text)) return Number(text);
  const written = TEXT.exec(text)?.[1];
  if (written !== undefined) return written.replace(/\\(.)/g, '$1');
  const at = AT.exec(text)?.[1];
  if (at !== undefined) return readAt(at);
  const [, name, given = ''] = CALL.exec(text) ?? [];
  if (name === 'date') return readDate(given);
  if (name === 'time') return readTime(given);
  if (name === 'date and time') return readDateTime(given);
  return name === undefined ? undefined : (feelin().duration(given) ?? undefined);
}
