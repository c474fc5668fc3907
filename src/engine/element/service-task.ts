import { at } from './at.js';
import type { Token } from './instance-state.js';
import { complete } from './leave.js';
import type { Place } from './prepared.js';
import type { Run } from './run.js';
import { work } from './work.js';

/** Service, script and business rule tasks do their work and go on. One without work passes, as a plain or manual task does. */
export function enterServiceTask(run: Run, token: Token, place: Place): void {
  const definition = place.element.work;
  if (definition === null || work(run, at(run, token, place), definition)) complete(run, token, place);
}
