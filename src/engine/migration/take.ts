import { bundlesApart } from '../element/bundle.js';
import type { InstanceState } from '../element/instance-state.js';
import { asSeenBefore, noteTaken } from '../element/large-scope.js';
import type { Migrated } from '../element/move.js';
import { Run } from '../element/run.js';
import { type Added, addScopes } from './add-scopes.js';
import { goWhereLed } from './lead-resting.js';
import type { Moving } from './moving.js';
import { relabel } from './relabel.js';
import { removeScopes } from './remove-scopes.js';
import { rewire } from './rewire.js';

/** Tokens and scopes that take a migration. */
type Moved = Pick<InstanceState, 'tokens' | 'scopes'>;

/** These take the migration. `lead`: what else is to be done when the scopes are there that are added. */
export function take(
  run: Run,
  move: Migrated,
  { tokens, scopes }: Moved,
  lead?: (moving: Moving, added: Added) => void,
): void {
  const former = beside(run, move.from);
  // What is in a bundle takes its new place when that comes back.
  const { rest } = bundlesApart({ ...run.state, scopes: [...scopes] });
  const moving: Moving = { run, former, move, tokens: [...tokens], scopes: rest.scopes };
  for (const each of [former, run]) {
    each.silent = move.silent === true;
    each.unmapped = move.unmapped === true;
  }
  const asNow = asSeenBefore(run.state, move.n);
  removeScopes(moving);
  takeOver(run, former);
  run.changed.push(...former.changed);
  goWhereLed(run, move, moving.tokens);
  asNow();
  const asLater = asSeenBefore(run.state, move.n + 1);
  relabel(moving);
  const added = addScopes(moving);
  lead?.(moving, added);
  rewire(moving);
  asLater();
  if (run.rules >= 8) noteTaken(run.state, move, moving.tokens);
  run.silent = false;
  run.unmapped = false;
}

/** The run as it goes on by the program of another definition, on the same state. */
export function beside({ context, state, answered, businessKey }: Run, definitionId: string): Run {
  const program = context.program?.(definitionId);
  if (program === undefined) throw new RangeError(`expected the program of '${definitionId}' to be known`);
  return Object.assign(new Run(program, state, context), { answered, businessKey });
}

/** What happened beside the run happened in it. */
export function takeOver(run: Run, { effects, history, answered, businessKey }: Run): void {
  run.effects.push(...effects);
  run.history.push(...history);
  Object.assign(run, { answered, businessKey });
}
