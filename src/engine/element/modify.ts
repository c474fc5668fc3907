import { badArgument } from '../errors.js';
import { clear, dropAll, interrupt } from './activity.js';
import { beginHere, beginWithin, holderOf, lives } from './begin-within.js';
import { guarded } from './error.js';
import type {
  CancelInstruction,
  Instruction,
  ModifyInput,
  Modifying,
  StartInstruction,
  Token,
} from './instance-state.js';
import { endCancelled, endInstance, wake } from './leave.js';
import { forgetInstance } from './loop-change.js';
import { elementNamed, flowNamed, onlyWay } from './named.js';
import type { Run } from './run.js';

// What operators do to the tokens of an instance, as Camunda does it: one instruction after the other, each once nothing moves any more. The process stays while
// that goes on, even when nothing is in it.

/** The instance is modified from now on. @throws CONFLICT (it is being modified still) */
export function modify(run: Run, { instructions, reason, skipListeners, skipMappings }: ModifyInput): void {
  const skips = { ...(skipListeners && { skipListeners }), ...(skipMappings && { skipMappings }) };
  const before = run.state.modifying?.instructions ?? [];
  run.state.modifying = { ...skips, instructions: [...before, ...instructions], reason };
  takeUpModification(run);
}

/** What a modification has set in motion moves on. */
export function takeUpModification(run: Run): void {
  const { modifying } = run.state;
  if (modifying?.skipListeners) run.silent = true;
  if (modifying?.skipMappings) run.unmapped = true;
}

/** Nothing moves: the next instruction is carried out, or the modification is over. Gives whether there was one. */
export function goOnModifying(run: Run): boolean {
  const { modifying } = run.state;
  if (modifying === undefined || run.state.tokens.some(isCut)) return false;
  const [next, ...instructions] = modifying.instructions;
  if (next === undefined) {
    endModification(run, modifying);
    return true;
  }
  run.state.modifying = { ...modifying, instructions };
  guarded(run, next, carryOut);
  return true;
}

/** What moved when its run was cut is still to move. */
const isCut = ({ wait }: Token): boolean => wait?.kind === 'job' && wait.of === 'cut';

/** With nothing left in it the process ends: as the last token left it. */
function endModification(run: Run, { over, reason }: Modifying): void {
  delete run.state.modifying;
  if (!run.isEmpty(0)) return;
  if (over === 'completed') endInstance(run, run.root);
  else endCancelled(run, reason);
}

function carryOut(run: Run, instruction: Instruction): void {
  if (instruction.type === 'cancel') cancel(run, instruction);
  else start(run, instruction);
}

function start(run: Run, instruction: StartInstruction): void {
  if (instruction.type === 'startBeforeActivity') {
    beginHere(run, elementNamed(run.program, instruction.id), instruction);
    return;
  }
  const way =
    instruction.type === 'startTransition'
      ? flowNamed(run.program, instruction.id)
      : onlyWay(run.program, elementNamed(run.program, instruction.id));
  beginWithin(run, way, instruction);
}

function cancel(run: Run, { what }: CancelInstruction): void {
  if ('number' in what && what.number === 0) {
    // What is left behind goes by and by: where something else begins, there must be nothing left.
    if (run.state.modifying?.instructions.length) dropAll(run, run.within(0));
    else clear(run, 0);
    noteLeft(run);
    return;
  }
  const tokens = 'number' in what ? [numbered(run, what.number)] : at(run, what.activityId);
  for (const token of tokens) if (run.state.tokens.includes(token)) remove(run, token);
}

/** The tokens at an activity. Of one that repeats what holds its instances: with the last of them that would go, too. */
function at(run: Run, activityId: string): Token[] {
  const { element } = elementNamed(run.program, activityId);
  return run.state.tokens.filter(
    (token) => token.element === element && !run.placeOf(token).isInstance && lives(run, token.scope),
  );
}

/** The token of a number, or that of the activity instance. @throws BAD_REQUEST: there is none */
function numbered(run: Run, number: number): Token {
  const found = run.state.tokens.find(({ id, activity }) => id === number || activity === number);
  if (found !== undefined && lives(run, found.scope)) return found;
  const { instanceId } = run.context;
  throw badArgument(
    'activityInstanceId',
    `an activity instance that is active in process instance '${instanceId}'`,
    `${instanceId}:${number}`,
  );
}

/** The token goes, and with the last one in it whatever holds it: nothing would ever end that. */
function remove(run: Run, token: Token): void {
  let top = token;
  for (let owner = holderOf(run, top); owner !== undefined; owner = holderOf(run, top)) top = owner;
  const { scope, compensates } = top;
  interrupt(run, top);
  run.drop(top);
  forgetInstance(run, scope);
  if (compensates !== undefined) wake(run, compensates);
  noteLeft(run);
}

function noteLeft(run: Run): void {
  if (run.state.modifying !== undefined && run.isEmpty(0)) run.state.modifying.over = 'cancelled';
}
