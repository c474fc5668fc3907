import { elementAt, scopesAround } from '../model/elements.js';
import { partsOf } from '../model/program.js';
import { awaitedBy, eventOf, type Instruction, isRenewable, isSameType, loopOf, type Mapping } from './mapping.js';

/** Says what is wrong with an instruction, as a whole sentence; null: nothing. */
type Rule = (mapping: Mapping, instruction: Instruction) => string | null;

/** The rules of a plan, by name. They are Camunda's, without those that an activity and its body are two things for. */
export const PLAN_RULES: Readonly<Record<string, Rule>> = {
  'same-type': sameType,
  'same-event': sameEvent,
  'same-loop': sameLoop,
  'event-trigger': eventTrigger,
  'condition-trigger': conditionTrigger,
  'event-scope': eventScope,
  'flow-scope': flowScope,
  'no-loop-around': noLoopAround,
  'gateway-flows': gatewayFlows,
  'gateway-once': gatewayOnce,
  'gateway-scope': gatewayScope,
};

/** The two elements of an instruction, with their ids in quotes. */
function sides({ source, target }: Mapping, instruction: Instruction) {
  const from = elementAt(source, instruction.source);
  const to = elementAt(target, instruction.target);
  return { from, to, pair: `'${from.id}' to '${to.id}'` };
}

function sameType(mapping: Mapping, instruction: Instruction): string | null {
  const { from, to, pair } = sides(mapping, instruction);
  if (isSameType(from, to)) return null;
  const shown = ({ type, isForCompensation, adHoc, activationCondition }: typeof from) =>
    `${adHoc === undefined ? '' : 'ad-hoc '}${activationCondition === undefined ? '' : 'joining '}${type}${isForCompensation ? ' for compensation' : ''}`;
  return `expected to migrate ${pair} of the same type, but one is a ${shown(from)} and the other a ${shown(to)}`;
}

function sameEvent(mapping: Mapping, instruction: Instruction): string | null {
  const { from, to, pair } = sides(mapping, instruction);
  if (!isSameType(from, to) || eventOf(from) === eventOf(to)) return null;
  return `expected to migrate ${pair} with the same event, but one is ${eventOf(from)} and the other ${eventOf(to)}`;
}

/** A loop may be taken away, its instances then go on by themselves; it cannot be added, for nobody knows how many there are. */
function sameLoop(mapping: Mapping, instruction: Instruction): string | null {
  const { from, to, pair } = sides(mapping, instruction);
  if (to.loop === undefined || loopOf(from) === loopOf(to)) return null;
  return `expected to migrate ${pair} with the same loop, but one is ${loopOf(from)} and the other ${loopOf(to)}`;
}

function eventTrigger(mapping: Mapping, instruction: Instruction): string | null {
  const { to } = sides(mapping, instruction);
  if (!instruction.renews || isRenewable(to)) return null;
  return `expected an event that waits for something to update the trigger of, but '${to.id}' is a ${to.activityType}`;
}

function conditionTrigger(mapping: Mapping, instruction: Instruction): string | null {
  const { to } = sides(mapping, instruction);
  if (instruction.renews || !partsOf(to.event).some(({ kind }) => kind === 'conditional')) return null;
  return `expected the trigger of conditional event '${to.id}' to be updated, for its condition is always that of the target`;
}

function eventScope(mapping: Mapping, instruction: Instruction): string | null {
  const { source, target, elements } = mapping;
  const { from, to, pair } = sides(mapping, instruction);
  // Nobody awaits to be compensated: what may be has completed.
  if (from.event?.kind === 'compensate' && from.attachedTo !== null) return null;
  const before = awaitedBy(source, instruction.source);
  const after = awaitedBy(target, instruction.target);
  if (before === null && after === null) return null;
  const wanted = after === null ? null : elementAt(target, after).id;
  if (before === null) return `expected to migrate ${pair}, but only the latter is awaited by '${wanted}'`;
  const awaiting = elementAt(source, before).id;
  if (after === null) return `expected to migrate ${pair}, but only the former is awaited by '${awaiting}'`;
  if (elements[before] === after) return null;
  return `expected '${awaiting}', which awaits event '${from.id}', to migrate to '${wanted}', which awaits '${to.id}'`;
}

/** The position of the closest scope around that migrates. */
const closestMapped = ({ source, elements }: Mapping, position: number): number =>
  scopesAround(source, position).find((scope) => (elements[scope] ?? -1) >= 0) ?? 0;

function flowScope(mapping: Mapping, instruction: Instruction): string | null {
  const { source, target, elements } = mapping;
  const { from, to } = sides(mapping, instruction);
  const closest = closestMapped(mapping, instruction.source);
  const there = elements[closest] ?? 0;
  if (scopesAround(target, instruction.target).includes(there)) return null;
  const scope = elementAt(source, closest).id;
  return `expected '${to.id}' to be within '${elementAt(target, there).id}', to which '${scope}' around '${from.id}' migrates`;
}

function noLoopAround(mapping: Mapping, instruction: Instruction): string | null {
  const { target, elements } = mapping;
  const there = elements[closestMapped(mapping, instruction.source)] ?? 0;
  const around = scopesAround(target, instruction.target);
  const added = around.slice(0, Math.max(0, around.indexOf(there)));
  const loop = added.map((scope) => elementAt(target, scope)).find((scope) => scope.loop !== undefined);
  if (loop === undefined) return null;
  const { from } = sides(mapping, instruction);
  return `expected no loop to be added around '${from.id}', but '${loop.id}' is ${loopOf(loop)}`;
}

const JOINING: ReadonlySet<string> = new Set(['parallelGateway', 'inclusiveGateway', 'complexGateway']);

function gatewayFlows(mapping: Mapping, instruction: Instruction): string | null {
  const { from, to } = sides(mapping, instruction);
  if (!JOINING.has(from.type) || to.incoming.length >= from.incoming.length) return null;
  return `expected gateway '${to.id}' to have at least ${from.incoming.length} incoming flows, as '${from.id}' has, but it has ${to.incoming.length}`;
}

function gatewayOnce(mapping: Mapping, instruction: Instruction): string | null {
  const { from, to } = sides(mapping, instruction);
  if (!JOINING.has(from.type)) return null;
  const others = mapping.instructions.filter(({ target }) => target === instruction.target);
  if (others.length <= 1) return null;
  const ids = others.map(({ source }) => `'${elementAt(mapping.source, source).id}'`);
  return `expected one gateway to migrate to '${to.id}', but ${ids.join(' and ')} do`;
}

function gatewayScope(mapping: Mapping, instruction: Instruction): string | null {
  const { from } = sides(mapping, instruction);
  if (!JOINING.has(from.type) || (mapping.elements[from.parent] ?? -1) >= 0) return null;
  return `expected '${elementAt(mapping.source, from.parent).id}', which holds gateway '${from.id}', to migrate, too`;
}
