import { parseInstant } from '../../expression/index.js';
import type { DataDeclaration, DataType } from '../model/program.js';
import { executionFailed } from './failure.js';
import type { Scope, TypedValue } from './instance-state.js';
import type { Run } from './run.js';

// What a model declares: variables with types (data objects, stores, properties, inputs and outputs).

/** The value as the scope's element declares the variable. @throws EXECUTION_FAILED where it does not fit */
export function fitting(run: Run, scope: Scope, name: string, value: TypedValue): TypedValue {
  const place = run.place(scope.element);
  // A loop's own variables are none of its activity's.
  const own = scope.repeats === undefined ? place.element.data?.find((each) => each.name === name) : undefined;
  if (own === undefined || value.type === 'Null') return value;
  const fitted = own.isCollection ? listed(value) : typedAs(own.type, value);
  if (fitted !== undefined) return fitted;
  throw executionFailed(place, {
    expected: `${described(own)} for data '${name}'`,
    cause: `it gets ${Array.isArray(value.value) ? 'a list' : `a value of type ${value.type}`}`,
  });
}

const described = ({ type, isCollection }: DataDeclaration) => (isCollection ? 'a list' : `a value of type ${type}`);

const listed = (value: TypedValue): TypedValue | undefined => (Array.isArray(value.value) ? value : undefined);

function typedAs(type: DataType | undefined, value: TypedValue): TypedValue | undefined {
  if (type === undefined || value.type === type) return value;
  return CONVERSIONS[type]?.(value);
}

const INTEGER_LIMIT = 2 ** 31;

/** From other types, where nothing is lost. */
const CONVERSIONS: Partial<Readonly<Record<DataType, (value: TypedValue) => TypedValue | undefined>>> = {
  Integer: (value) => whole(value, 'Integer', INTEGER_LIMIT),
  Long: (value) => whole(value, 'Long', Number.MAX_SAFE_INTEGER),
  Double: ({ type, value }) =>
    (type === 'Integer' || type === 'Long') && typeof value === 'number' ? { type: 'Double', value } : undefined,
  Date: ({ type, value }) => (type === 'String' ? dated(value) : undefined),
};

const whole = ({ type, value }: TypedValue, wanted: 'Integer' | 'Long', limit: number): TypedValue | undefined => {
  const isNumber = type === 'Integer' || type === 'Long' || type === 'Double';
  return isNumber && Number.isInteger(value) && Math.abs(value as number) < limit ? { type: wanted, value } : undefined;
};

function dated(text: unknown): TypedValue | undefined {
  if (typeof text !== 'string' || !/^\d{4}-/.test(text)) return undefined;
  try {
    return { type: 'Date', value: new Date(parseInstant(text, 0)).toISOString() };
  } catch {
    return undefined;
  }
}
