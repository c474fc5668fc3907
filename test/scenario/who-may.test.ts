import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { api } from '../graphql/support/api-schema.js';
import type { ApiReply, GraphqlClient } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { sessionClient } from '../support/session-client.js';
import { Events } from './support/events.js';
import { BEN, ForeignThings } from './support/foreign-things.js';
import { keepExchanges, someExchange } from './support/kept-exchanges.js';
import { MUTATIONS, QUERIES, SUBSCRIPTIONS } from './support/root-fields.js';

/** Users of the table's columns, whoever may least first: what refuses leaves the thing as it is for the next. */
const USERS = ['plain', 'operator', 'deployer', 'supervisor', 'admin'] as const;

type Outcome = 'yes' | 'no' | 'hidden';
type Outcomes = Readonly<Record<(typeof USERS)[number], Outcome>>;

/** What the table in the page says of each field. */
function table(): ReadonlyMap<string, Outcomes> {
  const said = new Map<string, Outcomes>();
  for (const line of readFileSync('docs/rights.md', 'utf8').split('\n')) {
    const [, fields = '', ...cells] = line.split('|').map((cell) => cell.trim());
    const [admin, supervisor, deployer, operator, plain] = cells as Outcome[];
    if (admin === undefined || !/^(yes|no|hidden)$/.test(admin)) continue;
    for (const [, name = ''] of fields.matchAll(/`(\w+)`/g)) {
      assert.ok(!said.has(name), `${name} has one row`);
      said.set(name, { admin, supervisor, deployer, operator, plain } as Outcomes);
    }
  }
  return said;
}

const fieldsOf = (kind: 'Query' | 'Mutation' | 'Subscription'): string[] =>
  Object.keys(
    {
      Query: api.schema.getQueryType(),
      Mutation: api.schema.getMutationType(),
      Subscription: api.schema.getSubscriptionType(),
    }[kind]?.getFields() ?? {},
  );

const REFUSALS: ReadonlySet<string> = new Set(['FORBIDDEN', 'ACCESS_DENIED']);

/** What became of a call, as the table tells it. */
function outcomeOf({ data, errors }: ApiReply): Outcome {
  const answer = (data as { readonly it?: unknown } | null | undefined)?.it;
  const inBand = (answer as { readonly errors?: readonly { readonly code: string }[] | null } | null)?.errors?.[0]
    ?.code;
  const code = errors?.[0]?.extensions.code ?? inBand;
  if (code !== undefined && REFUSALS.has(code)) return 'no';
  if (code === 'NOT_FOUND' || /_not_found$/.test(errors?.[0]?.extensions.reason ?? '')) return 'hidden';
  assert.equal(code, undefined, JSON.stringify(errors ?? answer));
  return isNothing(answer) ? 'hidden' : 'yes';
}

function isNothing(answer: unknown): boolean {
  if (answer === null || answer === false) return true;
  if (Array.isArray(answer)) return answer.length === 0;
  const { edges, total } = answer as { readonly edges?: readonly unknown[]; readonly total?: number };
  return edges?.length === 0 || total === 0;
}

// Slow: each field of the API is called by each of five users.

describe('who may do and see what', function () {
  this.timeout(120_000);
  const said = table();
  let server: LiveServer;
  let things: ForeignThings;
  const clients = new Map<string, GraphqlClient>();
  before(async () => {
    server = await liveServer({
      users: [
        { userId: 'plain' },
        { userId: 'operator', roles: ['operator'] },
        { userId: 'deployer', roles: ['deployer'] },
        { userId: 'supervisor', roles: ['supervisor'] },
        { userId: BEN },
      ],
    });
    keepExchanges(server.folder, [], [someExchange('kept', 0)]);
    for (const user of USERS) clients.set(user, server.as(user, 'system'));
    const admin = server.as('admin', 'system');
    things = new ForeignThings(admin, server.as(BEN, 'system'), () => sessionClient(server, BEN));
    await things.prepare();
    await things.session();
  });
  after(() => server.remove());

  const clientOf = (user: string) => clients.get(user) ?? server.as(undefined, 'system');

  it('is told of each field of the API, and of no other', () => {
    const fields = (['Query', 'Mutation', 'Subscription'] as const).flatMap(fieldsOf);
    assert.deepEqual([...said.keys()].sort(), [...new Set(fields)].sort());
    assert.deepEqual(Object.keys(QUERIES).sort(), fieldsOf('Query').sort());
    assert.deepEqual(Object.keys(MUTATIONS).sort(), fieldsOf('Mutation').sort());
    assert.deepEqual(Object.keys(SUBSCRIPTIONS).sort(), fieldsOf('Subscription').sort());
  });

  for (const [kind, calls] of Object.entries({ query: QUERIES, mutation: MUTATIONS }))
    for (const [name, call] of Object.entries(calls))
      it(`is what the table says: ${kind} ${name}`, async () => {
        let text: string | undefined;
        const found: Partial<Record<string, Outcome>> = {};
        for (const user of USERS) {
          text ??= await call(things);
          const outcome = outcomeOf(await clientOf(user).ask(`${kind} { it: ${text} }`));
          found[user] = outcome;
          // What was done is done: the next one gets another thing.
          if (kind === 'mutation' && outcome === 'yes') text = undefined;
        }
        assert.deepEqual(found, said.get(name), text);
        const { status } = await server.as(undefined, 'system').ask(`${kind} { it: ${text ?? (await call(things))} }`);
        assert.equal(status, 401);
      });

  it('is what the table says of all subscriptions', async () => {
    const { extensions } = await things.admin.ask(
      'mutation { createFolder(path: "/content", name: "fence") { path } }',
    );
    const after = `after: "${extensions?.position}"`;
    const streams = USERS.map((user) => ({ user, events: new Events(clientOf(user), true) }));
    try {
      const texts = new Map<string, string>();
      for (const [name, { field }] of Object.entries(SUBSCRIPTIONS))
        texts.set(name, (typeof field === 'string' ? field : await field(things)).replace('AFTER', after));
      const followed = streams.map(({ user, events }) => ({
        user,
        fence: events.follow(`subscription { nodeChanged(path: "/content/fence", ${after}) { path } }`),
        told: [...texts].map(([name, text]) => ({ name, received: events.follow(`subscription { ${text} }`) })),
      }));
      for (const { cause } of Object.values(SUBSCRIPTIONS)) {
        const reply = await things.admin.ask(`mutation { it: ${await cause(things)} }`);
        assert.equal(outcomeOf(reply), 'yes');
      }
      // Behind all that was to be told, twice: by then each subscription has had its turn.
      for (const n of [1, 2]) {
        await things.admin.run(`mutation { createFolder(path: "/content/fence", name: "f${n}") { path } }`);
        for (const { fence } of followed) await fence.events(n);
      }
      for (const { user, told } of followed)
        for (const { name, received } of told) {
          const isTold = said.get(name)?.[user as keyof Outcomes] === 'yes';
          if (isTold) assert.ok((await received.events(1)).length > 0);
          else assert.deepEqual([received.results, received.isComplete], [[], false], `${name} as ${user}`);
        }
    } finally {
      for (const { events } of streams) events.close();
    }
    for (const text of Object.values(SUBSCRIPTIONS).map(({ field }) => field)) {
      if (typeof text !== 'string') continue;
      const query = `subscription { ${text.replace('AFTER', after)} }`;
      assert.equal((await server.as(undefined, 'system').ask(query)).status, 401);
    }
  });
});
