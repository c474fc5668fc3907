import { collection, type Document } from '../store/index.js';
import { apiTokens } from './api-token.js';
import { credentials } from './credential.js';
import { externalIdentities } from './external-identity.js';
import { secrets } from './secret.js';
import { lastSignIns, sessions } from './session.js';

/** A name that is taken among users and groups, which share their names. Id: the name, letter by letter. */
interface TakenName extends Document {
  readonly kind: 'user' | 'group';
  /** Of the profile's node. */
  readonly profileId: string;
}

export const takenNames = collection<TakenName>({ name: 'principalName', visible: () => false });

export const identityCollections = [
  ...[takenNames, credentials, externalIdentities],
  ...[sessions, lastSignIns, apiTokens, secrets],
];
