import type { State } from '../../store/index.js';
import { instanceParts, type ProcessInstance, partId } from '../collections.js';
import type { LargeWithin } from '../migration/check-instance.js';

/** Scopes that are looked at: of each there is one part at hand. Where there are more they are of the same kinds. */
const SCOPES_MAX = 500;

/** The large scopes within what rests in those of the instance, each kind once. */
export function largeWithin(state: Pick<State, 'get' | 'range'>, { id, state: here }: ProcessInstance): LargeWithin[] {
  const outer = new Set(here.scopes.map((scope) => scope.id));
  const found = new Map<string, LargeWithin>();
  for (let after = 0, n = 0; n < SCOPES_MAX; n++) {
    const [part] = state.range(instanceParts, 'instance', [id, after], 1);
    if (part?.instanceId !== id) break;
    after = part.scope + 1;
    if (outer.has(part.scope)) continue;
    const around = part.within.at(-2)?.[1];
    const holder = around === undefined ? undefined : state.get(instanceParts, partId(id, around));
    const scope = holder?.scopes.find((each) => each.id === part.scope);
    if (scope === undefined) continue;
    const large = { element: scope.element, isBody: scope.repeats !== undefined };
    found.set(`${large.element} ${large.isBody}`, large);
  }
  return [...found.values()];
}
