import { containsValue } from '../conversion/compare.js';
import { asText } from '../conversion/convert.js';
import { isMap, isStream } from '../conversion/java-class.js';
import { isNumeric } from '../conversion/number.js';
import { textOf } from '../conversion/text.js';
import { mapped, streamBytes } from '../exchange/stream.js';
import { unquoted, withoutQuotes } from './arguments.js';
import {
  body,
  type FunctionMaker,
  illegalArgument,
  integerAt,
  onText,
  requiredInteger,
  withValues,
} from './function-call.js';

/** How long a text may become, in characters. */
export const TEXT_MAX = 134_217_728;

const changed =
  (change: (text: string) => unknown): FunctionMaker =>
  (call) =>
    onText(call.subject(), change);

const quoted = (text: string): string => `"${text}"`;
const XML: Readonly<Record<string, string>> = { '&quot;': '"', '&apos;': "'", '&lt;': '<', '&gt;': '>', '&amp;': '&' };
const withoutXml = (text: string): string => text.replace(/&(?:quot|apos|lt|gt|amp);/g, (it) => XML[it] ?? it);

const replace: FunctionMaker = (call) => {
  const [from = '', to = '', source] = call.list('replace(from,to,expression)', 2, 3, { trim: false });
  const [found, put] = [withoutXml(from), to === '&empty;' ? '' : withoutXml(to)];
  return onText(source === undefined ? body : call.template(source), (text) => text.replaceAll(found, () => put));
};

const substring: FunctionMaker = (call) => {
  const [head = '', tail = '0', source] = call.list('substring(num,num,expression)', 1, 3, { trim: false });
  const [first, last] = [call.template(head), call.template(tail)];
  return onText(source === undefined ? body : call.template(source), (text, exchange) => {
    let [start, end] = [requiredInteger(first, exchange, 'head'), requiredInteger(last, exchange, 'tail')];
    if (start < 0 && end === 0) [start, end] = [0, start];
    const until = text.length - Math.abs(end);
    return text.slice(Math.abs(start), Math.max(until, 0));
  });
};

/** Functions of a text and one or two more, where the first is the body unless it is written. */
const parts =
  (count: number, make: (text: string, ...others: string[]) => string | null): FunctionMaker =>
  (call) => {
    const found = call.list(`${call.name}(exp,${count === 1 ? 'exp' : 'after,before'})`, count, count + 1, {
      trim: false,
    });
    const source = found.length > count ? call.template(found.shift() ?? '') : body;
    const others = found.map((it) => call.template(it));
    return onText(source, (text, exchange) =>
      withValues(others, exchange, (values) => {
        const texts = values.map((it) => asText(it));
        return texts.every((it): it is string => typeof it === 'string') ? make(text, ...texts) : null;
      }),
    );
  };

const before = (text: string, sign: string): string | null => {
  const at = text.indexOf(sign);
  return at < 0 ? null : text.slice(0, at);
};
const after = (text: string, sign: string): string | null => {
  const at = text.indexOf(sign);
  return at < 0 ? null : text.slice(at + sign.length);
};

const contains: FunctionMaker = (call) => {
  const found = call.list('contains(exp,text)', 1, 2, { trim: false });
  const part = call.template(found.pop() ?? '');
  const source = found[0] === undefined ? body : call.template(found[0]);
  return (exchange) =>
    withValues([source, part], exchange, ([whole, text]) => {
      if (whole === null || text === null) return whole === text;
      return mapped(isStream(whole) ? asText(whole) : whole, (known) => containsValue(known, text, true));
    });
};

const pad: FunctionMaker = (call) => {
  const [text = '', length = '', separator] = call
    .list('pad(exp,len,separator)', 2, 3, { keepQuotes: true })
    .map(withoutQuotes);
  const [value, width] = [call.template(text), call.template(length)];
  return onText(value, (known, exchange) => {
    const most = integerAt(width, exchange);
    if (most === null) throw illegalArgument(`pad length expression evaluated to null: ${length}`);
    return padded(known, most, separator || ' ');
  });
};

