import { interrupt } from './activity.js';
import type { Token } from './instance-state.js';
import { passEvent } from './leave.js';
import { typed } from './native.js';
import type { Catcher, Place } from './prepared.js';
import type { Run } from './run.js';
import { assign } from './variables.js';

/** What catches something that is thrown: a boundary event of the holder's activity. */
export interface Found<C extends Catcher = Catcher> {
  readonly holder: Token;
  readonly catcher: C;
}

/** BPMN 2.0 §10.5.1: looks for what catches a code, from the token's activity outwards. One for the code comes before one for all codes. */
export function seek<C extends Catcher>(
  run: Run,
  token: Token,
  code: string,
  catchers: (place: Place) => readonly C[],
): Found<C> | undefined {
  const catches = ({ event }: Catcher) => event.code === null || event.code === code;
  for (let holder: Token | undefined = token; holder !== undefined; holder = run.owner(holder.scope)) {
    if (holder.activity === null) continue;
    const catcher = catchers(run.placeOf(holder)).find(catches);
    if (catcher !== undefined) return { holder, catcher };
  }
  return undefined;
}

/** The event that was found happens: an interrupting one takes the activity's token, another one makes a token of its own. */
export function caught(run: Run, { holder, catcher }: Found, values: Readonly<Record<string, unknown>>): void {
  const place = run.place(catcher.at);
  const { interrupting } = place.element;
  if (interrupting) interrupt(run, holder);
  const going = interrupting ? holder : run.spawn(place.index, holder.scope, null);
  going.element = place.index;
  going.via = null;
  for (const [name, value] of Object.entries(values)) assign(run, going.scope, name, typed(value));
  passEvent(run, going, place);
}
