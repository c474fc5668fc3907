import type { TypedValue, VariableType } from '../element/typed-value.js';

/** A variable, by name and value, that the receiver of a message has. */
export interface CorrelationKey {
  readonly name: string;
  /** `Number`: of whatever type a number has. */
  readonly type: Exclude<VariableType, 'Json'> | 'Number' | 'Short';
  readonly value: unknown;
}

const NUMBERS: ReadonlySet<string> = new Set(['Integer', 'Long', 'Double']);

/** Whether the variable has the key's type and value. A variable that is not there is not null. */
export function isKeyOf({ type, value }: CorrelationKey, variable: TypedValue | undefined): boolean {
  if (variable === undefined) return false;
  const { info } = variable;
  const found = info === undefined || variable.value === null ? variable.type : info.type;
  const isType = type === 'Number' ? NUMBERS.has(variable.type) : found === type;
  return isType && variable.value === value;
}
