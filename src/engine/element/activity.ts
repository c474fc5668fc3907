import type { Mapping, MappingValue } from '../model/program.js';
import { arm, disarm, disarmAll, disarmScope } from './arm.js';
import { compensatingFor, forgetCompensation, recall, remember } from './compensated.js';
import { evaluate } from './evaluate.js';
import { executionFailed } from './failure.js';
import type { Scope, Token, TypedValue, Variables } from './instance-state.js';
import { isAwaited, restingTokens } from './large-scope.js';
import { notify, notifyStored } from './listener.js';
import { ledBy } from './move.js';
import { textOf } from './native.js';
import type { Place } from './prepared.js';
import { type At, at, type Run } from './run.js';
import { typedSource } from './source.js';
import { assign, assignLocal, lookUp } from './variables.js';

// The life of an activity instance, in Camunda's order: inputs, start listeners, work, end listeners, outputs.

/** The token's activity begins: it gets its scope and inputs, and its start listeners hear of it. */
export function begin(run: Run, token: Token, place: Place): void {
  // An instance of a loop has its scope, and so its number, since its body made it.
  const activity = (place.isInstance ? token.opens : undefined) ?? run.number();
  token.activity = activity;
  run.begun = token;
  if (place.scoped && token.opens === undefined) run.open(token, activity);
  if (token.recalls !== undefined) recall(run, token, token.recalls);
  takeInputs(run, token, place);
  if (place.startListeners.length > 0) notify(run, at(run, token, place), place.startListeners, 'start');
}

/** The activity goes on beyond this step: its boundary events are awaited from now on. */
export function settle(run: Run, token: Token, place: Place): void {
  run.writeBegun(token);
  awaitEvents(run, token, place.boundary.armed);
}

/** As {@link settle}, of an activity that begins around what is in it already, or is to be: nothing of it was looked at before it worked. */
export function settleAround(run: Run, token: Token, place: Place): void {
  awaitEvents(run, token, place.boundary.conditional);
  settle(run, token, place);
}

/** Awaits boundary events of the token's activity. */
export function awaitEvents(run: Run, token: Token, events: readonly number[]): void {
  for (const element of events) {
    const armed = arm(run, token, run.place(element));
    if (armed.length > 0) token.boundaries = [...(token.boundaries ?? []), ...armed];
  }
}

/** The activity has done its work. Its scope stays open until the token leaves, so that conditions see local variables. */
export function finish(run: Run, token: Token, place: Place): void {
  const { activity } = token;
  if (activity === null) return;
  tellEnd(run, token, place);
  const { io } = place.element;
  if (io !== null && !run.unmapped) mapOutputs(run, token, place, io.outputs);
  if (token.boundaries !== undefined) disarmAll(run, token);
  if (token.opens !== undefined) {
    abandonHusks(run, token.opens);
    disarmScope(run, run.scope(token.opens));
  }
  remember(run, token, place);
  if (run.begun === token) {
    // A link is a flow that is not drawn: nobody was there.
    if (place.element.event?.kind !== 'link')
      run.history.push([place.instance === null ? 3 : 5, activity, token.element, token.scope]);
    run.begun = null;
  } else {
    run.history.push([1, activity]);
  }
  token.activity = null;
}

/** The activity is left before it is done, with all that happens in it. The token stays, and waits for nothing. */
export function interrupt(run: Run, token: Token): void {
  const place = run.placeOf(token);
  if (token.opens !== undefined) {
    clear(run, token.opens);
    disarmScope(run, run.scope(token.opens));
  }
  run.writeBegun(token);
  if (place.instance !== null) run.halt(token);
  if (token.wait?.kind === 'task') notifyStored(run, at(run, token, place), token.wait.id, 'delete');
  if (token.wait !== undefined) disarm(run, token.wait);
  token.wait = undefined;
  if (token.compensation !== undefined) endCompensation(run, token);
  if (token.boundaries !== undefined) disarmAll(run, token);
  if (token.activity !== null) {
    tellEnd(run, token, place, true);
    const { io } = place.element;
    if (io !== null && !run.unmapped && !run.isFormer && io.keeps !== true) mapOutputs(run, token, place, io.outputs);
    run.history.push([2, token.activity]);
    token.activity = null;
  }
  run.ending = null;
  run.close(token);
}

/** What the token was compensating ends with it, as in Camunda. */
function endCompensation(run: Run, token: Token): void {
  forgetCompensation(run, token);
  if (run.rules >= 7) dropAll(run, compensatingFor(run, token));
}

/** Whatever happens in the scope ends, but for the token that ends it. What rests in a large one is left there, to be cleared away. */
export function clear(run: Run, id: number, except?: Token): void {
  const scope = run.scope(id);
  const resting = scope.size === undefined ? undefined : restingTokens(run.state);
  dropAll(
    run,
    run.within(id).filter((token) => token !== except && !resting?.has(token)),
  );
  abandonHusks(run, id);
  if (scope.size === undefined || scope.husk) return;
  if (scope.size > (except === undefined ? 0 : 1) || isAwaited(run.state, id)) abandon(run, scope);
}

/** Abandons the scopes within this one that a migration has taken away, but is still to lead others out of. */
export function abandonHusks(run: Run, id: number): void {
  if (run.isLarge) for (const each of run.state.scopes) if (each.husk && each.parent === id) abandon(run, each);
}

