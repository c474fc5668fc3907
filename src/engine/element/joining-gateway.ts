import { canReach } from '../model/reach.js';
import { finish } from './activity.js';
import type { Token } from './instance-state.js';
import { complete } from './leave.js';
import type { Place } from './prepared.js';
import type { Run } from './run.js';

/** Tokens that an inclusive gateway joins: one of each flow that has one. */
export interface OpenJoin {
  readonly place: Place;
  /** The oldest: it goes on. */
  readonly token: Token;
  readonly partners: readonly Token[];
}

/**
 * The next inclusive gateway whose tokens may go on, or complex one that may be reset. To be asked after every step, for any token that moves or dies may be the one that was
 * waited for. `idle`: nothing moves any more; then a gateway also goes on where it waits only for tokens that will never move: those at joins
 * that wait for it in turn, or for nothing that can come.
 */
export function nextOpenJoin(run: Run, idle: boolean): OpenJoin | undefined {
  const seen = new Set<string>();
  for (const token of run.state.tokens) {
    if (!isWatching(run, token)) continue;
    const gateway = `${token.element}:${token.scope}`;
    if (seen.has(gateway)) continue;
    seen.add(gateway);
    const open = openAt(run, token, { gateway, scope: token.scope, idle });
    if (open !== undefined) return open;
  }
  return undefined;
}

/** Whether the token's gateway looks at all others. Until it is activated, a complex one waits for none. */
const isWatching = (run: Run, { wait, element, took }: Token): boolean =>
  wait?.kind === 'join' &&
  run.prepared.watchful.has(element) &&
  (took !== undefined || run.place(element).element.type !== 'complexGateway');

function openAt(run: Run, token: Token, gathering: Gathering): OpenJoin | undefined {
  const place = run.placeOf(token);
  const arrived = waitingAt(run, place, token.scope);
  for (const flow of token.took ?? []) arrived.set(flow, []);
  if (isHeld(run, place, arrived, gathering)) return undefined;
  const open = openJoin(place, arrived);
  if (token.took === undefined) return open;
  return { place, token, partners: open === undefined ? [] : [open.token, ...open.partners] };
}

interface Gathering {
  /** Names the gateway and its scope instance. */
  readonly gateway: string;
  readonly scope: number;
  readonly idle: boolean;
}

/** Whether there is a token to wait for. The one that was found last is looked at first: it is mostly still there. */
function isHeld(run: Run, place: Place, arrived: Arrived, { gateway, scope, idle }: Gathering): boolean {
  const isReason = (other: Token) =>
    other.took === undefined && isAwaited(run, place, arrived, other) && (!idle || canMove(run, other));
  const last = run.awaited?.get(gateway);
  if (last !== undefined && run.state.tokens.includes(last) && isReason(last)) return true;
  // The youngest token moves last.
  const found = run.within(scope).findLast(isReason);
  run.awaited ??= new Map();
  run.awaited.set(gateway, found);
  return found !== undefined;
}

type Arrived = ReadonlyMap<number, readonly Token[]>;

/**
 * BPMN 2.0 §13.4.3, table 13.3: a token is waited for if it can still reach an incoming flow that has no token, unless it can also reach one
 * that has.
 */
function isAwaited(run: Run, { index, element }: Place, arrived: Arrived, other: Token): boolean {
  // One that asyncAfter holds on its flow is as good as at that flow's target.
  const way = other.wait?.kind === 'job' ? other.wait.way : undefined;
  const where = way === undefined ? other.element : (run.program.flows[way]?.target ?? other.element);
  // On its last step, or held by asyncBefore or asyncAfter: it is about to arrive.
  if (where === index) return other.wait?.kind !== 'join' && (way === undefined || !arrived.has(way));
  const reached = element.incoming.filter((_, at) => canReach(element.reachedFrom?.[at] ?? '', where));
  const stands = (flow: number) => arrived.has(flow) && (run.rules < 6 || comesTo(run, where, index, flow));
  return reached.some((flow) => !arrived.has(flow)) && !reached.some(stands);
}

