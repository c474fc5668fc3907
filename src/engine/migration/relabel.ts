import type { Scope, Token, Wait } from '../element/instance-state.js';
import { declared, type Run } from '../element/run.js';
import { arrivals } from './arrival.js';
import { wayAfter } from './check-instance.js';
import { goalOf, keepCompensated, keepCompleted } from './completed.js';
import type { Mapping } from './mapping.js';
import type { Moving } from './moving.js';

/** Tokens and scopes get the positions of the new program. What can no longer be compensated is forgotten. */
export function relabel(moving: Moving): void {
  const { run, former, move, tokens, scopes } = moving;
  const ways = { source: former.program, target: run.program, elements: move.elements };
  const to = (element: number): number => move.elements[element] ?? -1;
  const isThere = (scope: Scope): boolean =>
    run.state.scopes.includes(scope) && (!scope.kept || goalOf(ways, scope.element) >= 0);
  for (const token of tokens) keepCompensated(run, ways, token);
  for (const scope of scopes) if (isThere(scope)) keepCompleted(run, ways, scope);
  for (const token of tokens) if (run.state.tokens.includes(token)) relabelToken(ways, token, to);
  for (const scope of scopes) {
    noteFormer(run, scope, move.n);
    relabelScope(run, scope, scope.kept ? goalOf(ways, scope.element) : to(scope.element));
  }
}

/** What rests in the large scope, and takes the migration later, sees it then as it is now. What all have taken is forgotten. */
function noteFormer({ rules, state: { moves = [] } }: Run, scope: Scope, n: number): void {
  if (scope.size === undefined || rules < 8) return;
  const [first = { n }] = moves;
  scope.was = [...(scope.was ?? []).filter((each) => each[0] >= first.n), [n, scope.element]];
}

/** `element`: where it goes; -1: nowhere. */
function relabelScope(run: Run, scope: Scope, element: number): void {
  if (element >= 0) declareMissing(run, scope, element);
  // What is nobody's place any more, of what was left or is undone, needs one that is there.
  scope.element = Math.max(0, element);
  if (scope.abandoned !== undefined) scope.abandoned = 'silent';
}

/** Data that only the new program has begins with no value, as in a scope that begins. What was left behind has none, nor the body of a loop. */
function declareMissing(run: Run, scope: Scope, element: number): void {
  if (scope.kept || scope.husk || scope.abandoned !== undefined || scope.repeats !== undefined) return;
  const missing = declared(run.place(element).element.data ?? []);
  for (const [name, value] of Object.entries(missing))
    if (!Object.hasOwn(scope.variables, name)) scope.variables[name] = value;
}

type Ways = Omit<Mapping, 'instructions'>;

function relabelToken(ways: Ways, token: Token, to: (element: number) => number): void {
  const { via, took } = arrivedBy(ways, token);
  const way = wayAfter(ways, token);
  token.via = via;
  if (took !== undefined) token.took = took;
  token.element = Math.max(0, to(token.element));
  token.wait = token.wait && relabelWait(token.wait, way, to);
}

/** The flow by which the token came, and those from which a complex gateway has taken what came. One that came by another flow takes the first. */
function arrivedBy(ways: Ways, { element, via, took }: Token) {
  if (via === null && took === undefined) return { via };
  const found = arrivals(ways, element);
  const into = via === null ? null : (found.get(via) ?? [...found.values()][0] ?? null);
  return { via: into, took: took?.flatMap((flow) => found.get(flow) ?? []) };
}

/** `way`: the flow by which the token is to leave. What an ad-hoc sub-process is to start next is what is still there of it. */
function relabelWait(wait: Wait, way: number | null | undefined, to: (element: number) => number): Wait {
  if (wait.kind === 'adHoc') {
    const { next: before = [], ...choosing } = wait;
    const next = before.map(to).filter((element) => element >= 0);
    return next.length === 0 ? choosing : { ...choosing, next };
  }
  if (wait.kind !== 'job' || wait.way === undefined) return wait;
  const { way: _, ...left } = wait;
  return way == null ? left : { ...left, way };
}