/** What rests in the scope is gone. Nothing is led elsewhere out of it any more. */
function abandon(run: Run, scope: Scope): void {
  if (scope.abandoned !== undefined) return;
  scope.abandoned = run.silent ? 'silent' : 'told';
  run.effects.push({ type: 'abandon', scope: scope.id });
  const { moves = [] } = run.state;
  const others = new Set(moves.flatMap(ledBy).flatMap((led) => (led.scope === scope.id ? [led.to] : [])));
  for (const id of others) if (run.find(id)?.abandoned !== undefined) run.effects.push({ type: 'abandon', scope: id });
}

/** The tokens leave the instance, wherever they are. */
export function dropAll(run: Run, tokens: readonly Token[]): void {
  for (const token of tokens) {
    interrupt(run, token);
    run.drop(token);
  }
}

function tellEnd(run: Run, token: Token, place: Place, canceled = false): void {
  if (place.endListeners.length === 0 || run.ending === token) return;
  run.ending = token;
  notify(run, { ...at(run, token, place), canceled }, place.endListeners, 'end');
  run.ending = null;
}

/** The variables that the activity begins with. As in Camunda inputs see what a modification gives to it, and count before that. */
function takeInputs(run: Run, token: Token, place: Place): void {
  const { given } = token;
  const { io } = place.element;
  if (io === null && given === undefined) return;
  const inputs = run.unmapped || io === null ? [] : io.inputs;
  const isSeen = given !== undefined && run.rules >= 8;
  if (isSeen) takeGiven(run, token, given);
  if (place.isInstance || isSeen) mapInputsWithin(run, token, place, inputs);
  else mapInputs(run, token, place, inputs);
  if (given !== undefined && !isSeen) takeGiven(run, token, given);
}

/** A modification has begun it with variables of its own. */
function takeGiven(run: Run, token: Token, variables: Variables): void {
  token.given = undefined;
  for (const [name, value] of Object.entries(variables)) assignLocal(run, token, name, value);
}

/** `camunda:inputParameter`: evaluated outside of the activity, set inside of it. So an input may have the name of what it reads. */
function mapInputs(run: Run, token: Token, place: Place, inputs: readonly Mapping[]): void {
  const outside = { ...at(run, token, place), scope: token.scope };
  for (const mapping of inputs)
    assignLocal(
      run,
      token,
      mapping.name,
      partly(run, run.innermost(token), mapping, mapped(run, outside, mapping.value)),
    );
}

/** They see what the activity begins with: the item and the number of its instance, or what it is given. None sees another one. */
function mapInputsWithin(run: Run, token: Token, place: Place, inputs: readonly Mapping[]): void {
  const values = inputs.map((mapping) => [mapping, mapped(run, at(run, token, place), mapping.value)] as const);
  for (const [mapping, value] of values)
    assignLocal(run, token, mapping.name, partly(run, run.innermost(token), mapping, value));
}

/** `camunda:outputParameter`: evaluated inside of the activity, set outside of it; where an instance of a loop keeps what it is given, in its own scope first. */
function mapOutputs(run: Run, token: Token, place: Place, outputs: readonly Mapping[]): void {
  const outside = place.isInstance && place.element.io?.keeps === true ? run.innermost(token) : token.scope;
  for (const mapping of outputs) {
    const value = mapped(run, at(run, token, place), mapping.value);
    // An output that nothing was written to is not there.
    if (mapping.value.kind === 'variable' && value.type === 'Null') continue;
    assign(run, outside, mapping.name, partly(run, outside, mapping, value));
  }
}

/** The variable's value with the part at the mapping's path set; without a path the value itself. */
function partly(run: Run, scope: number, { name, path }: Mapping, value: TypedValue): TypedValue {
  if (path === undefined) return value;
  return { type: 'Json', value: withPart(lookUp(run, scope, name)?.value, path, value.value) };
}

function withPart(whole: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  const around =
    typeof whole === 'object' && whole !== null && !Array.isArray(whole) ? (whole as Record<string, unknown>) : {};
  return { ...around, [name]: withPart(around[name], rest, value) };
}

function mapped(run: Run, where: At, value: MappingValue): TypedValue {
  switch (value.kind) {
    case 'null':
      return { type: 'Null', value: null };
    case 'variable':
      return lookUp(run, where.scope, value.name) ?? { type: 'Null', value: null };
    case 'list':
      return { type: 'Json', value: value.items.map((item) => mapped(run, where, item).value) };
    case 'map': {
      const entries = value.entries.map((entry) => [
        keyOf(run, where, entry.key),
        mapped(run, where, entry.value).value,
      ]);
      return { type: 'Json', value: Object.fromEntries(entries) };
    }
    default:
      return typedSource(run, where, value);
  }
}

/** The key of a `camunda:entry`, which may be an expression. @throws EXECUTION_FAILED where it gives nothing */
function keyOf(run: Run, where: At, text: string): string {
  if (run.isFormer) return text;
  const key = textOf(evaluate(run, where, text));
  if (key !== null) return key;
  throw executionFailed(where.place, { expected: `a key from '${text}'`, expression: text, cause: 'it gives nothing' });
}
