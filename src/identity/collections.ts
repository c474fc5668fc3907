import { collection, type Document } from '../store/index.js';

/** A name that is taken among users and groups, which share their names. Id: the name, letter by letter. */
interface TakenName extends Document {
  readonly kind: 'user' | 'group';
  /** Of the profile's node. */
  readonly profileId: string;
}

export const takenNames = collection<TakenName>({ name: 'principalName', visible: () => false });

/** What a user signs in by. Id: the username. It is in no node, and nobody is shown it. */
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

export const identityCollections = [takenNames, credentials];
