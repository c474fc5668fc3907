import { type FeelValue, feelin, readDate, readDateTime, readTime } from '../../expression/index.js';
import type { ItemType } from './decision-model.js';

/** A text that the type says is a date, a time or a duration is one: plain variables have none of these. Everything else stays the very value. */
export function readAs(value: FeelValue, type: string | null, types: readonly ItemType[]): FeelValue {
  const defined = types.find(({ name }) => name === type);
  if (defined !== undefined) return readInto(value, defined, types);
  return typeof value === 'string' ? (readText(value, type) ?? value) : value;
}

function readText(text: string, type: string | null): FeelValue | undefined {
  switch (type) {
    case 'date':
      return readDate(text);
    case 'time':
      return readTime(text);
    case 'dateTime':
    case 'date and time':
      return readDateTime(text);
    case 'days and time duration':
    case 'dayTimeDuration':
    case 'years and months duration':
    case 'yearMonthDuration':
      return feelin().duration(text) ?? undefined;
    default:
      return undefined;
  }
}

/** Lists and contexts are made anew where something in them is. */
function readInto(value: FeelValue, type: ItemType, types: readonly ItemType[]): FeelValue {
  if (Array.isArray(value)) {
    const items = (value as FeelValue[]).map((item) => readInto(item, type, types));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  if (type.components.length === 0) return readAs(value, type.type, types);
  const isContext = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return isContext ? readContext(value as Context, type, types) : value;
}

type Context = Readonly<Record<string, FeelValue>>;

function readContext(context: Context, { components }: ItemType, types: readonly ItemType[]): FeelValue {
  const changed: Record<string, FeelValue> = {};
  for (const part of components) {
    const given = context[part.name];
    const read = given === undefined ? undefined : readInto(given, part, types);
    if (read !== undefined && read !== given) changed[part.name] = read;
  }
  return Object.keys(changed).length === 0 ? context : { ...context, ...changed };
}
