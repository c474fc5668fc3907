import { compileFeel, type FeelScope, mayRunLong, toFeel } from '../../expression/index.js';
import { messageOf } from '../../shared/errors.js';
import { native } from '../element/native.js';
import type { TypedValue } from '../element/typed-value.js';
import type { Problem } from '../model/report.js';
import { type CheckedField, problemOf, type Rules } from './field-rules.js';
import type { FieldProblem, Submission } from './submission.js';

/** A form of Camunda's, made by form-js. */
export interface CamundaForm {
  readonly id: string;
  readonly components: readonly Component[];
}

interface Component extends CheckedField {
  readonly key?: unknown;
  readonly path?: unknown;
  readonly components?: unknown;
  readonly validate?: unknown;
  readonly conditional?: unknown;
  readonly disabled?: unknown;
}

/** Characters of a form. */
const FORM_LENGTH_MAX = 400_000;

/** Reads a form as it is deployed: its problems, with line and column where they are known. */
export function readForm(text: string): { readonly form: CamundaForm | null; readonly problems: readonly Problem[] } {
  if (text.length > FORM_LENGTH_MAX)
    return refused(`expected a form of at most ${FORM_LENGTH_MAX} characters, but found more`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (thrown) {
    const at = Number(/at position (\d+)/.exec(messageOf(thrown))?.[1] ?? Number.NaN);
    const before = Number.isNaN(at) ? [] : text.slice(0, at).split('\n');
    const place = before.length === 0 ? null : { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
    return refused(`expected a form in JSON, but ${messageOf(thrown)}`, place);
  }
  const { id, components } = (isObject(parsed) ? parsed : {}) as {
    readonly id?: unknown;
    readonly components?: unknown;
  };
  if (typeof id !== 'string' || id === '' || id.includes(':'))
    return refused("expected a form with an 'id', a text without a colon");
  if (!Array.isArray(components)) return refused(`expected a form with a list of 'components' in form '${id}'`);
  return { form: { id, components: components.filter(isObject) as Component[] }, problems: [] };
}

function refused(message: string, place: { readonly line: number; readonly column: number } | null = null) {
  return {
    form: null,
    problems: [{ line: place?.line ?? null, column: place?.column ?? null, elementId: null, message }],
  };
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Problems of a form's submission. Fields that its conditions hide, or that are disabled, are not looked at. */
export function formProblems(form: CamundaForm, { given, present }: Submission, now: number): FieldProblem[] {
  const values: Record<string, unknown> = emptyOnes(form.components, 0);
  for (const [name, value] of [...Object.entries(present), ...Object.entries(given)])
    values[name] = native(value as TypedValue);
  const check = new FormCheck(values, now);
  check.all(form.components, { values, prefix: '', depth: 0, rows: [], parent: null, row: values, isSure: true });
  return check.problems;
}

/** Levels of groups and lists. */
const DEPTH_MAX = 20;

/** What a field without a value is to conditions. */
const EMPTY: Readonly<Record<string, unknown>> = {
  ...{ textfield: '', textarea: '', checkbox: false, checklist: [], taglist: [] },
  ...{ number: null, select: null, radio: null, datetime: null },
};

function emptyOnes(components: readonly Component[], depth: number): Record<string, unknown> {
  const empty: Record<string, unknown> = {};
  for (const { type, key, path, components: inner } of components) {
    if (Array.isArray(inner) && !path && depth < DEPTH_MAX)
      Object.assign(empty, emptyOnes(inner.filter(isObject) as Component[], depth + 1));
    else if (typeof key === 'string' && Object.hasOwn(EMPTY, String(type))) empty[key] = EMPTY[String(type)];
  }
  return empty;
}

type Values = Readonly<Record<string, unknown>>;

const valuesIn = (value: unknown): Values => (isObject(value) ? (value as Values) : {});

/** Where components are in a form. */
interface Place {
  /** Those that keys and paths lead into. */
  readonly values: Values;
  readonly prefix: string;
  readonly depth: number;
  /** Of the lists around it the numbers of the rows, from 1. */
  readonly rows: readonly number[];
  /** The row that it is in, or all values; and the one around that. */
  readonly row: unknown;
  readonly parent: unknown;
  /** Whether it is known to be shown. What is perhaps hidden may be empty. */
  readonly isSure: boolean;
}

/** Goes through the components of a form. */
class FormCheck {
  readonly problems: FieldProblem[] = [];
  readonly #values: Values;
  readonly #now: number;

  constructor(values: Values, now: number) {
    this.#values = values;
    this.#now = now;
  }

  all(components: readonly Component[], place: Place): void {
    if (place.depth > DEPTH_MAX) return;
    for (const component of components) {
      const hidden = hides(component, this.#scopeOf(place));
      if (hidden !== true) this.#one(component, { ...place, isSure: place.isSure && hidden === false });
    }
  }

  #one(component: Component, place: Place): void {
    if (Array.isArray(component.components)) this.#group(component, place);
    else this.#field(component, place);
  }

  #group({ type, path, components }: Component, place: Place): void {
    const inner = (components as unknown[]).filter(isObject) as Component[];
    const { values, prefix } = place;
    const within = { ...place, depth: place.depth + 1 };
    if (typeof path !== 'string' || path === '') this.all(inner, within);
    else if (type === 'dynamiclist') this.#rows(inner, at(values, path), { ...within, prefix: `${prefix}${path}` });
    else this.all(inner, { ...within, values: valuesIn(at(values, path)), prefix: `${prefix}${path}.` });
  }

  #field(component: Component, place: Place): void {
    const { key, disabled, validate } = component;
    if (typeof key !== 'string' || key === '' || disabled === true) return;
    const rules = rulesOf(validate, this.#scopeOf(place));
    const message = problemOf(component, place.isSure ? rules : { ...rules, required: false }, at(place.values, key));
    if (message !== null) this.problems.push({ field: `${place.prefix}${key}`, message });
  }

  #rows(components: readonly Component[], rows: unknown, place: Place): void {
    if (!Array.isArray(rows)) return;
    for (const [n, row] of rows.entries()) {
      const own = { values: valuesIn(row), prefix: `${place.prefix}[${n}].`, row, parent: place.row };
      this.all(components, { ...place, ...own, rows: [...place.rows, n + 1] });
    }
  }

  /** What expressions see: all values by their names, and what form-js tells of the row. */
  #scopeOf({ row, parent, rows }: Place): FeelScope {
    const told: Values = { this: row, parent, i: rows, data: this.#values };
    const variable = (name: string) => {
      if (Object.hasOwn(this.#values, name)) return toFeel(this.#values[name]);
      const special = /^_(\w+)_$/.exec(name)?.[1] ?? name;
      return Object.hasOwn(told, special) ? toFeel(told[special]) : undefined;
    };
    return { now: this.#now, variable };
  }
}

/** The value at a path: `customer.name`. */
function at(values: Values, path: string): unknown {
  let value: unknown = values;
  for (const name of path.split('.')) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = (value as Values)[name];
  }
  return value;
}

/** Whether a condition hides it: as to form-js also where the condition is null, but not where it cannot be read. Undefined: it might take long to find out. */
function hides({ conditional }: Component, scope: FeelScope): boolean | undefined {
  const { hide } = (isObject(conditional) ? conditional : {}) as { readonly hide?: unknown };
  if (typeof hide !== 'string' || !hide.startsWith('=')) return false;
  try {
    const expression = compileFeel(hide.slice(1));
    if (mayRunLong(expression, scope)) return undefined;
    const { value } = expression.evaluate(scope);
    return value === true || value === null;
  } catch {
    return false;
  }
}

/** Limits may be expressions; one that cannot be evaluated is none. */
const OF_FEEL = ['min', 'max', 'minLength', 'maxLength'] as const;

function rulesOf(validate: unknown, scope: FeelScope): Rules {
  const rules: Rules = isObject(validate) ? validate : {};
  const limits = OF_FEEL.flatMap((name) => {
    const limit = rules[name];
    return typeof limit === 'string' && limit.startsWith('=') ? [[name, limitOf(limit, scope)]] : [];
  });
  return { ...rules, ...Object.fromEntries(limits) };
}

/** Undefined: it cannot be read, or might take long. */
function limitOf(text: string, scope: FeelScope): unknown {
  try {
    const expression = compileFeel(text.slice(1));
    return mayRunLong(expression, scope) ? undefined : expression.evaluate(scope).value;
  } catch {
    return undefined;
  }
}
