import { join } from 'node:path';
import { MemoryIdentity } from '../test/identity/support/memory-identity.js';
import { line, round, say, verdict } from './measure.js';
import { RawClient } from './raw-client.js';
import { type BenchServer, benchServer } from './server.js';

const USERS = 1_000;
/** Groups of the top, and as many in each of them. */
const GROUPS = 10;
const CALLERS = 16;
const CALLS = 4_000;
const LOOKS = 200_000;
const PAIRS = 15;
const RATIO_MAX = 1.05;
const QUERY = JSON.stringify({ query: '{ node(path: "/content") { path } }' });

/** What a thing costs where there is one user beside the administrator, and where there are a thousand: rounds of both in turns. */
export async function usersBench(folder: string): Promise<void> {
  say(`One user, and ${round(USERS)} in ${GROUPS * (GROUPS + 1)} nested groups, ${PAIRS} rounds of each in turns:`);
  const [few, many] = [knowing(1), knowing(USERS)];
  await compared('groups and roles of a user, ns', [looks(few), looks(many)]);
  const servers = [await serverWith(join(folder, 'one'), 1), await serverWith(join(folder, 'many'), USERS)] as const;
  try {
    await compared('a request by session, µs CPU of the main thread', [requests(servers[0]), requests(servers[1])]);
  } finally {
    for (const { server, client } of servers) {
      client.close();
      await server.end();
    }
  }
}

type Cost = () => number | Promise<number>;

/** Each round gives the cost of one; told is the median of both and of their ratios. */
async function compared(what: string, [one, many]: readonly [Cost, Cost]): Promise<void> {
  const pairs: (readonly [number, number])[] = [];
  // The first round of each is not counted.
  for (let n = -1; n < PAIRS; n++) {
    const isTurned = n % 2 === 0;
    const first = await (isTurned ? many : one)();
    const second = await (isTurned ? one : many)();
    if (n >= 0) pairs.push(isTurned ? [second, first] : [first, second]);
  }
  const ratio = median(pairs.map(([a, b]) => b / a));
  const told = `${round(median(pairs.map(([a]) => a)))}, ${round(median(pairs.map(([, b]) => b)))}: × ${ratio.toFixed(3)}`;
  line(what, told, verdict(ratio <= RATIO_MAX, `× ≤ ${RATIO_MAX}`));
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

const groupId = (n: number): string => `g${n % GROUPS}/g${n % GROUPS}-${(n >> 3) % GROUPS}`;

/** A directory with so many users; the first is `u0`. */
function knowing(users: number): MemoryIdentity {
  const identity = new MemoryIdentity();
  for (let n = 0; n < GROUPS; n++) {
    identity.group(`g${n}`);
    for (let m = 0; m < GROUPS; m++) identity.group(`g${n}/g${n}-${m}`);
  }
  for (let n = 0; n < users; n++) identity.user(`u${n}`, { memberOf: [groupId(n), groupId(n + 3)] });
  return identity;
}

const looks =
  ({ directory }: MemoryIdentity): Cost =>
  () => {
    const before = process.cpuUsage();
    let found = 0;
    for (let n = 0; n < LOOKS; n++) found += directory.groupsOf('u0').length + directory.rolesOf('u0').length;
    const { user, system } = process.cpuUsage(before);
    if (found === 0) throw new Error('expected groups');
    return ((user + system) * 1_000) / LOOKS;
  };

/** A server, and whoever has signed in there as `u0`. */
interface SignedIn {
  readonly server: BenchServer;
  readonly client: RawClient;
}

async function serverWith(folder: string, users: number): Promise<SignedIn> {
  const server = await benchServer(folder);
  const system = server.client('{ __typename }', null, 'system');
  const ask = async (query: string) => {
    const { text } = await system.call(system.requestOf(JSON.stringify({ query })));
    if (!/"errors":null/.test(text) || /"code"/.test(text)) throw new Error(text);
  };
  for (let n = 0; n < GROUPS; n++) {
    await ask(`mutation { createGroup(input: { name: "g${n}" }) { errors { code } } }`);
    for (let m = 0; m < GROUPS; m++)
      await ask(`mutation { createGroup(input: { name: "g${n}-${m}", parentGroupId: "g${n}" }) { errors { code } } }`);
  }
  for (let n = 0; n < users; n++) {
    const memberOf = JSON.stringify([groupId(n), groupId(n + 3)]);
    const kind = n === 0 ? 'password: "bench-password"' : 'service: true';
    await ask(
      `mutation { createUser(input: { username: "u${n}", ${kind}, memberOf: ${memberOf} }) { errors { code } } }`,
    );
  }
  system.close();
  const login = await fetch(new URL('/auth/login', server.url), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username: 'u0', password: 'bench-password' }),
  });
  const cookie = (login.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const client = new RawClient(new URL('/bin/graphql.cgi/web', server.url), [`cookie: ${cookie}`], QUERY);
  const { text } = await client.call();
  if (!text.includes('"path":"/content"')) throw new Error(text);
  return { server, client };
}

const requests =
  ({ server, client }: SignedIn): Cost =>
  async () => {
    const before = server.cpu()?.main ?? Number.NaN;
    let sent = 0;
    const caller = async () => {
      while (sent++ < CALLS) await client.call();
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
    return ((server.cpu()?.main ?? Number.NaN) - before) / CALLS;
  };
