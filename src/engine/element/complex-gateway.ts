import { finish } from './activity.js';
import type { Token } from './instance-state.js';
import { join, type OpenJoin, openJoin, waitingAt } from './joining-gateway.js';
import { complete, endPath, passBy } from './leave.js';
import { typed } from './native.js';
import type { Place, Way } from './prepared.js';
import { at, type Run } from './run.js';
import { holds } from './source.js';

// BPMN 2.0 §13.4.5: a complex gateway waits for its start: for tokens with which its condition holds. Then it goes on, and waits for its reset: for tokens that
// are still to be expected on flows from which it has taken none. A token of its own stands for it meanwhile, which no flow has brought (`took`).

/** A token comes to a gateway that has an activation condition. */
export function arrive(run: Run, token: Token, place: Place): void {
  token.wait = { kind: 'join' };
  activate(run, place, token.scope);
}

/** One that has none splits alone: it goes on with each token. */
export function enterSplit(run: Run, token: Token, place: Place): void {
  tell(run, token, place, true);
  complete(run, token, place);
}

/** Waiting for its start, the gateway takes a token of each flow that has one, where its condition holds. */
export function activate(run: Run, place: Place, scope: number): void {
  const { activationCondition } = place.element;
  const open = openJoin(place, waitingAt(run, place, scope));
  if (activationCondition === undefined || open === undefined || resetOf(run, place, scope) !== undefined) return;
  const { token, partners } = open;
  tell(run, token, place, true);
  if (!holds(run, at(run, token, place), activationCondition)) {
    run.close(token);
    return;
  }
  const standing = run.spawn(place.index, scope, null);
  standing.wait = { kind: 'join' };
  standing.took = [token, ...partners].flatMap(({ via }) => via ?? []);
  join(run, token, place, partners);
}

/** The gateways at which tokens wait, each once. */
export function waitingGateways(run: Run): { readonly place: Place; readonly scope: number }[] {
  const found = new Map<string, { readonly place: Place; readonly scope: number }>();
  for (const { element, scope, wait, took } of run.state.tokens) {
    const place = run.place(element);
    if (wait?.kind === 'join' && took === undefined && place.element.activationCondition !== undefined)
      found.set(`${element}:${scope}`, { place, scope });
  }
  return [...found.values()];
}

/** The token that stands for the gateway where it waits for its reset. */
const resetOf = (run: Run, { index }: Place, scope: number): Token | undefined =>
  run.state.tokens.find((token) => token.element === index && token.scope === scope && token.took !== undefined);

/**
 * Nothing more is to be expected: the gateway takes what has come on flows from which it had taken nothing, and gives tokens by the conditions that hold now. Flows
 * without a condition got theirs when it went on. What waits beyond that may activate it anew.
 */
export function reset(run: Run, { token, place, partners }: OpenJoin): void {
  tell(run, token, place, false);
  for (const partner of partners) {
    finish(run, partner, place);
    run.drop(partner);
  }
  const ways = waysOfReset(run, token, place);
  run.close(token);
  token.took = undefined;
  token.wait = undefined;
  const { scope } = token;
  if (ways.length === 0) endPath(run, token);
  else passBy(run, token, place, ways);
  activate(run, place, scope);
}

function waysOfReset(run: Run, token: Token, place: Place): readonly Way[] {
  const { ways, defaultWay } = place;
  const asking = ways.filter((way) => way !== defaultWay && way.flow.condition !== null);
  const where = at(run, token, place);
  const chosen = asking.filter(({ flow }) => flow.condition !== null && holds(run, where, flow.condition));
  return chosen.length === 0 && asking.length > 0 && defaultWay !== null ? [defaultWay] : chosen;
}

/** Variables of the gateway's own, for its conditions: how many tokens are there, how many on each flow, and what it waits for. */
function tell(run: Run, token: Token, place: Place, waitingForStart: boolean): void {
  const waiting = waitingAt(run, place, token.scope);
  const counts = place.element.incoming.map(
    (flow) => [run.program.flows[flow]?.id ?? '', waiting.get(flow)?.length ?? 0] as const,
  );
  if (token.opens === undefined) run.open(token, token.activity ?? run.number());
  Object.assign(run.scope(run.innermost(token)).variables, {
    activationCount: typed(counts.reduce((sum, [, count]) => sum + count, 0)),
    activationCounts: { type: 'Json', value: Object.fromEntries(counts) },
    waitingForStart: typed(waitingForStart),
  });
}
