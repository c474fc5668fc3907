import type { Proof } from '../../shared/caller.js';
import { ServiceError } from '../../shared/errors.js';

/** Who a request shows that it comes from. */
export interface Proven {
  readonly userId: string;
  readonly proof: Proof;
}

/** A way in which requests show with their header `Authorization` who sends them. */
export interface SignInWay {
  /** As its proofs say. */
  readonly name: Proof['way'];
  /** Whether a header is of this way. */
  takes(authorization: string): boolean;
  /** @throws UNAUTHORIZED, RATE_LIMITED */
  prove(authorization: string, address: string): Proven | Promise<Proven>;
  /** Whether what was proven still counts; asked of enabled users alone. */
  stands(proven: Proven): boolean;
}

/** Counts a bearer's token that nobody was given as a failed sign-in from the address. @throws UNAUTHORIZED, RATE_LIMITED */
export type RefuseUnknown = (address: string) => never;

/** The refusal of a name and a password. */
export const wrongCredentials = () =>
  new ServiceError('UNAUTHORIZED', 'expected a user who may sign in and the right password', {
    reason: 'wrong_credentials',
  });

/** The refusal of a password where none is taken. */
export const noPasswords = () =>
  new ServiceError('UNAUTHORIZED', 'expected a sign-in with the provider: this server takes no passwords', {
    reason: 'local_sign_in_off',
  });

/** The refusal of a bearer's token. */
export const wrongToken = (found: string) =>
  new ServiceError('UNAUTHORIZED', `expected a token that counts, but found ${found}`, { reason: 'wrong_token' });
