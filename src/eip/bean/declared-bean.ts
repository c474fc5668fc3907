import { ExchangeFailure, type Language } from '../../expression/routes.js';
import type { ElementModel, OptionValue } from '../model/route-model.js';
import type { BeanValues } from './java-classes.js';
import { ScriptBean } from './script-bean.js';

/** Services with which declared beans are made. */
export interface BeanServices {
  language(name: string): Language;
  /** A text with its `{{…}}` resolved. */
  resolved(text: string): string;
  /** A bean by its name. @throws NoSuchBeanException */
  bean(name: string): unknown;
  /** An instance of a class. `factory`: what the class has that makes it. @throws ClassNotFoundException */
  instance(className: string, given: BeanValues, where: string, factory?: string): unknown;
}

/**
 * A bean of a file: an instance of a class with its properties, what another bean makes (`factoryBean`), or JavaScript (`scriptLanguage: js`).
 * @throws `ClassNotFoundException` where there is no such class, `NoSuchLanguageException`
 */
export function declaredBean(element: ElementModel, services: BeanServices): unknown {
  const { type = '', script, scriptLanguage, initMethod } = element.options;
  for (const name of REFUSED)
    if (element.options[name] !== undefined)
      throw wrong(element, `${name} is not supported: expected a class with properties`);
  if (typeof script === 'string') return scriptBean(element, script, String(scriptLanguage ?? 'js'), services);
  const bean = made(element, services.resolved(String(type)).trim(), services);
  if (initMethod !== undefined) called(element, bean, String(initMethod), []);
  return bean;
}

const REFUSED = ['builderClass', 'builderMethod'] as const;

function made(element: ElementModel, type: string, services: BeanServices): unknown {
  const { factoryBean, factoryMethod, properties, constructors } = element.options;
  const args = valuesOf(constructors, services);
  const given = { properties: objectOf(properties, services), constructors: args };
  if (factoryBean !== undefined)
    return called(element, services.bean(services.resolved(String(factoryBean))), String(factoryMethod ?? ''), args);
  if (type.startsWith('#') && !/^#(class|type):/.test(type)) return services.bean(type);
  if (type.startsWith('#type:')) return services.bean(type);
  const { className, written } = classOf(type);
  const all = written.length > 0 ? { ...given, constructors: written } : given;
  const where = `bean ${String(element.options.name)} in line ${element.at.line}: `;
  return services.instance(className, all, where, factoryMethod === undefined ? undefined : String(factoryMethod));
}

/** `#class:com.acme.Greeter('Hello', 5)`: a class, and what its constructor is given. */
export function classOf(type: string): { readonly className: string; readonly written: readonly unknown[] } {
  const [, className = '', inner] = /^(?:#class:)?([^(]*)(?:\(([\s\S]*)\))?$/.exec(type) ?? [];
  const parts = inner === undefined || inner.trim() === '' ? [] : (inner.match(/'[^']*'|"[^"]*"|[^,]+/g) ?? []);
  return { className: className.trim(), written: parts.map((part) => literal(part.trim())) };
}

function literal(text: string): unknown {
  const quoted = /^(['"])([\s\S]*)\1$/.exec(text);
  if (quoted !== null) return quoted[2];
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null') return null;
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}

function called(element: ElementModel, bean: unknown, name: string, args: readonly unknown[]): unknown {
  const method = (bean as Record<string, unknown> | null | undefined)?.[name];
  if (typeof method !== 'function') throw wrong(element, `there is no method ${name}`);
  return method.apply(bean, args);
}

const wrong = (element: ElementModel, why: string) =>
  new ExchangeFailure(
    'java.lang.IllegalArgumentException',
    `bean ${String(element.options.name)} in line ${element.at.line}: ${why}`,
    { at: element.at },
  );

/** Constructor arguments by their indices. */
function valuesOf(written: OptionValue | undefined, services: BeanServices): unknown[] {
  const values = objectOf(written, services);
  return Object.keys(values)
    .sort((a, b) => Number(a) - Number(b))
    .map((index) => values[index]);
}

/** Properties: placeholders resolved, other beans (`#bean:name`) looked up, names with dots put into each other. */
function objectOf(written: OptionValue | undefined, services: BeanServices): Record<string, unknown> {
  const values: Record<string, unknown> = Object.create(null);
  if (typeof written !== 'object' || written === null || Array.isArray(written)) return values;
  for (const [path, value] of Object.entries(written)) {
    const names = path.split('.');
    const last = names.pop() ?? path;
    let at = values;
    for (const name of names) {
      const inner = (at[name] ?? Object.create(null)) as Record<string, unknown>;
      at[name] = inner;
      at = inner;
    }
    at[last] = beanValue(value, services);
  }
  return { ...values };
}

function beanValue(value: OptionValue, services: BeanServices): unknown {
  if (Array.isArray(value)) return value.map((item) => beanValue(item, services));
  if (typeof value === 'object' && value !== null) return objectOf(value, services);
  if (typeof value !== 'string') return value;
  const text = services.resolved(value);
  return /^#(bean|class|type):/.test(text) ? services.bean(text) : text;
}

function scriptBean(element: ElementModel, script: string, language: string, services: BeanServices): unknown {
  if (language === 'js' || language === 'javascript')
    return new ScriptBean(element, services.resolved(script), services.language('js'));
  throw new ExchangeFailure(
    'org.apache.camel.NoSuchLanguageException',
    `bean ${String(element.options.name)} in line ${element.at.line}: expected scriptLanguage to be js, got ${language}`,
    { at: element.at },
  );
}
