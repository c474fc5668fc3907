import assert from 'node:assert/strict';
import { identityApi } from '../../../src/identity/identity.js';
import { externalIdOf } from '../../../src/identity/index.js';
import type { JwtBearer } from '../../../src/server/provider/bearer-jwt.js';
import { ExternalUsers } from '../../../src/server/provider/external-users.js';
import { JwtSignIn } from '../../../src/server/provider/jwt-sign-in.js';
import { systemCaller } from '../../../src/shared/caller.js';
import type { Operation, PartitionPort } from '../../../src/store/index.js';
import { MemoryIdentity } from '../../identity/support/memory-identity.js';

const ISSUER = 'https://login.example';
const TOKEN = 'Bearer eyJ.eyJ.sig';

describe('sign-in by a JSON Web Token', () => {
  let identity: MemoryIdentity;
  let bearer: JwtBearer | 'expired' | 'unknown';
  let now: number;
  beforeEach(() => {
    identity = new MemoryIdentity();
    identity.user('ann');
    bearer = { subject: '1', claims: { preferred_username: 'bob', groups: ['it'] }, expiresAt: 2_000 };
    now = 1_000;
  });
  const wayOf = (makesUsers: boolean) => {
    const mapping = [{ claim: 'groups', value: 'it', kind: 'role' as const, id: 'deployer' }];
    const users = new ExternalUsers(identity.directory, { oidcNameClaim: 'preferred_username', claimMapping: mapping });
    users.open({
      sendAsSystem: async <I, A>(operation: Operation<I, A>, input: I) =>
        identity.send(operation, input, systemCaller('system')),
    } as PartitionPort);
    const refuse = () => assert.fail('counted as one that nobody was given');
    const clock = { now: () => now };
    return new JwtSignIn({
      verifier: { verify: async () => bearer },
      issuer: ISSUER,
      users,
      makesUsers,
      clock,
      refuse,
    });
  };
  const reasonOf = (way: JwtSignIn) =>
    way.prove(TOKEN, '10.0.0.1').then(
      ({ userId }) => userId,
      (thrown: Error & { code: string }) => `${thrown.code}: ${thrown.message}`,
    );
  const link = (username: string) =>
    identity.send(identityApi.linkExternalIdentity, { username, issuer: ISSUER, subject: '1' });

  it('takes what has the form of one', () => {
    const way = wayOf(false);
    for (const header of ['Bearer eyJ.eyJ.x', 'bearer eyJ.eyJ.']) assert.ok(way.takes(header), header);
    for (const header of ['Bearer mrt_x', 'Basic eyJ.eyJ.x', 'Bearer', 'Bearer x', 'Bearer eyJ.eyJ.x.y.z'])
      assert.ok(!way.takes(header), header);
  });

  it('is of the user whom the issuer knows by its subject, as long as that is so and the token counts', async () => {
    const way = wayOf(false);
    link('ann');
    const proven = await way.prove(TOKEN, '10.0.0.1');
    assert.deepEqual(proven, { userId: 'ann', proof: { way: 'jwt', id: externalIdOf(ISSUER, '1'), expiresAt: 2_000 } });
    assert.equal(way.stands(proven), true);
    now = 2_000;
    assert.equal(way.stands(proven), false);
    now = 1_000;
    identity.send(identityApi.unlinkExternalIdentity, { id: externalIdOf(ISSUER, '1') });
    assert.equal(way.stands(proven), false);
  });

  it('is of nobody where the subject is nobody here, whatever name its claims have', async () => {
    bearer = { subject: '2', claims: { preferred_username: 'ann', email: 'ann@example.com' }, expiresAt: 2_000 };
    assert.match(await reasonOf(wayOf(false)), /^UNAUTHORIZED: .*nobody here/);
    assert.match(await reasonOf(wayOf(true)), /^UNAUTHORIZED: .*no user can be made.*'ann' already/);
  });

  it('makes a user at its first token where that is set, with what its claims give; later ones change nothing', async () => {
    const way = wayOf(true);
    assert.deepEqual(await Promise.all([reasonOf(way), reasonOf(way)]), ['bob', 'bob']);
    assert.deepEqual(identity.directory.rolesOf('bob'), ['deployer']);
    bearer = { subject: '1', claims: { preferred_username: 'eve' }, expiresAt: 2_000 };
    assert.equal(await reasonOf(way), 'bob');
    assert.deepEqual(identity.directory.rolesOf('bob'), ['deployer']);
  });

  it('lets service accounts in, which are linked', async () => {
    identity.send(identityApi.createUser, { username: 'robot', service: true });
    link('robot');
    assert.equal(await reasonOf(wayOf(false)), 'robot');
  });

  it('says of one that has expired that it has, and counts what never was one', async () => {
    bearer = 'expired';
    assert.match(await reasonOf(wayOf(true)), /^UNAUTHORIZED: .*has expired/);
    bearer = 'unknown';
    assert.match(await reasonOf(wayOf(true)), /counted as one that nobody was given/);
  });
});
