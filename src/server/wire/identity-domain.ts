import { randomBytes } from 'node:crypto';
import {
  catchUp,
  credentials,
  ensureInputKey,
  ensurePrincipals,
  identityDomain,
  type NamingPartitions,
  resumeChanges,
} from '../../identity/index.js';
import type { PartitionPort } from '../../store/index.js';
import { HOUR_MS } from '../maintenance/recurring.js';
import { takeOverSessionFile } from '../session/session-file.js';
import type { DomainNeeds, IdentityNeeds, OpenDomain } from './domain.js';
import { knownPartitions, SYSTEM_PARTITION } from './workspaces.js';

/** Users, groups and roles, which are nodes of `system`, and the directory of them that follows its commits. */
export function openIdentity({ identity, store, requestsOver }: DomainNeeds): OpenDomain {
  const { directory, sessions, tokens, externalUsers, sessionFile } = identity;
  const ofSystem = (id: string) => id === SYSTEM_PARTITION;
  const naming = (): NamingPartitions => ({
    known: () => knownPartitions(store()),
    find: (id) => store().partitions.find((one) => one.id === id),
    changeName: store().changeName,
    requestsOver,
  });
  return {
    domain: identityDomain(naming),
    opening: ({ id, replica }) => {
      if (!ofSystem(id)) return;
      directory.fill(replica);
      sessions.fill(replica);
      tokens.fill(replica);
    },
    beginning: async (partition) => {
      if (!ofSystem(partition.id)) await catchUp(store().find(SYSTEM_PARTITION), partition, naming());
    },
    prepare: async (partition) => {
      if (!ofSystem(partition.id)) return;
      await makeFirst(identity, partition);
      await partition.sendAsSystem(ensureInputKey, { value: randomBytes(32).toString('base64url') });
      await takeOverSessionFile(sessionFile, directory, partition);
      sessions.open(partition);
      externalUsers.open(partition);
    },
    recurring: [
      {
        name: 'names that are given up',
        everyMs: HOUR_MS,
        work: () => resumeChanges(store().find(SYSTEM_PARTITION), naming()),
      },
    ],
    followers: (partition) => (ofSystem(partition) ? [directory, sessions, tokens] : []),
  };
}

/** Makes the principals that every server has, and the given ones; a password that the operator has set anew counts from now on. */
async function makeFirst(
  { directory, passwords, adminPassword, users }: IdentityNeeds,
  system: PartitionPort,
): Promise<void> {
  const known = system.replica.read().get(credentials, 'admin')?.givenHash;
  const isKnown = known !== undefined && (await passwords.verify(known, adminPassword));
  const missing = users.filter(({ userId }) => directory.find(userId) === undefined);
  const made = await Promise.all(
    missing.map(async ({ userId, displayName, password, groups, roles }) => ({
      username: userId,
      displayName: displayName ?? null,
      password: password === undefined ? null : await passwords.hash(password),
      groups: (groups ?? []).filter((group) => group !== 'everyone'),
      roles: roles ?? [],
    })),
  );
  await system.sendAsSystem(ensurePrincipals, {
    users: made,
    adminPassword: isKnown ? null : await passwords.hash(adminPassword),
  });
}
