import type { ElementModel, RouteModel, StepModel, TemplateModel } from './route-model.js';

/** A use of a route template: its parameters and names. */
export interface TemplateUse {
  readonly parameters: Readonly<Record<string, string>>;
  /** What its beans are called by, with their own name behind a dot: another one for each use. */
  readonly name: string;
  /** Begins the ids of its steps. Default: nothing. */
  readonly idPrefix?: string;
  /** What a parameter is that is not given. Default: its default value. */
  readonly otherwise?: (name: string) => string | undefined;
}

/** A template with the values of its parameters. */
export interface FilledTemplate {
  readonly route: RouteModel;
  readonly beans: readonly ElementModel[];
  /** By parameter. */
  readonly values: Readonly<Record<string, string>>;
}

/** A route of a template; or what is wrong with its parameters. Placeholders of the workspace stay. */
export function filledTemplate(
  template: TemplateModel,
  { parameters, name, idPrefix = '', otherwise = () => undefined }: TemplateUse,
): FilledTemplate | string {
  const known = new Set([...template.parameters.map((one) => one.name), ...placeholdersIn(template.route)]);
  const unknown = Object.keys(parameters).find((one) => !known.has(one));
  if (unknown !== undefined) return `template '${template.id}' has no parameter '${unknown}'`;
  const values: Record<string, string> = { ...parameters };
  for (const { name: parameter, required, defaultValue } of template.parameters) {
    const value = parameters[parameter] ?? otherwise(parameter) ?? defaultValue;
    if (value !== undefined) values[parameter] = String(value);
    else if (required) return `template '${template.id}' needs a value of its parameter '${parameter}'`;
  }
  const beanName = (bean: ElementModel) => `${name}.${String(bean.options.name)}`;
  const named = Object.fromEntries(template.beans.map((bean) => [String(bean.options.name), beanName(bean)]));
  const all = { ...named, ...values };
  const beans = template.beans.map((bean): ElementModel => {
    const { options } = filled(bean, all);
    return { ...bean, options: { ...options, name: beanName(bean) } };
  });
  const route = filled(template.route, all);
  return { route: idPrefix === '' ? route : { ...route, steps: prefixed(route.steps, idPrefix) }, beans, values };
}

/** A placeholder of a template: `{{name}}`, `{{?name}}`, `{{!name}}`, `{{name:otherwise}}`. */
const PLACEHOLDER = /(?<!\\)\{\{([?!]?)([\w.-]+)(?::[^{}]*)?\}\}/g;

/** With the values of the placeholders that have one. */
function filled<T>(part: T, values: Readonly<Record<string, string>>): T {
  if (typeof part === 'string')
    return part.replace(PLACEHOLDER, (whole, sign: string, name: string) => {
      if (!Object.hasOwn(values, name)) return whole;
      const value = values[name] ?? '';
      return sign === '!' ? String(value !== 'true') : value;
    }) as T;
  if (Array.isArray(part)) return part.map((one) => filled(one, values)) as T;
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, filled(value, values)])) as T;
}

const placeholdersIn = (route: RouteModel): string[] =>
  [...JSON.stringify(route).matchAll(PLACEHOLDER)].map(([, , name = '']) => name);

const prefixed = (steps: readonly StepModel[], prefix: string): StepModel[] =>
  steps.map((step) => ({
    ...step,
    id: prefix + step.id,
    steps: prefixed(step.steps, prefix),
    parts: Object.fromEntries(Object.entries(step.parts).map(([name, parts]) => [name, prefixed(parts, prefix)])),
  }));
