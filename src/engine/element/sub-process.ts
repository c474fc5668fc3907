import { badRequest } from '../../shared/errors.js';
import { settle } from './activity.js';
import type { Token } from './instance-state.js';
import type { Place } from './prepared.js';
import type { Run } from './run.js';

/** BPMN 2.0 §10.3.5: the embedded sub-process begins at its none start event, and is complete when its last inner token is consumed. */
export function enterSubProcess(run: Run, token: Token, place: Place): void {
  const start = noneStart(run, place);
  token.wait = { kind: 'scope' };
  settle(run, token, place);
  run.moving.push(run.spawn(start, run.innermost(token), null));
}

/** The none start event of a process or sub-process. @throws BAD_REQUEST where there is none */
export function noneStart(run: Run, place: Place): number {
  const start = place.element.startEvents.find((element) => run.place(element).element.event === null);
  if (start !== undefined) return start;
  throw badRequest(
    `expected '${place.element.id}' to have a none start event, but it has only such as wait for a message, a signal or a time`,
    { reason: 'none_start_event_missing', resourceId: place.element.id },
  );
}
