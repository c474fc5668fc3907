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
  const upwards = new FeelRange({ ...range, 'start included': true, end: null, valueType: range.valueType });
  const goesDown = start !== null && end !== null && upwards.includes(end) === false;
  return goesDown ? refused(`the range '${String(from)}' ends before it begins`) : range;
}

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