/**
 * Whether a token at `from` itself can come to the flow. What a non-interrupting boundary event sends is another one: the token still comes, perhaps by
 * another flow.
 */
function comesTo(run: Run, from: number, gateway: number, flow: number): boolean {
  const seen = new Set([from]);
  for (const at of seen) {
    const { element, ways } = run.place(at);
    if (ways.some((way) => way.index === flow)) return true;
    const after = element.boundaries.filter((boundary) => run.place(boundary).element.interrupting);
    for (const next of [...ways.map((way) => way.flow.target), ...after]) if (next !== gateway) seen.add(next);
  }
  return false;
}

export function openJoin(place: Place, arrived: Arrived): OpenJoin | undefined {
  const tokens = [...arrived.values()].flatMap(([oldest]) => oldest ?? []);
  const [token, ...partners] = tokens.sort((a, b) => a.id - b.id);
  return token && { place, token, partners };
}

/** Whether the token may still move. One at a join can if another that can move may come there; one in a sub-process if something in it can. */
function canMove(run: Run, token: Token): boolean {
  if (token.wait?.kind === 'scope') {
    if (token.boundaries !== undefined || token.opens === undefined) return token.boundaries !== undefined;
    const { events, size } = run.scope(token.opens);
    // Of a large scope some are away: those wait for something that comes.
    return events !== undefined || size !== undefined || run.within(token.opens).some((inner) => canMove(run, inner));
  }
  if (token.wait?.kind !== 'join') return true;
  return run
    .within(token.scope)
    .some((other) => other.wait?.kind !== 'join' && canMove(run, other) && leads(run, other.element, token.element));
}

/** Whether flows and boundary events lead from one element to the other. */
export function leads(run: Run, from: number, to: number): boolean {
  const seen = new Set([from]);
  for (const at of seen) {
    const { element, ways } = run.place(at);
    if (at === to) return true;
    for (const { flow } of ways) seen.add(flow.target);
    for (const boundary of element.boundaries) seen.add(boundary);
  }
  return false;
}

/** The tokens that wait at the joining gateway within the scope, by the flow on which they came, the oldest first. */
export function waitingAt(run: Run, place: Place, scope: number): Map<number, Token[]> {
  const waiting = new Map<number, Token[]>();
  for (const token of run.state.tokens) {
    if (token.element !== place.index || token.scope !== scope || token.wait?.kind !== 'join') continue;
    if (token.took !== undefined) continue;
    const flow = token.via ?? -1;
    const others = waiting.get(flow);
    if (others === undefined) waiting.set(flow, [token]);
    else others.push(token);
  }
  return waiting;
}

/**
 * The gateway has the tokens that it needs. As in Camunda each of them has an activity of its own there, since it came: all of these are complete
 * now, the partners are consumed, and the token goes on.
 */
export function join(run: Run, token: Token, place: Place, partners: readonly Token[]): void {
  for (const partner of partners) {
    finish(run, partner, place);
    run.close(partner);
    run.drop(partner);
  }
  token.wait = undefined;
  complete(run, token, place);
}

/**
 * BPMN 2.0 §13.4.1: the gateway goes on once every incoming flow has a token, and consumes one of each: two tokens on one flow do not stand for
 * another flow's. Until then the token that arrives waits.
 */
export function joinParallel(run: Run, token: Token, place: Place): void {
  const waiting = waitingAt(run, place, token.scope);
  const partners: Token[] = [];
  for (const flow of place.element.incoming) {
    if (flow === token.via) continue;
    const partner = waiting.get(flow)?.[0];
    if (partner === undefined) {
      token.wait = { kind: 'join' };
      return;
    }
    partners.push(partner);
  }
  join(run, token, place, partners);
}
