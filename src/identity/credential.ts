import { collection, type Document, type State } from '../store/index.js';

/** A password as operations are given it: hashed, by whoever sends them. */
export interface PasswordInput {
  /** Argon2id, in PHC form. */
  readonly password: string;
}

/** The password of a user, hashed. Id: the username. It is in no node, and nobody is shown it. */
export interface Credential extends Document {
  /** Argon2id, in PHC form. */
  readonly hash: string;
  /** Another one with each password. */
  readonly version: string;
  /** When the password was set, ms. */
  readonly since: number;
  /** Of the administrator: the hash of the password that the operator has set last. */
  readonly givenHash?: string;
}

export const credentials = collection<Credential>({ name: 'credential', visible: () => false });

/** The credential of a password that was set just now. */
export const newCredential = (
  { ids, now }: Pick<State, 'ids' | 'now'>,
  username: string,
  hash: string,
): Credential => ({
  id: username,
  hash,
  version: ids.next(),
  since: now,
});
