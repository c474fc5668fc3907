import { badRequest } from '../../shared/errors.js';
import type { Element } from '../model/program.js';
import { awaitInside, beginInside } from './event-sub-process.js';
import type { Input, ModifyInput, Token, Variables } from './instance-state.js';
import { notify } from './listener.js';
import { firstBegun, modify } from './modify.js';
import { typed } from './native.js';
import { at, declared, type Run } from './run.js';
import { assign, assignAll } from './variables.js';
import { initialStarts } from './visit.js';

type StartInput = Extract<Input, { type: 'start' }>;

/** An instance begins: at a start event, or where its instructions say. @throws BAD_REQUEST where there is no such start event */
export function start(run: Run, input: StartInput): void {
  if (input.called) run.state.called = true;
  if (input.modification === undefined) startAtEvent(run, input);
  else startModified(run, input.variables, input.modification);
}

/** The instance begins as another one has ended, and compensates that. No listener of the process is told: they were, of that one. */
export function startUndoing(run: Run, { undoes, left }: Extract<Input, { type: 'undo' }>): void {
  const scopes = left.scopes.map((scope) => ({ ...scope, variables: { ...scope.variables } }));
  Object.assign(run.state, { called: true, undoes, next: left.next, scopes });
  const { undoing } = run.place(0).inside;
  if (undoing === null) throw new RangeError(`process '${run.program.key}' has nothing that compensates it`);
  beginInside(run, run.scope(0), undoing, {});
}

/** The instance begins at the start event of this id; null: where it begins by itself. @throws BAD_REQUEST where there is no such start event */
function startAtEvent(run: Run, input: StartInput): void {
  const { element: id } = input;
  const whole = run.place(0);
  const positions = id === null ? initialStarts(whole) : [startNamed(run, id)];
  const position = positions[0] ?? 0;
  const { element } = run.place(position);
  const own = takeVariables(run, element, input);
  const token = run.spawn(position, 0, null);
  token.given = own;
  const part = partOf(element, input);
  if (part !== undefined) token.part = part;
  const others = positions.length === 1 ? [] : positions.slice(1).map((other) => run.spawn(other, 0, null));
  tellOrWait(run, token, positions);
  if (whole.element.eventSubProcesses !== undefined) awaitInside(run, run.root);
  // The last one goes first.
  for (const other of others.reverse()) run.moving.push(other);
  run.moving.push(token);
}

/** The first variables of the process; gives those that are the start event's own. */
function takeVariables(run: Run, { initiator, io }: Element, { element: id, variables }: StartInput) {
  const { data } = run.place(0).element;
  if (data !== undefined) Object.assign(run.scope(0).variables, declared(data));
  const own = id !== null && io?.keeps === true ? variables : undefined;
  if (own === undefined) assignAll(run, 0, variables);
  const isGiven = initiator !== undefined && Object.hasOwn(variables, initiator) && !run.isFormer;
  if (initiator !== undefined && !isGiven) assign(run, 0, initiator, typed(run.context.userId));
  return own;
}

/** As in Camunda the listeners of a process whose start event waits for its asyncBefore hear of the start behind that. */
function tellOrWait(run: Run, token: Token, positions: readonly number[]): void {
  if (run.place(0).startListeners.length === 0) return;
  run.state.untold = true;
  const isLater = positions.every((position) => run.place(position).element.asyncBefore);
  if (!isLater || run.rules < 7) tellStarted(run, token);
}

/** The start event goes on: the listeners of the process hear of its start, unless they have. */
export function tellStarted(run: Run, token: Token): void {
  if (run.state.untold === undefined) return;
  delete run.state.untold;
  const whole = run.place(0);
  notify(run, { token, place: whole, scope: 0 }, whole.startListeners, 'start');
}

/** Which of the events has come, of which several are awaited; of a receive task that its message has. */
function partOf({ event, type }: Element, { element: id, part }: StartInput): number | undefined {
  if (type === 'receiveTask') return id === null ? undefined : 0;
  return type === 'eventBasedGateway' || (event?.kind === 'multiple' && event.parallel) ? part : undefined;
}

/** Nothing begins by itself, but what the modification says. */
function startModified(run: Run, variables: Variables, modification: ModifyInput): void {
  const whole = run.place(0);
  Object.assign(run.scope(0).variables, declared(whole.element.data ?? []));
  assignAll(run, 0, variables);
  const { initiator } = whole.element.startEvents.map((each) => run.place(each).element).find(isNoneStart) ?? {};
  if (initiator !== undefined && !Object.hasOwn(variables, initiator))
    assign(run, 0, initiator, typed(run.context.userId));
  modify(run, modification);
  if (whole.startListeners.length > 0) tellBegun(run, modification);
  if (whole.element.eventSubProcesses !== undefined) awaitInside(run, run.root);
}

/** As in Camunda the listeners of the process are told of what begins first. */
function tellBegun(run: Run, { instructions }: ModifyInput): void {
  const whole = run.place(0);
  const element = run.rules < 8 ? undefined : firstBegun(run, instructions);
  const token = element === undefined ? run.root : { ...run.root, element };
  notify(run, at(run, token, whole), whole.startListeners, 'start');
}

const isNoneStart = ({ type, event }: Element) => type === 'startEvent' && event === null;

function startNamed(run: Run, id: string): number {
  const found = run.place(0).element.startEvents.find((element) => run.place(element).element.id === id);
  if (found !== undefined) return found;
  throw badRequest(`expected process '${run.program.key}' to have start event '${id}', but it has none`);
}
