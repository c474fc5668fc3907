import { arm, subscribe } from './arm.js';
import { at } from './at.js';
import { executionFailed } from './failure.js';
import type { Token } from './instance-state.js';
import { complete } from './leave.js';
import type { Place } from './prepared.js';
import type { Run } from './run.js';

/** An intermediate catch event waits for its timer, message or signal. A none event, which the standard does not know, passes. */
export function enterCatch(run: Run, token: Token, place: Place): void {
  if (place.element.event === null) {
    complete(run, token, place);
    return;
  }
  const wait = arm(run, token, place);
  if (wait === null) throw executionFailed(place, { expected: 'a timer that comes', cause: 'it never comes' });
  token.wait = wait;
}

/** A receive task waits for its message; one without any for a message with the name of its own id. */
export function enterReceiveTask(run: Run, token: Token, place: Place): void {
  if (place.element.event !== null) enterCatch(run, token, place);
  else token.wait = subscribe(run, at(run, token, place), 'message', place.element.id);
}
