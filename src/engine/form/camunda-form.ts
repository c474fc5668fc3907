import { compileExpression, compileFeel, type FeelScope, mayRunLong, toFeel } from '../../expression/index.js';
import { messageOf } from '../../shared/errors.js';
import { native, textOf } from '../element/native.js';
import type { TypedValue } from '../element/typed-value.js';
import type { Problem } from '../model/report.js';
import type { FieldProblem, Submission } from './submission.js';

/** A form of Camunda's, made by form-js. */
export interface CamundaForm {
  readonly id: string;
  readonly components: readonly Component[];
}

interface Component {
  readonly type?: unknown;
  readonly key?: unknown;
  readonly path?: unknown;
  readonly components?: unknown;
  readonly validate?: unknown;
  readonly conditional?: unknown;
  readonly values?: unknown;
  readonly disabled?: unknown;
  readonly readonly?: unknown;
}

/** What form-js checks of a field. */
interface Rules {
  readonly required?: unknown;
  readonly min?: unknown;
  readonly max?: unknown;
  readonly minLength?: unknown;
  readonly maxLength?: unknown;
  readonly validationType?: unknown;
  readonly pattern?: unknown;
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

/** What is wrong with what was submitted to the form. Fields that its conditions hide, or that nobody may change, are not looked at. */
export function formProblems(form: CamundaForm, { given, present }: Submission, now: number): FieldProblem[] {
  const values: Record<string, unknown> = {};
  for (const [name, value] of [...Object.entries(present), ...Object.entries(given)])
    values[name] = native(value as TypedValue);
  const scope: FeelScope = {
    now,
    variable: (name) => (Object.hasOwn(values, name) ? toFeel(values[name]) : undefined),
  };
  const check = new FormCheck(scope);
  check.all(form.components, values, '', 0);
  return check.problems;
}

/** Levels of groups and lists. */
const DEPTH_MAX = 20;

type Values = Readonly<Record<string, unknown>>;

const valuesIn = (value: unknown): Values => (isObject(value) ? (value as Values) : {});

/** Goes through the components of a form. */
class FormCheck {
  readonly problems: FieldProblem[] = [];
  readonly #scope: FeelScope;

  constructor(scope: FeelScope) {
    this.#scope = scope;
  }

  all(components: readonly Component[], values: Values, prefix: string, depth: number): void {
    if (depth > DEPTH_MAX) return;
    for (const component of components) {
      if (!isHidden(component, this.#scope)) this.#one(component, values, prefix, depth);
    }
  }

  #one(component: Component, values: Values, prefix: string, depth: number): void {
    if (Array.isArray(component.components)) this.#group(component, values, prefix, depth);
    else this.#field(component, values, prefix);
  }

  #group({ type, path, components }: Component, values: Values, prefix: string, depth: number): void {
    const inner = (components as unknown[]).filter(isObject) as Component[];
    if (typeof path !== 'string' || path === '') this.all(inner, values, prefix, depth + 1);
    else if (type === 'dynamiclist') this.#rows(inner, at(values, path), `${prefix}${path}`, depth);
    else this.all(inner, valuesIn(at(values, path)), `${prefix}${path}.`, depth + 1);
  }

  #field(component: Component, values: Values, prefix: string): void {
    const { key, disabled, readonly } = component;
    if (typeof key !== 'string' || key === '' || disabled === true || readonly === true) return;
    const message = problemOf(component, at(values, key));
    if (message !== null) this.problems.push({ field: `${prefix}${key}`, message });
  }

  #rows(components: readonly Component[], rows: unknown, name: string, depth: number): void {
    if (!Array.isArray(rows)) return;
    for (const [n, row] of rows.entries()) this.all(components, valuesIn(row), `${name}[${n}].`, depth + 1);
  }
}

/** The value at a path: `customer.name`. */
function at(values: Readonly<Record<string, unknown>>, path: string): unknown {
  let value: unknown = values;
  for (const name of path.split('.')) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

/** A condition that cannot be evaluated, or that might take long, hides nothing. */
function isHidden({ conditional }: Component, scope: FeelScope): boolean {
  const { hide } = (isObject(conditional) ? conditional : {}) as { readonly hide?: unknown };
  if (typeof hide !== 'string' || !hide.startsWith('=')) return hide === true;
  try {
    const expression = compileFeel(hide.slice(1));
    return !mayRunLong(expression, scope) && expression.evaluate(scope).value === true;
  } catch {
    return false;
  }
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** What is wrong with a value; null: nothing. */
function problemOf({ type, validate, values }: Component, value: unknown): string | null {
  const rules: Rules = isObject(validate) ? validate : {};
  const isUnchecked = type === 'checkbox' && value === false;
  if (isEmpty(value) || isUnchecked) return rules.required === true ? 'expected a value, but found none' : null;
  return ofType(type, value) ?? amongValues(type, values, value) ?? ofRules(rules, type, value);
}

function ofType(type: unknown, value: unknown): string | null {
  if (type === 'number' && !Number.isFinite(typeof value === 'string' ? Number(value) : value)) {
    return `expected a number, but found ${shown(value)}`;
  }
  if (type === 'checkbox' && typeof value !== 'boolean') return `expected true or false, but found ${shown(value)}`;
  if ((type === 'checklist' || type === 'taglist') && !Array.isArray(value))
    return `expected a list, but found ${shown(value)}`;
  return null;
}

/** Of what one chooses from a list. Lists that come from variables are not known here. */
function amongValues(type: unknown, values: unknown, value: unknown): string | null {
  if (!Array.isArray(values) || !['radio', 'select', 'checklist', 'taglist'].includes(String(type))) return null;
  const known = values.flatMap((each) => (isObject(each) && 'value' in each ? [each.value] : []));
  const wrong = (Array.isArray(value) ? value : [value]).find((each) => !known.includes(each));
  return wrong === undefined
    ? null
    : `expected one of ${known.map((each) => `'${String(each)}'`).join(', ')}, but found ${shown(wrong)}`;
}

const KINDS: Readonly<Record<string, RegExp>> = {
  email: /^[^\s@]{1,200}@[^\s@]{1,200}$/,
  phone: /^\+?[\d ()/.-]{3,40}$/,
};

function ofRules(rules: Rules, type: unknown, value: unknown): string | null {
  const text = textOf(value) ?? '';
  const limit = (name: 'min' | 'max' | 'minLength' | 'maxLength') => Number(rules[name] ?? Number.NaN);
  if (Number(value) < limit('min')) return `expected at least ${rules.min}, but found ${shown(value)}`;
  if (Number(value) > limit('max')) return `expected at most ${rules.max}, but found ${shown(value)}`;
  if (text.length < limit('minLength'))
    return `expected at least ${rules.minLength} characters, but found ${text.length}`;
  if (text.length > limit('maxLength'))
    return `expected at most ${rules.maxLength} characters, but found ${text.length}`;
  const kind = KINDS[String(rules.validationType)];
  if (kind !== undefined && !kind.test(text)) return `expected an ${rules.validationType}, but found ${shown(value)}`;
  const { pattern } = rules;
  if (typeof pattern !== 'string' || type === 'number' || matches(text, pattern)) return null;
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
