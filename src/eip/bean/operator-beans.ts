import { ExchangeFailure } from '../../expression/routes.js';
import type { BeanValues } from './java-classes.js';

/**
 * The beans of the operator's module: each of its exports by its name, and each property of an object that it exports as default. Its classes are classes of beans.
 * It runs in the thread of the routes, and may do what it likes there.
 */
export class OperatorBeans {
  readonly #exports: ReadonlyMap<string, unknown>;
  /** Why it could not be loaded. */
  readonly #failure: string | undefined;

  constructor(module: Readonly<Record<string, unknown>>, failure?: string) {
    const { default: more, ...named } = module;
    const others = typeof more === 'object' && more !== null ? Object.entries(more) : [];
    this.#exports = new Map([...others, ...Object.entries(named)]);
    this.#failure = failure;
  }

  /** @throws ExchangeFailure where the module could not be loaded */
  bean(name: string): unknown {
    if (this.#failure !== undefined)
      throw new ExchangeFailure(
        'org.apache.camel.NoSuchBeanException',
        `No bean could be found in the registry for: ${name}, as the operator's module (MILLRACE_BEANS) could not be loaded: ${this.#failure}`,
      );
    const found = this.#exports.get(name);
    return isClass(found) ? undefined : found;
  }

  /** An instance of a class of the module, or what its static method `factory` makes. `undefined`: there is no such class. */
  instance(className: string, { constructors, properties }: BeanValues, factory?: string): unknown {
    const found = this.#exports.get(className);
    if (!isClass(found)) return undefined;
    const make = factory === undefined ? undefined : (found as unknown as Record<string, unknown>)[factory];
    if (factory !== undefined && typeof make !== 'function')
      throw new ExchangeFailure(
        'java.lang.IllegalArgumentException',
        `the class ${className} has no method ${factory}`,
      );
    const bean = typeof make === 'function' ? make.apply(found, constructors) : new found(...constructors);
    for (const [name, value] of Object.entries(properties)) {
      const setter = bean[`set${name.charAt(0).toUpperCase()}${name.slice(1)}`];
      if (typeof setter === 'function') setter.call(bean, value);
      else bean[name] = value;
    }
    return bean;
  }
}

type Class = new (...given: unknown[]) => Record<string, unknown>;

const isClass = (value: unknown): value is Class =>
  typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value));
