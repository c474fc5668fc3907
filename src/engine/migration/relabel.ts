import type { Done, Scope, Token, Wait } from '../element/instance-state.js';
import type { Run } from '../element/run.js';
import { arrivals } from './arrival.js';
import { wayAfter } from './check-instance.js';
import { elementAt, type Mapping } from './mapping.js';
import type { Moving } from './moving.js';

/** Tokens and scopes get the positions of the new program. What can no longer be compensated is forgotten. */
export function relabel(moving: Moving): void {
  const { run, former, move, tokens, scopes } = moving;
  const to = (element: number): number => move.elements[element] ?? -1;
  for (const each of [...scopes, ...tokens]) forgetLost(run, each, to);
  const ways = { source: former.program, target: run.program, elements: move.elements };
  const alive = tokens.filter((token) => run.state.tokens.includes(token));
  const flows = alive.map((token) => ({ token, via: arrivedBy(ways, token), way: wayAfter(ways, token) }));
  // What is nobody's place any more, of what was left or is undone, needs one that is there.
  for (const scope of scopes) {
    scope.element = Math.max(0, to(scope.element));
    if (scope.abandoned !== undefined) scope.abandoned = 'silent';
  }
  for (const { token, via, way } of flows) {
    token.via = via;
    token.element = Math.max(0, to(token.element));
    if (token.took !== undefined) token.took = token.took.flatMap((flow) => flowAfter(moving, flow));
    token.wait = token.wait && relabelWait(token.wait, way, to);
  }
}

/** The flow by which the token came. One that came by no flow of its element may wait before a gateway, to which it is one that came by some. */
function arrivedBy(ways: Omit<Mapping, 'instructions'>, { element, via }: Token): number | null {
  if (via === null) return null;
  const found = arrivals(ways, element);
  return found.get(via) ?? [...found.values()][0] ?? null;
}

/** `way`: the flow by which the token is to leave. What an ad-hoc sub-process is to start next is what is still there of it. */
function relabelWait(wait: Wait, way: number | null | undefined, to: (element: number) => number): Wait {
  if (wait.kind === 'adHoc' && wait.next !== undefined)
    return { ...wait, next: wait.next.map(to).filter((element) => element >= 0) };
  if (wait.kind !== 'job' || wait.way === undefined) return wait;
  const { way: _, ...left } = wait;
  return way == null ? left : { ...left, way };
}

/** The flow of the same id; none where it is gone. */
const flowAfter = ({ run, former }: Moving, flow: number): number[] => {
  const found = run.program.flows.findIndex(({ id }) => id === flowId(former, flow));
  return found < 0 ? [] : [found];
};

/** Of a scope what has completed in it, of a token what it is still to compensate: as far as there is something to do for it. */
function forgetLost(run: Run, holder: Scope | Token, to: (element: number) => number): void {
  if (!('variables' in holder)) {
    holder.compensation = holder.compensation && kept(run, holder.compensation, to);
    return;
  }
  const left = kept(run, holder.done ?? [], to);
  holder.done = left.length === 0 ? undefined : left;
}

function kept<D extends Done>(run: Run, all: readonly D[], to: (element: number) => number): D[] {
  return all.flatMap((done): D[] => {
    const element = to(done.element);
    if (element >= 0 && (done.scope !== undefined || elementAt(run.program, element).compensation !== undefined))
      return [{ ...done, element }];
    const scope = done.scope === undefined ? undefined : run.find(done.scope);
    if (scope !== undefined) run.forget(scope);
    return [];
  });
}
