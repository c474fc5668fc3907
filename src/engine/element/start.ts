import { badRequest } from '../../shared/errors.js';
import type { Variables } from './instance-state.js';
import { notify } from './listener.js';
import { typed } from './native.js';
import type { Run } from './run.js';
import { noneStart } from './sub-process.js';
import { assign, assignAll } from './variables.js';

/** The instance begins at the start event of this id; null: at its none start event. @throws BAD_REQUEST where there is no such start event */
export function start(run: Run, id: string | null, variables: Variables): void {
  const whole = run.place(0);
  const element = id === null ? noneStart(run, whole) : startNamed(run, id);
  const { initiator } = run.place(element).element;
  assignAll(run, 0, variables);
  const isGiven = initiator !== undefined && Object.hasOwn(variables, initiator) && !run.isFormer;
  if (initiator !== undefined && !isGiven) assign(run, 0, initiator, typed(run.context.userId));
  const token = run.spawn(element, 0, null);
  if (whole.startListeners.length > 0) notify(run, { token, place: whole, scope: 0 }, whole.startListeners, 'start');
  run.moving.push(token);
}

function startNamed(run: Run, id: string): number {
  const found = run.place(0).element.startEvents.find((element) => run.place(element).element.id === id);
  if (found !== undefined) return found;
  throw badRequest(`expected process '${run.program.key}' to have start event '${id}', but it has none`);
}
