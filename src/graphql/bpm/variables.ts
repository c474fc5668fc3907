import type { TypedValue, Variables } from '../../engine/index.js';

/** A variable as the API shows it. */
export interface NamedVariable extends TypedValue {
  readonly name: string;
}

/** Variables as a list, by name. A large one is read when its value is asked for, one after the other: so an answer that grows too large is noticed. */
export const variableList = (variables: Variables): NamedVariable[] =>
  Object.entries(variables)
    .map(([name, variable]) => new Named(name, variable))
    .sort((a, b) => (a.name < b.name ? -1 : 1));

class Named implements NamedVariable {
  readonly name: string;
  readonly #variable: TypedValue;

  constructor(name: string, variable: TypedValue) {
    this.name = name;
    this.#variable = variable;
  }

  get type(): TypedValue['type'] {
    return this.#variable.type;
  }

  get value(): unknown {
    return this.#variable.value;
  }
}
