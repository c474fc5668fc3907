import { compileExpression } from '../../expression/index.js';
import { textOf } from '../element/native.js';

/** A field as far as its value is checked. */
export interface CheckedField {
  readonly type?: unknown;
  readonly values?: unknown;
  readonly subtype?: unknown;
  readonly decimalDigits?: unknown;
  readonly increment?: unknown;
}

/** What form-js checks of a field, expressions evaluated. */
export interface Rules {
  readonly required?: unknown;
  readonly min?: unknown;
  readonly max?: unknown;
  readonly minLength?: unknown;
  readonly maxLength?: unknown;
  readonly validationType?: unknown;
  readonly pattern?: unknown;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Problem of a field's value; null: none. */
export function problemOf(field: CheckedField, rules: Rules, value: unknown): string | null {
  const isUnchecked = field.type === 'checkbox' && value === false;
  if (isEmpty(value) || isUnchecked) return rules.required ? 'expected a value, but found none' : null;
  return ofType(field, value) ?? amongValues(field, value) ?? ofRules(rules, value);
}

function ofType(field: CheckedField, value: unknown): string | null {
  switch (field.type) {
    case 'number':
      return ofNumber(field, value);
    case 'checkbox':
      return typeof value === 'boolean' ? null : `expected true or false, but found ${shown(value)}`;
    case 'checklist':
    case 'taglist':
      return Array.isArray(value) ? null : `expected a list, but found ${shown(value)}`;
    case 'datetime':
      return ofTime(field, value);
    default:
      return null;
  }
}

function ofNumber({ decimalDigits, increment }: CheckedField, value: unknown): string | null {
  const number = typeof value === 'string' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return `expected a number, but found ${shown(value)}`;
  const digits = decimalsOf(value);
  if (typeof decimalDigits === 'number' && decimalDigits >= 0 && digits > decimalDigits)
    return `expected at most ${decimalDigits} decimal digits, but found ${shown(value)}`;
  const step = Number(increment ?? 0);
  const scale = 10 ** Math.max(digits, decimalsOf(increment));
  const [whole, part] = [Math.round(number * scale), Math.round(step * scale)];
  return part > 0 && Number.isSafeInteger(whole) && whole % part !== 0
    ? `expected a multiple of ${step}, but found ${shown(value)}`
    : null;
}

/** How many digits are behind the point. */
function decimalsOf(value: unknown): number {
  const [, fraction = '', exponent = '0'] = /^-?\d+(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(String(value)) ?? [];
  return Math.max(0, fraction.length - Number(exponent));
}

const DAY = '\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])';
const CLOCK = '(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d+)?)?(?:Z|[+-]\\d\\d:?\\d\\d)?';
const TIMES: Readonly<Record<string, readonly [pattern: RegExp, expected: string]>> = {
  date: [new RegExp(`^${DAY}$`), "a date such as '2026-01-31'"],
  time: [new RegExp(`^${CLOCK}$`), "a time such as '08:30'"],
  datetime: [new RegExp(`^${DAY}T${CLOCK}$`), "a date and time such as '2026-01-31T08:30'"],
};

/** What is a date to the engine already is none to be written so. */
function ofTime({ subtype }: CheckedField, value: unknown): string | null {
  const [pattern, expected] = TIMES[String(subtype)] ?? [];
  return pattern === undefined || typeof value !== 'string' || pattern.test(value)
    ? null
    : `expected ${expected}, but found ${shown(value)}`;
}

/** Of what one chooses from a list. Lists that come from variables are not known here. */
function amongValues({ type, values }: CheckedField, value: unknown): string | null {
  if (!Array.isArray(values) || !['radio', 'select', 'checklist', 'taglist'].includes(String(type))) return null;
  const known = values.flatMap((each) => (typeof each === 'object' && each && 'value' in each ? [each.value] : []));
  const texts = new Set(known.map((each) => JSON.stringify(each)));
  const wrong = (Array.isArray(value) ? value : [value]).find((each) => !texts.has(JSON.stringify(each)));
  return wrong === undefined
    ? null
    : `expected one of ${known.map((each) => `'${textOf(each)}'`).join(', ')}, but found ${shown(wrong)}`;
}

/** Addresses as HTML has them; numbers with the sign or the zeros of a country's code. */
const KINDS: Readonly<Record<string, readonly [pattern: RegExp, expected: string]>> = {
  email: [
    /^[\w.!#$%&'*+/=?^`{|}~-]{1,200}@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)*[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i,
    'an email',
  ],
  phone: [/(?:\+|00)[1-9]\d{5,29}$/, "an international phone number such as '+4930664040900'"],
};

function ofRules(rules: Rules, value: unknown): string | null {
  const text = textOf(value) ?? '';
  const limit = (name: 'min' | 'max' | 'minLength' | 'maxLength') => Number(rules[name] ?? Number.NaN);
  if (Number(value) < limit('min')) return `expected at least ${rules.min}, but found ${shown(value)}`;
  if (Number(value) > limit('max')) return `expected at most ${rules.max}, but found ${shown(value)}`;
  const { length } = text.trim();
  if (length < limit('minLength')) return `expected at least ${rules.minLength} characters, but found ${length}`;
  if (length > limit('maxLength')) return `expected at most ${rules.maxLength} characters, but found ${length}`;
  const [kind, expected] = KINDS[String(rules.validationType)] ?? [];
  if (kind !== undefined && !kind.test(text)) return `expected ${expected}, but found ${shown(value)}`;
  const { pattern } = rules;
  if (typeof pattern !== 'string' || matches(text, pattern)) return null;
  return `expected what matches ${pattern}, but found ${shown(value)}`;
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of JUEL
const MATCHES = '${value.matches(pattern)}';

/** Matched somewhere, in linear time. A pattern that cannot be matched so is not checked. */
function matches(text: string, pattern: string): boolean {
  const start = pattern.startsWith('^') ? '' : '[\\s\\S]*';
  const end = /(?<!\\)\$$/.test(pattern) ? '' : '[\\s\\S]*';
  const whole = `${start}(?:${pattern.replace(/^\^/, '').replace(/(?<!\\)\$$/, '')})${end}`;
  try {
    const variable = (name: string) => ({ value: name === 'value' ? text : whole });
    return compileExpression(MATCHES).evaluate({ variable, bean: () => undefined }) === true;
  } catch {
    return true;
  }
}

const shown = (value: unknown): string => {
  const text = textOf(value) ?? 'nothing';
  return `'${text.length > 60 ? `${text.slice(0, 60)}…` : text}'`;
};
