import type { TypedValue, Variables } from '../element/instance-state.js';

/** The variables of a call, as its handler sees them, and those that it sets. */
export interface CallVariables {
  readonly values: Readonly<Record<string, unknown>>;
  readonly set: Map<string, unknown>;
}

/** Typed variables as plain JSON; what is plain already stays so. */
export const callVariables = (variables: Variables | Readonly<Record<string, unknown>>): CallVariables => ({
  values: Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, plain(value)])),
  set: new Map(),
});

const plain = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'type' in value && 'value' in value
    ? (value as TypedValue).value
    : value;
