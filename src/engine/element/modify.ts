import { badArgument } from '../errors.js';
import { clear } from './activity.js';
import { beginHere, beginWithin, lives } from './begin-within.js';
import { remove, removeAll } from './cancel-activity.js';
import { guarded } from './error.js';
import { requireAllInhabited } from './hollow.js';
import type {
  CancelInstruction,
  Instruction,
  ModifyInput,
  Modifying,
  StartInstruction,
  Token,
} from './instance-state.js';
import { isCut } from './large-scope.js';
import { endCancelled, endInstance, forgetModification } from './leave.js';
import { elementNamed, flowNamed, type Named, onlyWay } from './named.js';
import type { Run } from './run.js';

// What operators do to the tokens of an instance, as Camunda does it: one instruction after the other, each once nothing moves any more. The process stays while
// that goes on, even when nothing is in it.

/** The instance is modified from now on; what an earlier modification has still to do is done first, unless it cannot be done. */
export function modify(
  run: Run,
  { instructions, reason, skipListeners, skipMappings, here, instead }: ModifyInput,
): void {
  const skips = { ...(skipListeners && { skipListeners }), ...(skipMappings && { skipMappings }) };
  const { over, last } = run.state.modifying ?? {};
  if (instead) forgetModification(run);
  const { instructions: before = [], job } = run.state.modifying ?? {};
  run.state.modifying = {
    ...skips,
    ...(here && { here }),
    ...(job !== undefined && { job }),
    ...(over !== undefined && run.rules >= 8 && { over, ...(last !== undefined && { last }) }),
    instructions: [...before, ...instructions.map((each) => asOrdered(run, each))],
    reason,
  };
  run.instructed = job === undefined ? instructions.length : null;
  passOver(run);
}

/** Knows what is active now again when its turn comes: what begins from now on has higher numbers. */
const asOrdered = ({ state: { next } }: Run, instruction: Instruction): Instruction =>
  instruction.type === 'cancel' && 'activityId' in instruction.what && instruction.what.current
    ? { type: 'cancel', what: { activityId: instruction.what.activityId, until: next } }
    : instruction;

/** Goes on with the modification, if the job is its own; gives whether it is. */
export function takeTurn(run: Run, jobId: string): boolean {
  const { modifying } = run.state;
  if (modifying?.job !== jobId) return false;
  const { job: _, ...rest } = modifying;
  run.state.modifying = rest;
  run.instructed = 0;
  takeUpModification(run);
  return true;
}

/** Goes on with a modification in another run: what was brought back for it then is not here. */
export function takeUpModification(run: Run): void {
  const { modifying } = run.state;
  if (modifying?.here !== undefined && run.context.here === undefined) run.state.modifying = { ...modifying, here: [] };
  passOver(run);
}

/** In a run that goes on with a modification that much is behind, some of that was brought back. */
export function noteHere({ state, context: { here } }: Run): void {
  if (here !== undefined && state.modifying !== undefined) state.modifying = { ...state.modifying, here };
}

function passOver(run: Run): void {
  const { modifying } = run.state;
  if (modifying?.skipListeners) run.silent = true;
  if (modifying?.skipMappings) run.unmapped = true;
}

/** Nothing moves: the next instruction is carried out, or the modification is over. Gives whether there was one. */
export function goOnModifying(run: Run): boolean {
  const { modifying } = run.state;
  if (modifying === undefined || run.state.tokens.some(({ wait }) => isCut(wait))) return false;
  const [next, ...instructions] = modifying.instructions;
  if (next === undefined) {
    endModification(run, modifying);
    return true;
  }
  if (run.instructed === null && run.rules >= 8) {
    awaitTurn(run, modifying);
    return false;
  }
  run.state.modifying = { ...modifying, instructions };
  if (instructions.length < (run.instructed ?? 0) || !isGone(run, next)) guarded(run, next, carryOut);
  return true;
}

