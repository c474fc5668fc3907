import { type Bean, type FeelScope, fromFeel } from '../../expression/index.js';

/** `variableContext` in JUEL of decisions: Camunda's VariableContext. */
export class VariableContextBean implements Bean {
  readonly #scope: FeelScope;

  constructor(scope: FeelScope) {
    this.#scope = scope;
  }

  call(method: string, [name, ...others]: readonly unknown[]): unknown {
    if (typeof name !== 'string' || others.length > 0) return undefined;
    const value = this.#scope.variable(name);
    if (method === 'containsVariable') return value !== undefined;
    if (method === 'resolve') return value === undefined ? null : new ValueBean(fromFeel(value));
    return undefined;
  }
}

/** Camunda's TypedValue. */
class ValueBean implements Bean {
  readonly #value: unknown;

  constructor(value: unknown) {
    this.#value = value;
  }

  property(name: string): unknown {
    return name === 'value' ? this.#value : undefined;
  }

  call(method: string, args: readonly unknown[]): unknown {
    return method === 'getValue' && args.length === 0 ? this.#value : undefined;
  }
}
