import { randomBytes } from 'node:crypto';
import { credentials, ensureInputKey, ensurePrincipals, identityDomain } from '../../identity/index.js';
import type { PartitionPort } from '../../store/index.js';
import { takeOverSessionFile } from '../session/session-file.js';
import type { IdentityNeeds, OpenDomain } from './domain.js';
import { SYSTEM_PARTITION } from './workspaces.js';

/** Users, groups and roles, which are nodes of `system`, and the directory of them that follows its commits. */
export function openIdentity(needs: IdentityNeeds): OpenDomain {
  const { directory, sessions, tokens, externalUsers, sessionFile } = needs;
  const ofSystem = (id: string) => id === SYSTEM_PARTITION;
  return {
    domain: identityDomain,
    opening: ({ id, replica }) => {
      if (!ofSystem(id)) return;
      directory.fill(replica);
      sessions.fill(replica);
      tokens.fill(replica);
    },
    prepare: async (partition) => {
      if (!ofSystem(partition.id)) return;
      await makeFirst(needs, partition);
      await partition.sendAsSystem(ensureInputKey, { value: randomBytes(32).toString('base64url') });
      await takeOverSessionFile(sessionFile, directory, partition);
      sessions.open(partition);
      externalUsers.open(partition);
    },
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
