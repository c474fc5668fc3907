import { ExchangeFailure, type Language } from '../../expression/routes.js';
import type { ElementModel } from '../model/route-model.js';
import { classOf, declaredBean } from './declared-bean.js';
import { type BeanValues, javaInstance } from './java-classes.js';
import type { OperatorBeans } from './operator-beans.js';

interface BeansOptions {
  language(name: string): Language;
  resolved(text: string): string;
  /** Those of the operator's module. */
  readonly operator?: OperatorBeans | undefined;
}

/** The beans of a context by their names (Camel's registry): those that were bound, those of files, and those of the operator's module. */
export class Beans {
  readonly #options: BeansOptions;
  readonly #bound = new Map<string, unknown>();
  readonly #files = new Map<string, readonly ElementModel[]>();
  /** Those of files that somebody has asked for. */
  readonly #made = new Map<string, Map<string, unknown>>();
  /** Names of those that are being made. */
  readonly #making = new Set<string>();

  constructor(options: BeansOptions) {
    this.#options = options;
  }

  /**
   * By its name, also as `#name` and `#bean:name`; `#type:Class`: the only one of that class; `#class:Class(…)`: a new one. `undefined`: there is none of that name.
   * @throws ExchangeFailure where it cannot be made
   */
  find(name: string): unknown {
    const [, kind, rest = ''] = /^#(?:(bean|class|type):)?([\s\S]*)$/.exec(name) ?? [undefined, undefined, name];
    if (kind === 'class') return this.#newOf(rest);
    if (kind === 'type') return this.#onlyOf(rest.trim());
    return this.#named(rest);
  }

  bind(name: string, bean: unknown): void {
    this.#bound.set(name, bean);
  }

  /** The beans of a file, or of a template as it is used, in place of those that it had. */
  share(file: string, beans: readonly ElementModel[]): void {
    for (const [name, bean] of this.#made.get(file) ?? []) this.#destroyed(file, name, bean);
    this.#made.delete(file);
    if (beans.length === 0) this.#files.delete(file);
    else this.#files.set(file, beans);
  }

  /** Those that were bound, in another registry. */
  bindTo(other: Beans): void {
    for (const [name, bean] of this.#bound) other.bind(name, bean);
  }

  #named(name: string): unknown {
    if (this.#bound.has(name)) return this.#bound.get(name);
    for (const [file, beans] of this.#files) {
      const element = beans.find(({ options }) => options.name === name);
      if (element !== undefined) return this.#declared(file, name, element);
    }
    return this.#options.operator?.bean(name);
  }

  /** A bean of a file: made when first asked for, and kept until the file is another one. */
  #declared(file: string, name: string, element: ElementModel): unknown {
    const made = this.#made.get(file) ?? new Map<string, unknown>();
    this.#made.set(file, made);
    if (made.has(name)) return made.get(name);
    if (this.#making.has(name))
      throw new ExchangeFailure('java.lang.IllegalStateException', `bean ${name} is made of itself`, {
        at: element.at,
      });
    this.#making.add(name);
    try {
      const bean = declaredBean(element, {
        language: (it) => this.#options.language(it),
        resolved: (text) => this.#options.resolved(text),
        bean: (it) => this.#required(it),
        instance: (...asked) => this.#instance(...asked),
      });
      made.set(name, bean);
      return bean;
    } finally {
      this.#making.delete(name);
    }
  }

  #required(name: string): unknown {
    const bean = this.find(name);
    if (bean !== undefined) return bean;
    throw new ExchangeFailure(
      'org.apache.camel.NoSuchBeanException',
      `No bean could be found in the registry for: ${name}`,
    );
  }

  #newOf(type: string): unknown {
    const { className, written } = classOf(this.#options.resolved(type));
    return this.#instance(className, { constructors: written, properties: {} }, '');
  }

  #instance(className: string, given: BeanValues, where: string, factory?: string): unknown {
    const ofOperator = this.#options.operator?.instance(className, given, factory);
    if (ofOperator !== undefined) return ofOperator;
    if (factory === undefined) return javaInstance(className, given, where);
    throw new ExchangeFailure(
      'java.lang.ClassNotFoundException',
      `${where}the class ${className} with a method ${factory} is not in the operator's module (MILLRACE_BEANS)`,
    );
  }

  /** @throws where there are several */
  #onlyOf(className: string): unknown {
    const names = [...this.#files.values()].flat().flatMap(({ options: { name, type, script } }) => {
      const isOf = script === undefined && classOf(this.#options.resolved(String(type))).className === className;
      return isOf ? [String(name)] : [];
    });
    const [name] = names;
    if (names.length <= 1) return name === undefined ? undefined : this.#named(name);
    throw new ExchangeFailure(
      'org.apache.camel.NoSuchBeanException',
      `Found ${names.length} beans of type: ${className}. Only one bean expected.`,
    );
  }

  /** What fails at the end of a bean keeps nothing else from being done. */
  #destroyed(file: string, name: string, bean: unknown): void {
    const method = this.#files.get(file)?.find(({ options }) => options.name === name)?.options.destroyMethod;
    if (typeof method !== 'string') return;
    try {
      (bean as Record<string, () => unknown>)[method]?.();
    } catch {
      // It is gone all the same.
    }
  }
}
