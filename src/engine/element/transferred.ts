import type { Transfer } from '../model/program.js';
import { evaluateTyped } from './evaluate.js';
import type { TypedValue, Variables } from './instance-state.js';
import type { At, Run } from './run.js';
import { aside, lookUp, visible } from './variables.js';

/** Variables that are given to the other instance, as they are seen from here. */
export function transferred(run: Run, where: At, transfers: readonly Transfer[]): Variables {
  const own = ownVariables(run, where);
  const found: Variables = {};
  for (const each of transfers) {
    if (each.kind === 'all') Object.assign(found, each.local ? own : visible(run, where.scope));
    else if (!each.local || run.rules < 8) found[each.target] = given(run, where, each);
    else {
      found[each.target] = aside(run, { parent: null, variables: own }, (scope) =>
        given(run, { ...where, scope }, each),
      );
    }
  }
  return found;
}

/** What `local` means. As in Camunda a call activity is a scope, also without variables of its own. */
function ownVariables(run: Run, { token, place, scope }: At): Variables {
  const hasNone = place.element.call != null && scope === token.scope;
  return hasNone && run.rules >= 8 ? {} : run.scope(scope).variables;
}

function given(run: Run, where: At, each: Exclude<Transfer, { kind: 'all' }>): TypedValue {
  if (each.kind === 'expression') return evaluateTyped(run, where, each.text);
  return lookUp(run, where.scope, each.source) ?? { type: 'Null', value: null };
}
