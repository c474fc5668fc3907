import type { Transfer } from '../model/program.js';
import { evaluateTyped } from './evaluate.js';
import type { TypedValue, Variables } from './instance-state.js';
import type { At, Run } from './run.js';
import { lookUp, visible } from './variables.js';

/** What is given to the other instance, as it is seen from here. */
export function transferred(run: Run, where: At, transfers: readonly Transfer[]): Variables {
  const found: Variables = {};
  for (const each of transfers) {
    if (each.kind === 'all')
      Object.assign(found, each.local ? run.scope(where.scope).variables : visible(run, where.scope));
    else found[each.target] = given(run, where, each);
  }
  return found;
}

function given(run: Run, where: At, each: Exclude<Transfer, { kind: 'all' }>): TypedValue {
  if (each.kind === 'expression') return evaluateTyped(run, where, each.text);
  return lookUp(run, where.scope, each.source) ?? { type: 'Null', value: null };
}
