import { interrupt } from './activity.js';
import { beginInside, insideOf } from './event-sub-process.js';
import type { Scope, Token, Variables } from './instance-state.js';
import { goOnFrom } from './leave.js';
import type { Catcher, Catchers } from './prepared.js';
import type { Run } from './run.js';
import { assignAll } from './variables.js';

/** A catcher that was found: a boundary event of the token's activity, or an event sub-process of the scope. */
export interface Found<C extends Catcher = Catcher> {
  readonly holder: Token;
  readonly scope: Scope | null;
  readonly catcher: C;
}

/**
 * BPMN 2.0 §10.5.1: looks for what catches a code, from the token's activity outwards: its boundary events, then the event sub-processes around it, but
 * the one that it comes from. One for the code comes before one for all codes.
 */
export function seek<C extends Catcher>(
  run: Run,
  token: Token,
  code: string,
  catchers: (catchers: Catchers) => readonly C[],
): Found<C> | undefined {
  const catches = ({ event }: Catcher) => event.code === null || event.code === code;
  for (let holder: Token | undefined = token; holder !== undefined; holder = run.owner(holder.scope)) {
    const own = holder.activity === null ? undefined : catchers(run.placeOf(holder).boundary).find(catches);
    if (own !== undefined) return { holder, scope: null, catcher: own };
    const { element } = holder;
    const scope = run.scope(holder.scope);
    const around = catchers(insideOf(run, scope)).find(
      (each) => catches(each) && !scope.interrupted && run.place(each.at).element.parent !== element,
    );
    if (around !== undefined) return { holder, scope, catcher: around };
  }
  return undefined;
}

/** The event that was found happens: an interrupting one takes the activity's token, another one makes a token of its own. */
export function caught(run: Run, found: Found, variables: Variables): void {
  const { holder, scope, catcher } = found;
  if (scope !== null) {
    beginInside(run, scope, catcher.at, variables);
    return;
  }
  const place = run.place(catcher.at);
  const { interrupting } = place.element;
  if (interrupting) interrupt(run, holder);
  const going = interrupting ? holder : run.spawn(place.index, holder.scope, null);
  going.element = place.index;
  going.via = null;
  if (place.element.io?.keeps === true) going.given = variables;
  else assignAll(run, going.scope, variables);
  goOnFrom(run, going, place);
}
