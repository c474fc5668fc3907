import { follow } from '../migration/follow.js';
import { putAside, putBack, type Seen } from '../migration/seen.js';
import { failCalled } from './call-activity.js';
import { endEmptied } from './cancel-activity.js';
import { reset } from './complex-gateway.js';
import { lookAtConditions } from './condition.js';
import { guarded, uncaught } from './error.js';
import { Asked, BpmnError } from './failure.js';
import { receive } from './input.js';
import type { Advance, Input, InstanceState, RunContext } from './instance-state.js';
import { join, nextOpenJoin, type OpenJoin } from './joining-gateway.js';
import { goOnModifying, noteHere } from './modify.js';
import { cut, isSpent, stall } from './park.js';
import { Run } from './run.js';
import { removeTransient } from './variables.js';
import { visit } from './visit.js';

/**
 * The interpreter: takes the input in, then moves the tokens until every one waits, until the run has had its share, or until it stalls.
 * @throws EXECUTION_FAILED (element, expression or script, cause); CONFLICT where nothing waits for what the input names
 */
export const advance: Advance = (program, state, input, context) => {
  const aside = putAside(state, seenBy(input, context));
  const run = new Run(program, state, context);
  try {
    if (run.prepared.isConditional) run.observe = lookAtConditions;
    noteHere(run);
    if (context.followed !== undefined) follow(run, context.followed, isSilent(input));
    guarded(run, input, receive);
    if (run.emptied !== null) guarded(run, run, endEmptied);
    observe(run);
    move(run);
  } catch (thrown) {
    if (thrown instanceof Asked) return { ask: thrown.ask };
    if (!(thrown instanceof BpmnError)) throw thrown;
    if (!run.state.called) throw uncaught(run, thrown);
    failCalled(run, thrown);
  }
  removeTransient(run);
  putBack(state, aside);
  const { effects, history, steps } = run;
  return { state, effects, history, steps };
};

/** What a run sees of what rests in large scopes. */
function seenBy(input: Input, { followed = [], here }: RunContext): Seen {
  if (input.type === 'migrate') return { here: [], followed };
  const found = input.type === 'modify' ? input.here : here;
  return found === undefined ? { followed } : { here: found, followed };
}

const isSilent = (input: Input): boolean => input.type === 'follow' && input.silent === true;

function move(run: Run): void {
  openJoins(run, false);
  for (;;) {
    const token = run.moving[run.moving.length - 1];
    if (token === undefined) {
      if (!setInMotion(run)) return;
    } else {
      const end = endOf(run);
      if (end !== undefined) {
        end(run);
        return;
      }
      run.moving.pop();
      guarded(run, token, visit);
      observe(run);
      openJoins(run, false);
    }
  }
}

/** Nothing moves: joins that would wait for ever are opened, or a modification goes on. Gives whether tokens may move again. */
function setInMotion(run: Run): boolean {
  if (openJoins(run, true)) return true;
  if (!goOnModifying(run)) return false;
  observe(run);
  openJoins(run, false);
  return true;
}

/** Conditions are looked at after each step: whatever it did may have made them true. */
function observe(run: Run): void {
  if (run.observe !== null) guarded(run, run, run.observe);
}

/** How the run ends before its next step, if it does. */
function endOf(run: Run): ((run: Run) => void) | undefined {
  if (run.steps >= (run.context.stepsLeft?.(run.stepsBefore) ?? Number.POSITIVE_INFINITY)) return stall;
  return run.steps > 0 && isSpent(run) ? cut : undefined;
}

/** Lets the joins go on that look at all tokens, and may; gives whether there were any. */
function openJoins(run: Run, idle: boolean): boolean {
  // What is begun behind the next instruction may be waited for.
  if (run.prepared.watchful.size === 0 || run.state.modifying?.instructions.length) return false;
  let opened = false;
  for (let open = nextOpenJoin(run, idle); open !== undefined; open = nextOpenJoin(run, false)) {
    guarded(run, open, pass);
    opened = true;
  }
  return opened;
}

const pass = (run: Run, open: OpenJoin) =>
  open.token.took === undefined ? join(run, open.token, open.place, open.partners) : reset(run, open);

/** The state of an instance that has not started. */
export const newInstance = (): InstanceState => ({
  next: 1,
  scopes: [{ id: 0, parent: null, element: 0, variables: {} }],
  tokens: [],
});
