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
  /** The long job that takes the name out of all documents: nobody has it any more, and nobody may take it before that is through. */
  readonly leaving?: string;
}

export const takenNames = collection<TakenName>({ name: 'principalName', visible: () => false });

/** A user or a group that goes, or a group that is given another name, as long as there are workspaces that know nothing of it. Ids: in their order. */
export interface PrincipalChange extends Document {
  readonly kind: 'user' | 'group';
  readonly from: string;
  /** null: it goes. */
  readonly to: string | null;
  /** Of the profile's node. */
  readonly profileId: string;
  /** The long job that makes it in each workspace; null: that is through, and workspaces are left that were stopped meanwhile. */
  readonly jobId: string | null;
  /** Ids of the workspaces in which it is not made yet; null: not listed yet, so all are. */
  readonly workspaces: readonly string[] | null;
}

export const principalChanges = collection<PrincipalChange>({
  name: 'principalChange',
  columns: { id: (it) => it.id, jobId: (it) => it.jobId, changing: (it) => (it.jobId === null ? null : it.profileId) },
  indexes: { order: { columns: ['id'] }, job: { columns: ['jobId', 'id'] }, changing: { columns: ['changing'] } },
  visible: () => false,
});

export const identityCollections = [
  ...[takenNames, principalChanges, credentials, externalIdentities],
  ...[sessions, lastSignIns, apiTokens, secrets],
];