function padded(text: string, width: number, separator: string): string {
  const missing = Math.abs(width) - text.length;
  if (missing <= 0) return text;
  if (missing > TEXT_MAX) throw illegalArgument(`expected a width of at most ${TEXT_MAX}`);
  const more = separator.repeat(Math.ceil(missing / separator.length));
  return width > 0 ? text + more : more + text;
}

const concat: FunctionMaker = (call) => {
  const found = call.list('concat(exp,exp,separator)', 1, 3, { keepQuotes: true }).map(withoutQuotes);
  const [first = '', second, separator = ''] = found;
  const both = second === undefined ? [body, call.template(first)] : [call.template(first), call.template(second)];
  return (exchange) =>
    withValues(both, exchange, ([a, b]) =>
      mapped(asText(a), (left) =>
        mapped(asText(b), (right) =>
          left === null || right === null ? (left ?? right) : `${left}${separator}${right}`,
        ),
      ),
    );
};

/** Name of a value's type, as `safeQuote` and `kindOfType` tell them apart. */
export function kindOfType(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (isNumeric(value)) return 'number';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'string') return 'string';
  return Array.isArray(value) || value instanceof Set || value instanceof Uint8Array || isMap(value)
    ? 'array'
    : 'object';
}

const safeQuote: FunctionMaker = (call) => {
  const subject = call.subject();
  return (exchange) =>
    mapped(subject(exchange), (value) => {
      if (/^(?:number|boolean|null)$/.test(kindOfType(value))) return value;
      return mapped(asText(value), (text) => quoted(unquoted(text as string)));
    });
};

/** In bytes; of what is no text, of its text. */
const length: FunctionMaker = (call) => {
  const subject = call.subject();
  return (exchange) => mapped(subject(exchange), lengthOf);
};

function lengthOf(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return value.length;
  if (isStream(value)) return mapped(streamBytes(value), lengthOf);
  return Buffer.byteLength(textOf(value));
}

const size: FunctionMaker = (call) => {
  const subject = call.subject();
  return (exchange) => mapped(subject(exchange), sizeOf);
};

function sizeOf(value: unknown): number {
  if (value === null || value === undefined) return 0;
  if (value instanceof Uint8Array || Array.isArray(value)) return value.length;
  if (value instanceof Set || value instanceof Map) return value.size;
  return isMap(value) ? Object.keys(value).length : 1;
}

const capitalized = (text: string): string =>
  text.replace(/(^|\s)(\S)/g, (_, blank: string, letter: string) => blank + letter.toUpperCase());
const isAll =
  (pattern: RegExp): FunctionMaker =>
  (call) => {
    const subject = call.subject();
    return (exchange) =>
      mapped(
        mapped(subject(exchange), asText),
        (text) => typeof text === 'string' && text.trim() !== '' && pattern.test(text),
      );
  };

export const TEXT_FUNCTIONS: Readonly<Record<string, FunctionMaker>> = {
  replace,
  substring,
  substringBefore: parts(1, before),
  substringAfter: parts(1, after),
  substringBetween: parts(2, (text, from, to = '') => {
    const rest = after(text, from ?? '');
    return rest === null ? null : before(rest, to);
  }),
  contains,
  trim: changed((text) => text.trim()),
  capitalize: changed(capitalized),
  pad,
  concat,
  quote: changed((text) => (/^".*"$/s.test(text) ? text : quoted(unquoted(text)))),
  safeQuote,
  unquote: (call) => onText(call.text === '' ? body : call.template(withoutQuotes(call.text)), unquoted),
  uppercase: changed((text) => text.toUpperCase()),
  lowercase: changed((text) => text.toLowerCase()),
  normalizeWhitespace: changed((text) => text.trim().replace(/(\s)\s*/g, '$1')),
  length,
  size,
  isAlpha: isAll(/^\p{L}+$/u),
  isNumeric: isAll(/^\p{Nd}+$/u),
  isAlphaNumeric: isAll(/^[\p{L}\p{Nd}]+$/u),
  val: (call) => {
    if (call.text === '') throw call.wrong('val(exp)');
    return call.template(call.text);
  },
  kindOfType: (call) => {
    const subject = call.subject();
    return (exchange) => mapped(subject(exchange), kindOfType);
  },
};
