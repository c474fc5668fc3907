import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import {
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { openDatabase } from '../../src/store/sqlite.js';
import { api } from '../graphql/support/api-schema.js';
import type { GraphqlClient } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';

/** Arguments that name what a mutation is about, or what it makes (a route's group is the folder of its file): entries may have these, and nothing else of what was given. */
const NAMING = /^(path|id|names?|messageName|username|group)$|(Id|[dD]efinitionKey)$/;

/** Texts that occur nowhere else, by where they were given. */
class RareTexts {
  readonly given = new Map<string, string>();

  /** One that is given at this place of a mutation: `createUser.input.password`. */
  at(place: string): string {
    const text = `zq${this.given.size}x${Math.random().toString(36).slice(2)}`;
    this.given.set(text, place);
    return text;
  }

  /** A value of the type, with rare texts wherever it has any. */
  value(type: GraphQLInputType, place: string, depth = 0): unknown {
    if (isNonNullType(type)) return this.value(type.ofType, place, depth);
    if (isListType(type)) return [this.value(type.ofType, place, depth)];
    if (isEnumType(type)) return type.getValues()[0]?.name;
    if (isInputObjectType(type)) {
      const fields = depth > 4 ? [] : Object.values(type.getFields());
      return Object.fromEntries(
        fields.map(({ name, type: of }) => [name, this.value(of, `${place}.${name}`, depth + 1)]),
      );
    }
    const make = SCALARS[type.name] ?? assert.fail(`expected a scalar that is known, but found '${type.name}'`);
    return make(() => this.at(place));
  }
}

const SCALARS: Readonly<Record<string, (rare: () => string) => unknown>> = {
  String: (rare) => rare(),
  ID: (rare) => rare(),
  Int: () => 1,
  Float: () => 1.5,
  Boolean: () => true,
  DateTime: () => '2030-01-01T00:00:00Z',
  Long: () => '1',
  JSON: (rare) => ({ [rare()]: rare() }),
  Base64: (rare) => Buffer.from(rare()).toString('base64'),
};

/** Sends the mutation with rare texts as all that it takes; it may do something, or refuse. */
async function send(client: GraphqlClient, { name, args, type }: GraphQLField<unknown, unknown>, rare: RareTexts) {
  const declared = args.map((argument) => `$${argument.name}: ${argument.type}`).join(', ');
  const given = args.map((argument) => `${argument.name}: $${argument.name}`).join(', ');
  const selection = isCompositeType(getNamedType(type)) ? ' { __typename }' : '';
  const [head, call] = args.length === 0 ? ['', name] : [` (${declared})`, `${name}(${given})`];
  const variables = Object.fromEntries(
    args.map((argument) => [argument.name, rare.value(argument.type, `${name}.${argument.name}`)]),
  );
  const reply = await client.ask(`mutation${head} { ${call}${selection} }`, { variables });
  assert.ok(reply.status < 500, `${name}: ${JSON.stringify(reply.errors)}`);
  const invalid = reply.errors?.find(({ extensions }) => extensions.reason === 'validation_failed');
  assert.equal(invalid, undefined, `${name}: ${invalid?.message}`);
}

/** All that the audit logs of a data folder hold, as text. */
function auditLogsOf(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /records\.db$/.test(name));
  assert.ok(files.length >= 2);
  return files
    .flatMap((name) => {
      const database = openDatabase(join(folder, name), { readOnly: true });
      const bodies = database.prepare('SELECT body FROM entry').all();
      database.close();
      return bodies.map(({ body }) => inflateRawSync(body as Uint8Array).toString());
    })
    .join('\n');
}

describe('what the audit log holds', function () {
  this.timeout(120_000);
  let server: LiveServer;
  let isEnded = false;
  before(async () => {
    server = await liveServer({ users: [{ userId: 'ann' }] });
  });
  after(async () => {
    if (!isEnded) await server.end();
    await server.remove();
  });

  const rare = new RareTexts();
  const mutations = Object.values(api.schema.getMutationType()?.getFields() ?? {});

  it('is asked of all mutations, by an administrator and by one who is none', async () => {
    assert.ok(mutations.length > 50);
    for (const [userId, workspace] of [
      ['admin', 'system'],
      ['admin', 'web'],
      ['ann', 'web'],
    ] as const)
      for (const mutation of mutations) await send(server.as(userId, workspace), mutation, rare);
  });

  it('is asked of changes that are made, with passwords, tokens, variables and bytes', async () => {
    const [system, web] = [server.as('admin', 'system'), server.as('admin')];
    const password = rare.at('made.password');
    await system.run('mutation ($input: CreateUserInput!) { createUser(input: $input) { errors { code } } }', {
      input: { username: 'carl', password, displayName: rare.at('made.displayName'), mail: rare.at('made.mail') },
    });
    await system.run('mutation ($input: ResetPasswordInput!) { resetPassword(input: $input) { errors { code } } }', {
      input: { username: 'carl', newPassword: rare.at('made.newPassword') },
    });
    const made = (await system.run(
      'mutation { createApiToken(input: { name: "t", scopes: [READ] }) { secret } }',
    )) as unknown as { readonly createApiToken: { readonly secret: string } };
    rare.given.set(made.createApiToken.secret, 'made.secret');
    await web.run('mutation ($input: CreateFileInput!) { createFile(input: $input) { path } }', {
      input: {
        ...{ path: '/content', name: 'made.txt', mimeType: 'text/plain' },
        content: Buffer.from(rare.at('made.content')).toString('base64'),
      },
    });
    const variables = [{ name: rare.at('made.variable'), value: rare.at('made.value') }];
    const input = { definitionKey: 'incident-handling', businessKey: rare.at('made.business'), variables };
    const { startProcess } = await web.run(
      'mutation ($input: StartProcessInput!) { startProcess(input: $input) { id } }',
      { input },
    );
    await web.run(
      'mutation ($id: ID!, $variables: [ProcessVariableInput!]!) { setProcessVariables(processInstanceId: $id, variables: $variables) { id } }',
      { id: startProcess.id, variables: [{ name: 'v', value: rare.at('made.changed') }] },
    );
    await assert.rejects(signIn(server, password));
  });

  it('is names alone', async () => {
    await server.end();
    isEnded = true;
    const log = auditLogsOf(server.folder);
    assert.ok(
      log.includes('resetPassword') && log.includes('setProcessVariables') && log.includes('/content/made.txt'),
    );
    const found = [...rare.given].filter(([text]) => log.includes(text)).map(([, place]) => place);
    const values = new Set(found.filter((place) => !NAMING.test(place.split('.').at(-1) ?? '')));
    assert.deepEqual([...values], []);
    assert.ok(found.length > 20, 'what was named is there');
  });
});

/** A sign-in with a password that was right once. */
const signIn = async (server: LiveServer, password: string): Promise<void> => {
  const response = await fetch(`${server.baseUrl}/bin/graphql.cgi/web`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Basic ${btoa(`carl:${password}`)}` },
    body: JSON.stringify({ query: '{ me { username } }' }),
  });
  if (response.status !== 200) throw new Error(`${response.status}`);
};
