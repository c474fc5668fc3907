import { type Caller, type Cause, type Proof, type Scope, SYSTEM_USER, systemCaller } from './caller.js';
import { ServiceError } from './errors.js';
import { type PrincipalRights, type Principals, rightsOf } from './principals.js';

/** Gives callers the groups and roles of this moment, whenever they came. */
export class RightsOfNow {
  readonly #principals: Omit<Principals, 'describe' | 'verifyPassword'>;
  readonly #counts: (proof: Proof) => boolean;

  /** `counts`: whether a proof that is limited to a scope has not ended. Default: it has not. */
  constructor(
    principals: Omit<Principals, 'describe' | 'verifyPassword'>,
    counts: (proof: Proof) => boolean = () => true,
  ) {
    this.#principals = principals;
    this.#counts = counts;
  }

  /**
   * The caller with its rights of now. @throws UNAUTHORIZED when there is no such user any more, be it that another one has the name, or it is disabled, or
   * its token has ended
   */
  of(caller: Caller): Caller {
    const { proof } = caller;
    if (proof?.scope !== undefined && !this.#counts(proof)) throw tokenGone(proof.scope);
    return this.#renewed(caller);
  }

  /** Whether there is such a user, who is enabled. `principalId`: who that was; null: whoever has the name. */
  mayAct({ userId, principalId }: { readonly userId: string; readonly principalId: string | null }): boolean {
    return userId === SYSTEM_USER || this.#of(userId, principalId ?? undefined) !== undefined;
  }

  /** Whoever a job acts for, with the rights of now. What a user has set off goes on when that is disabled or gone, with no group and no role. */
  ofJob(userId: string, workspace: string, cause: Cause): Caller {
    if (userId === SYSTEM_USER) return systemCaller(workspace, cause);
    return { userId, ...(this.#of(userId) ?? NONE), sessionId: null, workspace, cause };
  }

  #renewed(caller: Caller): Caller {
    const { userId, principalId, cause } = caller;
    if (userId === SYSTEM_USER) return caller;
    const rights = this.#of(userId, principalId) ?? (cause.jobId === undefined ? undefined : NONE);
    if (rights !== undefined) return isOf(caller, rights) ? caller : { ...caller, ...rights };
    throw new ServiceError('UNAUTHORIZED', `expected a user who may act, but '${userId}' is disabled or gone`, {
      reason: 'user_gone',
    });
  }

  #of(userId: string, principalId?: string): PrincipalRights | undefined {
    const principals = this.#principals;
    const known = principals.find(userId);
    if (known?.enabled !== true || known.principalId !== (principalId ?? known.principalId)) return undefined;
    return rightsOf(principals, userId);
  }
}

const NONE: PrincipalRights = { groups: [], roles: [], made: new Map() };

/** Whether it has these: they are the same as long as nobody's change. */
const isOf = ({ groups, roles, made }: Caller, rights: PrincipalRights): boolean =>
  groups === rights.groups && roles === rights.roles && made === rights.made;

const tokenGone = ({ name }: Scope) =>
  new ServiceError('UNAUTHORIZED', `expected a token that counts, but '${name}' has ended`, { reason: 'wrong_token' });
