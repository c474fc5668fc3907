import type { SoughtVariable, VariableOperator } from '../../engine/index.js';
import { flagIn, type Json, objectsIn, type RestCall, textIn, unfit } from './rest-call.js';

/** Names of a list's parameters for the variables that it looks for, with whose variables they are. */
export type VariableParameters = Readonly<Record<string, SoughtVariable['of']>>;

const OPERATORS: ReadonlySet<string> = new Set(['eq', 'neq', 'gt', 'gteq', 'lt', 'lteq', 'like', 'notLike']);
const CASES = { name: 'variableNamesIgnoreCase', value: 'variableValuesIgnoreCase' } as const;

/** Whether the parameter says which variables are sought, or how. */
export const isOfVariables = (name: string, parameters: VariableParameters): boolean =>
  Object.hasOwn(parameters, name) || name === CASES.name || name === CASES.value;

/** The variables that a list is asked for: `name_eq_value` between commas, or in a body Camunda's VariableQueryParameterDtos. @throws BAD_REQUEST */
export function soughtVariables(call: RestCall, parameters: VariableParameters): SoughtVariable[] {
  const body = call.json();
  const given: Json = { ...Object.fromEntries(call.query), ...body };
  const anyCase = { name: flagIn(given, CASES.name) ?? false, value: flagIn(given, CASES.value) ?? false };
  return Object.entries(parameters).flatMap(([name, of]) => [
    ...(call.query.get(name)?.split(',') ?? []).map((text) => ({ of, anyCase, ...written(name, text) })),
    ...(objectsIn(body, name) ?? []).map((each) => ({ of, anyCase, ...told(name, each) })),
  ]);
}

type Asked = Pick<SoughtVariable, 'name' | 'operator' | 'value'>;

/** In an address every value is a text, as in Camunda. */
function written(parameter: string, text: string): Asked {
  const [, name = '', operator = '', value = ''] = /^(.+?)_(n?eq|[gl]t(?:eq)?|like|notLike)_(.*)$/s.exec(text) ?? [];
  if (name === '') throw unfit(parameter, "'name_operator_value'", text);
  return { name, operator: operator as VariableOperator, value };
}

function told(parameter: string, json: Json): Asked {
  const [name, operator, { value = null }] = [textIn(json, 'name'), textIn(json, 'operator') ?? '', json];
  if (name === undefined) throw unfit(`${parameter}.name`, 'a text', name);
  if (!OPERATORS.has(operator)) throw unfit(`${parameter}.operator`, `one of ${[...OPERATORS].join(', ')}`, operator);
  if (typeof value === 'object' && value !== null) throw unfit(`${parameter}.value`, 'no structure', value);
  return { name, operator: operator as VariableOperator, value: value as Asked['value'] };
}
