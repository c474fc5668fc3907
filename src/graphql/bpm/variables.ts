import type { TypedValue, Variables } from '../../engine/index.js';

/** A variable as the API shows it. */
export interface NamedVariable extends TypedValue {
  readonly name: string;
}

/** Variables as a list, by name. */
export const variableList = (variables: Variables): NamedVariable[] =>
  Object.entries(variables)
    .map(([name, { type, value }]) => ({ name, type, value }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
