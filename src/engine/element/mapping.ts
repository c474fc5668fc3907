import type { Mapping, MappingValue } from '../model/program.js';
import { type At, at, evaluate } from './evaluate.js';
import { executionFailed } from './failure.js';
import type { Token, TypedValue } from './instance-state.js';
import { textOf } from './native.js';
import type { Place } from './prepared.js';
import type { Run } from './run.js';
import { typedSource } from './source.js';
import { assign, assignLocal } from './variables.js';

/** `camunda:inputParameter`: evaluated outside of the activity, set inside of it. So an input may have the name of what it reads. */
export function mapInputs(run: Run, token: Token, place: Place, inputs: readonly Mapping[]): void {
  const outside = { ...at(run, token, place), scope: token.scope };
  for (const { name, value } of inputs) assignLocal(run, token, name, mapped(run, outside, value));
}

/** `camunda:outputParameter`: evaluated inside of the activity, set outside of it. */
export function mapOutputs(run: Run, token: Token, place: Place, outputs: readonly Mapping[]): void {
  for (const { name, value } of outputs) {
    assign(run, token.scope, name, mapped(run, at(run, token, place), value));
  }
}

function mapped(run: Run, where: At, value: MappingValue): TypedValue {
  switch (value.kind) {
    case 'null':
      return { type: 'Null', value: null };
    case 'list':
      return { type: 'Json', value: value.items.map((item) => mapped(run, where, item).value) };
    case 'map': {
      const entries = value.entries.map((entry) => [
        keyOf(run, where, entry.key),
        mapped(run, where, entry.value).value,
      ]);
      return { type: 'Json', value: Object.fromEntries(entries) };
    }
    default:
      return typedSource(run, where, value);
  }
}

/** The key of a `camunda:entry`, which may be an expression. @throws EXECUTION_FAILED where it gives nothing */
function keyOf(run: Run, where: At, text: string): string {
  if (run.isFormer) return text;
  const key = textOf(evaluate(run, where, text));
  if (key !== null) return key;
  throw executionFailed(where.place, { expected: `a key from '${text}'`, expression: text, cause: 'it gives nothing' });
}
