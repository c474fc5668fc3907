import { activate, waitingGateways } from '../element/complex-gateway.js';
import type { Token } from '../element/instance-state.js';
import type { Led, Migrated, MigrateInput } from '../element/move.js';
import type { Run } from '../element/run.js';
import { assignAll } from '../element/variables.js';
import { leadResting } from './lead-resting.js';
import { take } from './take.js';

/** The instance goes on by the program of the run. It was looked at before whether it can. */
export function migrate(run: Run, { type: _, variables, resting = {}, ...migration }: MigrateInput): void {
  const move: Migrated = { ...migration, n: run.number(), to: run.context.definitionId };
  assignAll(run, 0, variables);
  const before = new Map(run.state.tokens.map((token) => [token, token.scope]));
  let led: readonly Led[] = [];
  take(run, move, run.state, (moving, added) => {
    led = leadResting(moving, added, resting);
  });
  for (const [token, scope] of before) if (token.scope !== scope) keepHere(run, token);
  for (const { place, scope } of waitingGateways(run)) activate(run, place, scope);
  if (run.isLarge) run.state.moves = [...(run.state.moves ?? []), led.length === 0 ? move : { ...move, led }];
}

/** What is away in a large scope of the token's is found without it, so it may not be away itself from now on. */
function keepHere(run: Run, token: Token): void {
  if (run.find(token.scope)?.size !== undefined) token.stays = true;
}
