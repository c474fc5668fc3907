import type { Bean } from '../../expression/index.js';
import type { TypedValue, VariableType } from './instance-state.js';
import { native, typed } from './native.js';

/** What `getVariableTyped` gives: Camunda's TypedValue. */
export class TypedValueBean implements Bean {
  readonly typed: TypedValue;

  constructor(typed: TypedValue) {
    this.typed = typed;
  }

  property(name: string): unknown {
    switch (name) {
      case 'value':
        return native(this.typed);
      case 'type':
        return new ValueTypeBean(this.typed.type);
      case 'transient':
        return false;
      default:
        return undefined;
    }
  }

  call(method: string, args: readonly unknown[]): unknown {
    return args.length === 0 ? this.property(PROPERTIES[method] ?? '') : undefined;
  }
}

const PROPERTIES: Readonly<Record<string, string>> = { getValue: 'value', getType: 'type', isTransient: 'transient' };

class ValueTypeBean implements Bean {
  readonly #type: VariableType;

  constructor(type: VariableType) {
    this.#type = type;
  }

  property(name: string): unknown {
    return name === 'name' ? this.#type.toLowerCase() : undefined;
  }

  call(method: string, args: readonly unknown[]): unknown {
    return (method === 'getName' || method === 'toString') && args.length === 0 ? this.property('name') : undefined;
  }
}

/** The typed value that a variable gets of an expression's value. */
export const typedOf = (value: unknown): TypedValue => (value instanceof TypedValueBean ? value.typed : typed(value));
