import { nextOfCycle, shifted } from '../../expression/index.js';
import { type Waiting, waitOf } from './catch-event.js';
import type { Armed, Input } from './instance-state.js';
import { createJob } from './park.js';
import type { Run } from './run.js';

/** So many times of one cycle may have failed, and be tried again beside it; then it waits for one of them. */
export const CYCLE_FAILED_MAX = 10;

/** A time of a cycle has failed: the next one is awaited beside it. Nothing happens where that is not wanted any more, or would end what it is for. */
export function goOnBeside(run: Run, { jobId, shift }: Extract<Input, { type: 'cycle' }>): void {
  const found = waitOf(run, jobId);
  if (found?.armed === undefined || !comesAgain(run, found, found.armed)) return;
  if (shift !== undefined) moveCycle(found, shift);
  const { token, scope, armed } = found;
  const { wait } = armed;
  const all = scope === undefined ? (token.boundaries ?? []) : (scope.events ?? []);
  if (wait.kind !== 'job' || wait.repeat === undefined || failedOf(armed, all) >= CYCLE_FAILED_MAX) return;
  const { repeat, ...failed } = wait;
  const next = nextOfCycle(repeat, run.context.now);
  armed.wait = failed;
  if (next === null) return;
  const details = { of: 'timer', dueAt: next.at, repeat: next.repeat } as const;
  all.push({ ...armed, wait: createJob(run, token, run.place(armed.element), details) });
}

/** Whether the event is awaited again once it has come: at an activity, or in a scope, that it does not interrupt; or by a listener. */
function comesAgain(run: Run, { scope }: Waiting, { element, listener, part }: Armed): boolean {
  const { interrupting, attachedTo } = run.place(element).element;
  if (part !== undefined) return false;
  return listener !== undefined || ((scope !== undefined || attachedTo !== null) && !interrupting);
}

/** How many times of the cycle have failed and are tried again. */
const failedOf = ({ element, listener }: Armed, all: readonly Armed[]): number =>
  all.filter((it) => it.element === element && it.listener === listener).length - 1;

/** An operator has moved the timer, and with it the later times of its cycle. */
export function moveCycle({ armed }: Waiting, ms: number): void {
  if (armed?.wait.kind !== 'job' || armed.wait.repeat === undefined) return;
  armed.wait = { ...armed.wait, repeat: shifted(armed.wait.repeat, ms) };
}
