import { type Ask, afterOthers, type State } from '../../store/index.js';
import { type ProcessInstance, processInstances } from '../collections.js';
import { isCancelling, isHollow } from '../element/hollow.js';
import { largeScopes } from '../element/large-scope.js';
import { isCancellation, type Migrated } from '../element/move.js';
import type { EngineServices } from '../engine-services.js';
import { type Element, type Program, partsOf } from '../model/program.js';
import { awayElsewhere } from './instance-parts.js';
import { isStuck, requireFollowing } from './large-instance-jobs.js';

/** A message or a signal that is sent. */
interface Sent {
  readonly kind: 'message' | 'signal';
  readonly name: string;
  /** Only for this instance. */
  readonly processInstanceId?: string | null | undefined;
  /** Only for instances of this business key. */
  readonly businessKey?: string | null | undefined;
}

/** How many instances that are followed are looked at, where none is named. */
const FOLLOWED_MAX = 50;

/**
 * The ask to wait until all that rests has followed an instance, where the event may then be for others than now: a migration changes which events are awaited, and a
 * cancellation may have left a scope empty that awaits it. Undefined: there is none.
 */
export function untilFollowed(
  services: Pick<EngineServices, 'programs'>,
  state: State,
  sent: Sent,
): { readonly ask: Ask } | undefined {
  const { processInstanceId: id } = sent;
  const found = id ? [state.get(processInstances, id)] : state.range(processInstances, 'leaving', [1], FOLLOWED_MAX);
  // One that cannot be followed keeps nothing from others.
  const isWaitedFor = (each: ProcessInstance) => isFor(each, sent) && (id || !isStuck(state, each.id));
  const first = found.find((each) => each && isWaitedFor(each) && mayChange(services, state, each, sent));
  if (first === undefined) return undefined;
  requireFollowing(state, first.id, `expected all of process instance '${first.id}' to have followed its last change`);
  return { ask: afterOthers(first.id) };
}

const isFor = ({ endTime, state: { moves }, businessKey }: ProcessInstance, sent: Sent): boolean =>
  endTime === null && moves !== undefined && (!sent.businessKey || sent.businessKey === businessKey);

function mayChange(
  { programs }: Pick<EngineServices, 'programs'>,
  state: State,
  instance: ProcessInstance,
  sent: Sent,
): boolean {
  const { moves = [] } = instance.state;
  const migrations = moves.filter((move): move is Migrated => !isCancellation(move));
  const isHeard = (id: string, renewed: readonly number[] = []) => hears(programs.of(state, id), sent, renewed);
  if (migrations.some(({ from, to, renewed }) => isHeard(from) || isHeard(to, renewed))) return true;
  return hasHollow(instance) && isHeard(instance.definitionId);
}

/** Whether the instance ends when a cancellation that is on its way has reached all. */
export const isOver = ({ state, away }: ProcessInstance): boolean =>
  isCancelling(state) && isHollow(state, awayElsewhere(away), 0);

/** Whether cancellations that are on their way leave one of the large scopes empty; of those within what rests it is not known. */
export function hasHollow({ state, away }: ProcessInstance): boolean {
  if (!isCancelling(state)) return false;
  const counts = awayElsewhere(away);
  return [...(largeScopes(state)?.values() ?? [])].some(
    ({ id, husk, abandoned }) => !husk && abandoned === undefined && isHollow(state, counts, id),
  );
}

/** Whether the event is awaited beside what a token does itself, or at one of these positions. */
const hears = (program: Program, { kind, name }: Sent, renewed: readonly number[]): boolean =>
  program.elements.some(
    (element, at) =>
      (renewed.includes(at) || isAwaitedBeside(program, element)) &&
      partsOf(element.event).some((event) => event.kind === kind && 'name' in event && mayBe(event.name, name)),
  );

const isAwaitedBeside = (program: Program, { attachedTo, type, parent, incoming }: Element): boolean =>
  attachedTo !== null ||
  (type === 'startEvent' && program.elements[parent]?.triggeredByEvent === true) ||
  incoming.some((flow) => program.elements[program.flows[flow]?.source ?? -1]?.type === 'eventBasedGateway');

/** A name may be an expression. */
const mayBe = (name: string, sent: string): boolean => name === sent || name.includes('{') || name.startsWith('=');
