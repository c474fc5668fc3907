import type { FeelValue } from './feel-value.js';
import { feelin, kindOfFeel } from './feelin.js';

// Whether a value is of a type as FEEL writes it: `number`, `list<string>`, `context<a: number>`, `range<date>` (DMN 1.5, 10.3.2.9).

/** Says of a type that a model defines whether a value is one; undefined where there is no such type. */
export type TypeLookup = (name: string, value: FeelValue) => boolean | undefined;

export function isOfType(value: FeelValue, type: string, lookup: TypeLookup = () => undefined): boolean {
  const [, name = '', inner] = /^\s*([^<]*?)\s*(?:<([\s\S]*)>\s*(?:->[\s\S]*)?)?$/.exec(type) ?? [];
  switch (name.replace(/\s+/g, ' ')) {
    case 'Any':
      return value !== null;
    case 'Null':
      return value === null;
    case 'list':
      return Array.isArray(value) && (value as FeelValue[]).every((each) => isWithin(each, inner, lookup));
    case 'range':
      return value instanceof feelin().FeelRange && isRangeOf(value, inner, lookup);
    case 'context':
      return isContextOf(value, inner ?? '', lookup);
    case 'days and time duration':
    case 'years and months duration':
      return value instanceof feelin().FeelDuration && value.yearsMonths === name.startsWith('years');
    default: {
      const kind = kindOfFeel(value);
      const known = name.replace(/\s+/g, ' ').replace('date and time', 'date time');
      return kind === known || (lookup(name, value) ?? false);
    }
  }
}

const isWithin = (value: FeelValue, type: string | undefined, lookup: TypeLookup): boolean =>
  type === undefined || type === 'Any' || value === null || isOfType(value, type, lookup);

function isRangeOf(range: { start: unknown; end: unknown }, type: string | undefined, lookup: TypeLookup): boolean {
  const ends = [range.start, range.end] as FeelValue[];
  return ends.every((end) => isWithin(end, type, lookup));
}

function isContextOf(value: FeelValue, entries: string, lookup: TypeLookup): boolean {
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return false;
  const context = value as Readonly<Record<string, FeelValue>>;
  return partsOf(entries).every((entry) => {
    const [name = '', ...type] = entry.split(':');
    const key = name.trim();
    return Object.hasOwn(context, key) && isWithin(context[key] ?? null, type.join(':').trim(), lookup);
  });
}

/** What stands between the commas that are not within brackets. */
function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const sign = text[at];
    if (sign === '<') depth += 1;
    if (sign === '>') depth -= 1;
    if (at < text.length && (sign !== ',' || depth > 0)) continue;
    if (text.slice(from, at).trim() !== '') parts.push(text.slice(from, at));
    from = at + 1;
  }
  return parts;
}
