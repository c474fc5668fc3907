import { Change, isAsking } from '../../content/index.js';
import type { Caller } from '../../shared/caller.js';
import { mayAdminister } from '../../shared/rights/roles.js';
import { type Asking, type CommandContext, type Operation, operation } from '../../store/index.js';
import { requireAdministratorLeft } from '../administrators.js';
import { Homes } from '../homes.js';
import { refusal } from '../refusal.js';

/** The answer of operations on a user. */
export interface UserAnswer {
  readonly username: string;
}

/** An operation on users, groups and roles, which alone change the nodes that say who somebody is. */
export const identityOperation = <I, A>(
  name: string,
  apply: (homes: Homes, input: I, context: CommandContext) => A | Asking,
): Operation<I, A> =>
  operation(name, (state, input: I, context) => {
    const homes = new Homes(new Change(state, context.caller, context.answers, true));
    const answer = apply(homes, input, context);
    if (isAsking(answer)) return answer;
    requireAdministratorLeft(homes);
    const decision = homes.change.decision(answer as A);
    return { ...decision, events: [...(decision.events ?? []), ...homes.events] };
  });

/** As {@link identityOperation}, for administrators alone. */
export const administratorOperation = <I, A>(
  name: string,
  apply: (homes: Homes, input: I, context: CommandContext) => A | Asking,
): Operation<I, A> =>
  identityOperation(name, (homes, input: I, context) => {
    requireAdministrator(context.caller, name);
    return apply(homes, input, context);
  });

/** @throws ACCESS_DENIED */
export function requireAdministrator(caller: Caller, what: string): void {
  if (mayAdminister(caller)) return;
  throw refusal('ACCESS_DENIED', `expected an administrator to ${what}, but '${caller.userId}' is none`);
}

/** Requires that an administrator does not change the own account by what is for those of others. @throws SELF_MODIFICATION_FORBIDDEN */
export function requireOther(caller: Caller, username: string): void {
  if (caller.userId !== username) return;
  throw refusal(
    'SELF_MODIFICATION_FORBIDDEN',
    `expected another account than the caller's own, '${username}'`,
    'username',
  );
}

/** The longest text that a principal is shown by. */
const TEXT_MAX = 1_000;

/** The text as it is kept. @throws INVALID_INPUT it is too long */
export function requireText(text: string, field: string): string {
  if (text.length <= TEXT_MAX) return text;
  throw refusal(
    'INVALID_INPUT',
    `expected at most ${TEXT_MAX} characters in '${field}', but found ${text.length}`,
    field,
  );
}
