import type { Mapping, MappingValue } from '../model/program.js';
import { type At, at } from './evaluate.js';
import type { Token } from './instance-state.js';
import { typed } from './native.js';
import type { Place } from './prepared.js';
import type { Run } from './run.js';
import { evaluateSource } from './source.js';
import { assign, assignLocal } from './variables.js';

/** `camunda:inputParameter`: evaluated outside of the activity, set inside of it. So an input may have the name of what it reads. */
export function mapInputs(run: Run, token: Token, place: Place, inputs: readonly Mapping[]): void {
  const outside = { ...at(run, token, place), scope: token.scope };
  for (const { name, value } of inputs) assignLocal(run, token, name, typed(mapped(run, outside, value)));
}

/** `camunda:outputParameter`: evaluated inside of the activity, set outside of it. */
export function mapOutputs(run: Run, token: Token, place: Place, outputs: readonly Mapping[]): void {
  for (const { name, value } of outputs) {
    assign(run, token.scope, name, typed(mapped(run, at(run, token, place), value)));
  }
}

function mapped(run: Run, where: At, value: MappingValue): unknown {
  switch (value.kind) {
    case 'null':
      return null;
    case 'list':
      return value.items.map((item) => mapped(run, where, item));
    case 'map':
      return Object.fromEntries(value.entries.map((entry) => [entry.key, mapped(run, where, entry.value)]));
    default:
      return evaluateSource(run, where, value);
  }
}
