import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { GraphQLResolveInfo } from 'graphql';
import { apiResolvers } from '../../src/graphql/api-resolvers.js';
import { type Scope, systemCaller } from '../../src/shared/caller.js';
import { ServiceError } from '../../src/shared/errors.js';

const NOTHING: Scope = { name: 'ci', access: [], workspaces: [], domains: [] };
const EVERYTHING: Scope = { name: 'ci', access: ['READ', 'WRITE'], workspaces: null, domains: null };

type Resolve = (root: unknown, args: object, context: object, info: Partial<GraphQLResolveInfo>) => unknown;
type Field = Resolve | { readonly subscribe: Resolve };

/** Every root field by its type and name, with what is asked first. */
const roots = (['Query', 'Mutation', 'Subscription'] as const).flatMap((root) =>
  Object.entries(apiResolvers[root] as Record<string, Field>).map(([field, resolver]) => ({
    root,
    field,
    resolve: typeof resolver === 'function' ? resolver : resolver.subscribe,
  })),
);

type Noted = Readonly<Record<'userId' | 'type' | 'outcome', string>>;
/** What was noted as refused. */
const noted: string[] = [];

/** What is missing, or why it may never be, where a token of that scope asks; undefined: it goes on to what there is to do. */
async function refusedTo(scope: Scope, { field, resolve }: (typeof roots)[number]): Promise<unknown> {
  const caller = { ...systemCaller('web'), userId: 'ann', proof: { way: 'token', id: 't1', scope } };
  const note = (_: string, { userId, type, outcome }: Noted) => void noted.push(`${userId} ${type} ${outcome}`);
  const context = { caller, workspace: { partition: { id: 'w1' } }, services: { audit: { note } } };
  try {
    await resolve({}, {}, context, { fieldName: field });
  } catch (thrown) {
    if (!(thrown instanceof ServiceError) || thrown.code !== 'FORBIDDEN') return undefined;
    const { reason, details } = thrown.info;
    return reason === 'token_scope' ? (details as { readonly missing: unknown }).missing : reason;
  }
  return undefined;
}

const without = (more: Partial<Scope>): Scope => ({ ...EVERYTHING, ...more });
const namesOf = async (scope: Scope, isWanted: (missing: unknown) => boolean) => {
  const found: string[] = [];
  for (const one of roots) if (isWanted(await refusedTo(scope, one))) found.push(one.field);
  return found;
};

describe('the scope of a token', () => {
  it('is asked for at every root field, and each mutation that is out of it is noted', async () => {
    assert.ok(roots.length > 100);
    noted.length = 0;
    assert.deepEqual(await namesOf(NOTHING, (missing) => missing === undefined), []);
    assert.deepEqual(
      noted,
      roots.flatMap(({ root, field }) => (root === 'Mutation' ? `ann ${field} FORBIDDEN` : [])),
    );
  });

  it('is reading for queries and subscriptions, writing for mutations', async () => {
    for (const one of roots) {
      const [access, other] = one.root === 'Mutation' ? (['WRITE', 'READ'] as const) : (['READ', 'WRITE'] as const);
      const found = await refusedTo(without({ access: [other] }), one);
      if (found !== 'token_may_not') assert.deepEqual(found, { scope: access }, one.field);
    }
  });

  it('is of one workspace, by its id', async () => {
    for (const one of roots) {
      const found = await refusedTo(without({ workspaces: ['w2', 'web'] }), one);
      if (found !== 'token_may_not') assert.deepEqual(found, { workspace: 'web' }, one.field);
      assert.notDeepEqual(await refusedTo(without({ workspaces: ['w1'] }), one), { workspace: 'web' });
    }
  });

  it('is of `system`, too, for what lies in no domain, wherever it is asked', async () => {
    const ofOne = await namesOf(without({ workspaces: ['w1'] }), (missing) =>
      isDeepStrictEqual(missing, { workspace: 'system' }),
    );
    for (const field of ['me', 'createUser', 'auditLog', 'notify', 'systemNotification', 'apiTokens'])
      assert.ok(ofOne.includes(field), field);
    for (const field of ['node', 'tasks', 'createFolder', 'taskAssigned']) assert.ok(!ofOne.includes(field), field);
    for (const one of roots)
      assert.notDeepEqual(await refusedTo(without({ workspaces: ['w1', 'system'] }), one), { workspace: 'system' });
  });

  it('is of one domain; what lies in none is for tokens without such a limit', async () => {
    const domains = new Map<string, string | null>();
    for (const one of roots) {
      const found = await refusedTo(without({ domains: [] }), one);
      if (typeof found === 'object') domains.set(one.field, (found as { readonly domain: string | null }).domain);
    }
    const some = ['node', 'createFolder', 'jobProgress', 'nodeChanged', 'tasks', 'completeTask', 'taskAssigned'];
    assert.deepEqual(
      some.map((field) => domains.get(field)),
      ['CONTENT', 'CONTENT', 'CONTENT', 'CONTENT', 'BPM', 'BPM', 'BPM'],
    );
    const identity = ['me', 'users', 'createUser', 'apiTokens', 'revokeSession', 'avatarChanged', 'auditLog', 'notify'];
    for (const field of identity) assert.equal(domains.get(field), null, field);
    for (const one of roots) {
      const own = domains.get(one.field);
      if (own == null) continue;
      assert.equal((await refusedTo(without({ domains: [own as 'BPM'] }), one)) ?? null, null, one.field);
    }
  });

  it('is never making tokens and setting passwords', async () => {
    assert.deepEqual((await namesOf(EVERYTHING, (missing) => missing === 'token_may_not')).sort(), [
      ...['changePassword', 'createApiToken', 'resetPassword'],
    ]);
  });
});
