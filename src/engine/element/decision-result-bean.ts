import type { Bean } from '../../expression/index.js';
import { native } from './native.js';
import type { Variables } from './typed-value.js';

/** `decisionResult` in expressions of the task: Camunda's DmnDecisionResult. */
export class DecisionResultBean implements Bean {
  readonly #rows: readonly Variables[];

  constructor(rows: readonly Variables[]) {
    this.#rows = rows;
  }

  property(name: string): unknown {
    const [row] = this.#rows;
    switch (name) {
      case 'singleEntry':
        return this.#entryOf(this.#single());
      case 'singleResult':
        return this.#single() === undefined ? null : natives(this.#single());
      case 'firstResult':
        return row === undefined ? null : natives(row);
      case 'resultList':
        return this.#rows.map(natives);
      case 'empty':
        return this.#rows.length === 0;
      default:
        return /^\d{1,9}$/.test(name) ? this.call('get', [Number(name)]) : undefined;
    }
  }

  call(method: string, args: readonly unknown[]): unknown {
    const [given] = args;
    if (method === 'size' && args.length === 0) return this.#rows.length;
    if (method === 'isEmpty' && args.length === 0) return this.#rows.length === 0;
    if (method === 'get' && typeof given === 'number') {
      const row = this.#rows[given];
      return row === undefined ? null : natives(row);
    }
    if (method === 'collectEntries' && typeof given === 'string') {
      return this.#rows.flatMap((row) => (row[given] === undefined ? [] : [native(row[given])]));
    }
    if (args.length > 0 || !method.startsWith('get')) return undefined;
    return this.property(method.charAt(3).toLowerCase() + method.slice(4));
  }

  #single(): Variables | undefined {
    if (this.#rows.length <= 1) return this.#rows[0];
    throw new RangeError(`the decision has ${this.#rows.length} results, not one`);
  }

  #entryOf(row: Variables | undefined): unknown {
    const values = Object.values(row ?? {});
    if (values.length > 1) throw new RangeError(`the decision's result has ${values.length} values, not one`);
    const [value] = values;
    return value === undefined ? null : native(value);
  }
}

const natives = (row: Variables | undefined) =>
  Object.fromEntries(Object.entries(row ?? {}).map(([name, value]) => [name, native(value)]));