/** Nothing is evaluated for the job: it is to be made whatever fails. */
function awaitTurn({ state, context, effects, root }: Run, modifying: Modifying): void {
  if (modifying.job !== undefined) return;
  const id = context.ids.next();
  state.modifying = { ...modifying, job: id };
  const how = { type: 'continuation', dueAt: context.now, immediate: true, exclusive: true, retryCycle: null } as const;
  effects.push({ type: 'createJob', job: { id, ...how, element: root.element, tokenId: root.id } });
}

/** What is to be cancelled has gone by itself since the modification was answered: nothing is left to be done. */
const isGone = (run: Run, instruction: Instruction): boolean =>
  instruction.type === 'cancel' &&
  'number' in instruction.what &&
  instruction.what.number > 0 &&
  found(run, instruction.what.number) === undefined;

/** With nothing left in it the process ends: as the last token left it. */
function endModification(run: Run, { over, last = 0, reason }: Modifying): void {
  delete run.state.modifying;
  if (!run.isEmpty(0)) return;
  if (over === 'completed') endInstance(run, { ...run.root, element: last });
  else endCancelled(run, reason);
}

function carryOut(run: Run, instruction: Instruction): void {
  requireAllInhabited(run);
  if (instruction.type === 'cancel') cancel(run, instruction);
  else start(run, instruction);
}

function start(run: Run, instruction: StartInstruction): void {
  if (instruction.type === 'startBeforeActivity') {
    const named = elementNamed(run.program, instruction.id);
    requireEntered(run, named);
    beginHere(run, named, instruction);
    return;
  }
  beginWithin(run, wayOf(run, instruction), instruction);
}

/** The flow that is begun by it. @throws BAD_REQUEST */
const wayOf = ({ program }: Run, { type, id }: StartInstruction): number =>
  type === 'startTransition' ? flowNamed(program, id) : onlyWay(program, elementNamed(program, id));

/** The element at which the first of the instructions begins something; none: they begin nothing. @throws BAD_REQUEST */
export function firstBegun(run: Run, instructions: readonly Instruction[]): number | undefined {
  const first = instructions.find((each) => each.type !== 'cancel');
  if (first === undefined) return undefined;
  if (first.type === 'startBeforeActivity') return elementNamed(run.program, first.id).element;
  return run.program.flows[wayOf(run, first)]?.target;
}

/** No token ever comes to a compensation event at an activity: it has one compensated that has completed. */
function requireEntered(run: Run, { element }: Named): void {
  const { id, event, attachedTo } = run.place(element).element;
  if (event?.kind !== 'compensate' || attachedTo === null) return;
  throw badArgument('activityId', 'something to which tokens come', `compensation boundary event '${id}'`);
}

function cancel(run: Run, { what }: CancelInstruction): void {
  if ('activityId' in what) return removeAll(run, elementNamed(run.program, what.activityId).element, what.until);
  if (what.number > 0) return remove(run, numbered(run, what.number));
  // What is left behind goes by and by: where something else begins, there must be nothing left.
  if (run.state.modifying?.instructions.length) return removeAll(run, 0);
  clear(run, 0);
  if (run.state.modifying !== undefined && run.isEmpty(0)) run.state.modifying.over = 'cancelled';
}

/** The number of the token's activity instance, also of one that has completed and is being compensated. */
const activityOf = ({ activity, wait, opens }: Token) => activity ?? (wait?.kind === 'compensation' ? opens : null);

/** The token of a number, or that of the activity instance. */
function found(run: Run, number: number): Token | undefined {
  const token = run.state.tokens.find((each) => each.id === number || activityOf(each) === number);
  return token !== undefined && lives(run, token.scope) ? token : undefined;
}

/** @throws BAD_REQUEST: there is none */
function numbered(run: Run, number: number): Token {
  const token = found(run, number);
  if (token !== undefined) return token;
  const { instanceId } = run.context;
  throw badArgument(
    'activityInstanceId',
    `an activity instance that is active in process instance '${instanceId}'`,
    `${instanceId}:${number}`,
  );
}
