import assert from 'node:assert/strict';
import type { GraphqlClient } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { DECISIONS, type Decision } from './support/jackrabbit-decisions.js';

const REGISTER = 'mutation ($cnd: String!) { registerNodeTypes(cnd: $cnd) { name } }';
const ONE = ['String', 'Long', 'Double', 'Decimal', 'Date', 'Boolean', 'Name', 'Path', 'Uri']
  .map((type) => `... on ${type}PropertyValue { value } ... on ${type}PropertyValueArray { values }`)
  .join(' ');
const CREATE = `mutation ($input: CreateNodeInput!) { createNode(input: $input) { properties { name propertyValue { __typename ${ONE} } } } }`;

/** Where this repository decides otherwise on purpose: by the types, or by types and value. */
const OTHERWISE: Readonly<Record<string, string>> = {
  // A single number is a range of its own, and a range may have no ends.
  "[b] - p (long) < '5'": 'taken',
  "[b] - p (long) < '(,)'": 'taken',
  // JCR 2.0 §3.6.4.4 and Oak: a date is its milliseconds.
  '[b] - p (decimal) Date:2018-01-01T00:00:00.000Z': 'Decimal:1514764800000',
  '[a] - p (name) [b] > a - p (decimal) Date:2018-01-01T00:00:00.000Z': 'Decimal:1514764800000',
  '[a] - p (decimal) multiple [b] > a - p (string) *Date:2020-06-01T00:00:00.000Z': 'Decimal:1590969600000',
  // Of unrelated types the one that is named first is asked first; Jackrabbit has no order there.
  '[a] mixin - p (decimal) [m] mixin - p (date) [b] > a, m Long:-1': 'Decimal:-1',
  '[a] mixin - p (name) [m] mixin - p (string) [b] > a, m Binary:7': 'Name:7',
  '[a] mixin - p (name) [m] mixin - p (string) [b] > a, m Date:2018-01-01T00:00:00.000Z': 'no',
  '[a] mixin - p (boolean) [m] mixin - p (uri) [b] > a, m String:x': 'Boolean:false',
  '[a] mixin - p (boolean) [m] mixin - p (uri) [b] > a, m String:7': 'Boolean:false',
  '[a] mixin - p (boolean) [m] mixin - p (uri) [b] > a, m String:': 'Boolean:false',
};

describe('node types and values', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    server = await liveServer({ env: { MILLRACE_NODE_TYPES_MAX: '900' } });
    admin = server.as('admin');
  });
  after(() => server.remove());

  for (const [n, decision] of DECISIONS.entries())
    it(`are decided as by Jackrabbit: ${decision.cnd}`, async () => {
      const { found, wanted } = await compared(n, decision);
      assert.deepEqual(found, wanted);
    });

  async function compared(n: number, { cnd, values }: Decision) {
    const own = (name: string) => `r${n}${name}`;
    const text = cnd
      .replaceAll(/\[([abm])\]/g, (_, name) => `[${own(name)}]`)
      .replaceAll('> a', `> ${own('a')}`)
      .replace(/, m$/, `, ${own('m')}`);
    const isTaken = (await admin.ask(REGISTER, { variables: { cnd: text } })).errors === undefined;
    const wanted = OTHERWISE[cnd] === 'taken' || values !== null;
    if (!isTaken || values === null) return { found: isTaken, wanted };
    const found: Record<string, string> = {};
    for (const [i, { given }] of values.entries()) found[given] = await stored(own('b'), `${n}-${i}`, given);
    const decided = values.map((value) => [
      value.given,
      OTHERWISE[`${cnd} ${value.given}`] ?? comparable(value.stored),
    ]);
    return { found, wanted: Object.fromEntries(decided) };
  }

  /** `Type:text` of what has become of it. */
  async function stored(nodeType: string, name: string, given: string): Promise<string> {
    const [, list, type = '', text = ''] = /^(\*?)(\w+):(.*)$/s.exec(given) ?? [];
    const native = nativeOf(type, text);
    const field = `${type.toLowerCase()}${list === '' ? '' : 'Array'}Value`;
    const properties = [{ name: 'p', value: { [field]: list === '' ? native : [native] } }];
    const input = { path: '/content', name, nodeType, properties };
    const { data, errors } = await admin.ask(CREATE, { variables: { input } });
    if (errors !== undefined) return 'no';
    const value = data?.createNode.properties.find((property) => property.name === 'p')?.propertyValue;
    const { __typename, ...rest } = value as { readonly __typename: string };
    const [shown] = Object.values(rest).flat();
    return comparable(`${__typename.replace(/PropertyValue(Array)?$/, '')}:${shown}`);
  }
});

function nativeOf(type: string, text: string): unknown {
  if (type === 'Binary') return Buffer.from(text).toString('base64');
  if (type === 'Boolean') return text === 'true';
  return type === 'Long' || type === 'Double' ? Number(text) : text;
}

/** Bytes are not shown, and `1.0` is 1. */
function comparable(value: string): string {
  const [, type = '', text = ''] = /^(\w+):(.*)$/s.exec(value) ?? [];
  if (type === 'Binary') return 'Binary';
  if (type === 'Double') return `Double:${Number(text)}`;
  return type === 'URI' ? `Uri:${text}` : value;
}
