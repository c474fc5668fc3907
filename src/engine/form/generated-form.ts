import { parseInstant } from '../../expression/index.js';
import { textOf, typed } from '../element/native.js';
import type { TypedValue, Variables } from '../element/typed-value.js';
import type { FormField } from '../model/form.js';
import { dateByPattern } from './date-pattern.js';
import type { FieldProblem, Submission } from './submission.js';

/** Camunda's, where a field says none. */
const DATE_PATTERN = 'dd/MM/yyyy';

/**
 * What is submitted to generated fields, converted to their types, with defaults of those that are not given and have no value yet (`defaultOf`: a default
 * that is an expression, evaluated). What is not right is told in `problems`.
 */
export function submitFields(
  fields: readonly FormField[],
  { given, present }: Submission,
  defaultOf: (text: string) => unknown,
): { readonly variables: Variables; readonly problems: FieldProblem[] } {
  const variables: Variables = { ...given };
  const problems: FieldProblem[] = [];
  for (const field of fields) {
    const { value, message } = submitField(field, given, present, defaultOf);
    if (message !== null) problems.push({ field: field.id, message });
    else problems.push(...violated(field, given[field.id], value ?? present[field.id]));
    if (value !== undefined) variables[field.id] = given[field.id]?.transient ? { ...value, transient: true } : value;
  }
  return { variables, problems };
}

/** The value of a field, of its type; or what is wrong with it. */
function submitField(
  field: FormField,
  given: Variables,
  present: Variables,
  defaultOf: (text: string) => unknown,
): { readonly value?: TypedValue; readonly message: string | null } {
  const value = Object.hasOwn(given, field.id) ? given[field.id] : defaultFor(field, present, defaultOf);
  if (value === undefined) return { message: null };
  const found = isEmpty(value) ? emptied(field, value) : converted(field, value);
  if (found !== null) return { value: found, message: null };
  return { message: `expected ${EXPECTED[field.type ?? ''] ?? 'a value'}${among(field)}, but found ${shown(value)}` };
}

const EXPECTED: Readonly<Record<string, string>> = {
  long: 'a whole number',
  boolean: 'true or false',
  date: 'a date',
  enum: 'one of',
};

const among = ({ type, values, datePattern }: FormField): string => {
  if (type === 'enum') return ` ${values.map(({ id }) => `'${id}'`).join(', ')}`;
  return type === 'date' ? ` as ${datePattern ?? DATE_PATTERN}` : '';
};

function defaultFor(
  { id, defaultValue }: FormField,
  present: Variables,
  defaultOf: (text: string) => unknown,
): TypedValue | undefined {
  if (defaultValue === null || present[id] !== undefined) return undefined;
  return typed(defaultOf(defaultValue));
}

const isEmpty = ({ value }: TypedValue): boolean => value === null || value === undefined || value === '';

/** What is left empty: of a text the empty one, of any other type nothing. */
const emptied = ({ type }: FormField, value: TypedValue): TypedValue =>
  type === 'date' || type === 'long' || type === 'boolean' ? { type: 'Null', value: null } : value;

/** Null: it is no value of the type. */
function converted({ type, datePattern, values }: FormField, given: TypedValue): TypedValue | null {
  const text = textOf(given.value)?.trim() ?? '';
  switch (type) {
    case 'long':
      return /^[+-]?\d{1,15}$/.test(text) ? { type: 'Long', value: Number(text) } : null;
    case 'boolean':
      return text === 'true' || text === 'false' ? { type: 'Boolean', value: text === 'true' } : null;
    case 'date':
      return given.type === 'Date' ? given : dated(text, datePattern ?? DATE_PATTERN);
    case 'enum':
      return values.some(({ id }) => id === text) ? { type: 'String', value: text } : null;
    case 'string':
      return { type: 'String', value: textOf(given.value) };
    default:
      return given;
  }
}

function dated(text: string, pattern: string): TypedValue | null {
  const date = dateByPattern(text, pattern) ?? isoDate(text);
  return date === undefined ? null : { type: 'Date', value: date.toISOString() };
}

function isoDate(text: string): Date | undefined {
  if (!/^\d{4}-\d\d-\d\dT/.test(text)) return undefined;
  try {
    return new Date(parseInstant(text, 0));
  } catch {
    return undefined;
  }
}

/** Constraints that a value does not keep. `submitted`: what was given; `value`: what there is then. */
function violated(
  { id, constraints }: FormField,
  submitted: TypedValue | undefined,
  value: TypedValue | undefined,
): FieldProblem[] {
  return constraints.flatMap(({ name, config }) => {
    const message = violation(name, Number(config), submitted, value);
    return message === null ? [] : [{ field: id, message }];
  });
}

function violation(
  name: string,
  limit: number,
  submitted: TypedValue | undefined,
  value: TypedValue | undefined,
): string | null {
  if (name === 'required') return value === undefined || isEmpty(value) ? 'expected a value, but found none' : null;
  if (name === 'readonly') return submitted === undefined ? null : 'expected no value, for it is read only';
  return value === undefined || isEmpty(value) ? null : beyond(name, limit, value);
}

function beyond(name: string, limit: number, value: TypedValue): string | null {
  const number = Number(value.value);
  const { length } = textOf(value.value) ?? '';
  const checks: Readonly<Record<string, readonly [boolean, string]>> = {
    min: [number >= limit, `expected at least ${limit}, but found ${shown(value)}`],
    max: [number <= limit, `expected at most ${limit}, but found ${shown(value)}`],
    minlength: [length >= limit, `expected at least ${limit} characters, but found ${length}`],
    maxlength: [length <= limit, `expected at most ${limit} characters, but found ${length}`],
  };
  const [isKept, message] = checks[name] ?? [true, ''];
  return isKept ? null : message;
}

const shown = (value: TypedValue | undefined): string => {
  const text = textOf(value?.value) ?? 'nothing';
  return `'${text.length > 60 ? `${text.slice(0, 60)}…` : text}'`;
};
