import { isDeepStrictEqual } from 'node:util';
import { Person } from '../scenario/support/person.js';
import type { ApiData } from '../support/graphql-client.js';
import type { Random } from '../support/random.js';
import type { Caller, Started } from './caller.js';
import type { Health } from './health.js';
import { GivenUp, type Ledger, sleep } from './ledger.js';
import type { Strike } from './round.js';
import type { Watcher } from './watcher.js';

export interface Round {
  readonly ledger: Ledger;
  readonly callers: readonly Caller[];
  readonly watchers: readonly Watcher[];
  readonly health: Health;
  readonly strikes: readonly Strike[];
  readonly random: Random;
}

/** How many calls are sent again, and how many instances are looked at closely, in one round. */
const AGAIN_MAX = 80;
const LOOKED_AT_MAX = 24;
/** How long nothing must have been changed until a server that says it is ready is not believed, and how long it may take to say so. */
const IDLE_MS = 5_500;
const SAYS_MS = 4_500;

const PATH = ['start', 'first', 'work', 'second', 'pause', 'end'];

/** Compares what there is with what was answered; what is wrong is told to the ledger. */
export async function checkRound(round: Round): Promise<void> {
  const { ledger } = round;
  try {
    await standsStill(round);
    await instances(round);
    await answers(round);
    for (const caller of round.callers) await nodes(ledger, caller);
    await streams(round);
    await readiness(round);
  } catch (thrown) {
    // Said already, or a sign of something that is.
    if (!(thrown instanceof GivenUp)) ledger.wrong(`the round cannot be checked: ${thrown}`);
  }
}

const started = ({ callers }: Round): Started[] => callers.flatMap((caller) => caller.started);

async function query(ledger: Ledger, text: string, variables: Readonly<Record<string, unknown>> = {}) {
  for (;;) {
    const found = await ledger.look(text, variables);
    if (found !== undefined) return found;
    if (performance.now() > ledger.deadline) {
      ledger.wrong('standing still: a query is never answered');
      throw new GivenUp('query');
    }
    await sleep(50);
  }
}

async function standsStill({ ledger }: Round): Promise<void> {
  const ACTIVE =
    '{ processInstances(definitionKey: "load", active: true, first: 5) { totalCount edges { node { id } } } }';
  for (;;) {
    const { processInstances } = await query(ledger, ACTIVE);
    if (processInstances.totalCount === 0) return;
    if (performance.now() > ledger.deadline) {
      const ids = processInstances.edges.map(({ node }) => node.id);
      const jobs = await query(
        ledger,
        'query ($id: ID!) { jobs(processInstanceId: $id) { edges { node { type state due attempts activityId } } } }',
        { id: ids[0] },
      );
      ledger.wrong(
        `standing still: ${processInstances.totalCount} instances do not end, as ${ids[0]} with ${JSON.stringify(jobs.jobs.edges)}`,
      );
      return;
    }
    await sleep(50);
  }
}

/** Each instance that was started is there once, and no other; each came through its model once. */
async function instances(round: Round): Promise<void> {
  const { ledger, random } = round;
  const wanted = new Map(started(round).map((one) => [one.businessKey, one]));
  const prefix = [...wanted.keys()][0]?.split('-c')[0] ?? '';
  const found = new Map<string, string[]>();
  for (let after: string | null | undefined = null; ; ) {
    const { processInstances }: Awaited<ReturnType<typeof query>> = await query(
      ledger,
      `query ($after: String) { processInstances(definitionKey: "load", first: 200, after: $after) {
        edges { node { id businessKey state } } pageInfo { hasNextPage endCursor } } }`,
      { after },
    );
    for (const { node } of processInstances.edges) {
      const key = node.businessKey ?? '';
      if (!key.startsWith(`${prefix}-`)) continue;
      found.set(key, [...(found.get(key) ?? []), node.id]);
    }
    if (!processInstances.pageInfo.hasNextPage) break;
    after = processInstances.pageInfo.endCursor;
  }
  for (const { businessKey, id } of wanted.values()) {
    const ids = found.get(businessKey) ?? [];
    if (!ids.includes(id)) ledger.wrong(`lost: instance ${businessKey} (${id})`);
  }
  for (const [key, ids] of found) {
    if (ids.length > 1) ledger.wrong(`doubled: instance ${key} is there ${ids.length} times`);
    if (!wanted.has(key)) ledger.wrong(`doubled: instance ${key} is there, but nobody was answered so`);
  }
  const admin = new Person(ledger.arena.client('admin'));
  const there = [...wanted.values()].filter(({ businessKey }) => found.has(businessKey));
  if (there.length === 0) return;
  const looked = random.some(there, LOOKED_AT_MAX / there.length);
  for (const { id, number, businessKey } of looked) {
    const path = await admin.path(id);
    if (!isDeepStrictEqual(path, PATH)) ledger.wrong(`instance ${businessKey} went ${path.join()}`);
    const { square } = await admin.variables(id);
    if (square !== number ** 2) ledger.wrong(`instance ${businessKey} holds ${square}`);
  }
}

/** Whatever was answered is answered so again; but what a node is is told of it as it is now, so not of one that is gone. */
async function answers({ ledger, callers, random }: Round): Promise<void> {
  const gone = new Set(callers.flatMap(({ made, nodes: there }) => made.filter((path) => !there.has(path))));
  const tellable = ledger.answered.filter(({ answer }) => {
    const made = (answer as Partial<Pick<ApiData, 'createNode'>>).createNode;
    return made === undefined || !gone.has(made.path);
  });
  if (tellable.length === 0) return;
  const chosen = random.some(tellable, AGAIN_MAX / Math.max(1, tellable.length));
  for (const call of chosen) await ledger.again(call);
}

async function nodes(ledger: Ledger, { folder, nodes: wanted }: Caller): Promise<void> {
  const { children } = await query(
    ledger,
    `query ($path: String!) { children(path: $path, first: 1000) { edges { node { path properties { name propertyValue { ... on LongPropertyValue { value } } } } } } }`,
    { path: folder },
  );
  const found = new Map<string, number>(
    children.edges.map(({ node }) => {
      const n = node.properties.find(({ name }) => name === 'n')?.propertyValue;
      return [node.path, Number(Reflect.get(n ?? {}, 'value'))];
    }),
  );
  for (const [path, n] of wanted)
    if (found.get(path) !== n) ledger.wrong(`lost: ${path} must hold ${n}, but holds ${found.get(path)}`);
  for (const path of found.keys()) if (!wanted.has(path)) ledger.wrong(`doubled: ${path} is there, but was deleted`);
}

/** Both watchers have seen everything once, in one and the same order, in which each caller's own order is kept. */
async function streams(round: Round): Promise<void> {
  const { ledger, callers, watchers } = round;
  const ids = started(round).map(({ id }) => id);
  const wanted = { started: ids, ended: ids, made: callers.flatMap(({ made }) => made) };
  const isComplete = () =>
    watchers.every(({ seen }) =>
      (['started', 'ended', 'made'] as const).every(
        (kind) => new Set([...wanted[kind], ...seen[kind]]).size === new Set(seen[kind]).size,
      ),
    );
  const end = performance.now() + ledger.limits.settleMs;
  while (!isComplete() && performance.now() < end) await sleep(20);
  for (const kind of ['started', 'ended', 'made'] as const) {
    const all = new Set(wanted[kind]);
    const [first = [], second = []] = watchers.map(({ seen }) => seen[kind].filter((one) => all.has(one)));
    for (const seen of [first, second]) {
      const distinct = new Set(seen);
      if (distinct.size < all.size)
        ledger.wrong(`gap: ${all.size - distinct.size} of ${all.size} events '${kind}' never came`);
      if (distinct.size < seen.length)
        ledger.wrong(`doubled: ${seen.length - distinct.size} events '${kind}' came twice`);
    }
    if (!isDeepStrictEqual(first, second)) ledger.wrong(`disorder: two streams of '${kind}' came in two orders`);
    if (kind === 'ended') continue;
    for (const caller of callers) {
      const own = kind === 'made' ? caller.made : caller.started.map(({ id }) => id);
      const mine = new Set(own);
      if (
        !isDeepStrictEqual(
          first.filter((one) => mine.has(one)),
          own,
        )
      )
        ledger.wrong(`disorder: events '${kind}' of ${caller.folder} came in another order than they were made in`);
    }
  }
}

/** Where nothing could be changed for long the server said that it is not ready; it is ready now; it always answered. */
async function readiness({ ledger, health, strikes }: Round): Promise<void> {
  const silent = health.samples.filter(({ status }) => status === 0).length;
  if (silent > 0) ledger.wrong(`/health/ready did not answer within 5 s, ${silent} times`);
  const times = ledger.answered.map(({ at }) => at).sort((a, b) => a - b);
  for (const { begunAt, overAt, what } of strikes) {
    const within = [begunAt, ...times.filter((at) => at > begunAt && at < overAt), overAt];
    for (let i = 1; i < within.length; i++) {
      const [from = 0, to = 0] = [within[i - 1], within[i]];
      if (to - from < IDLE_MS) continue;
      const lies = health.samples.filter(({ at, status }) => status === 200 && at > from + SAYS_MS && at < to - 500);
      if (lies.length > 0) ledger.wrong(`ready said 200 ${lies.length} times while '${what}' let no change be made`);
    }
  }
  const end = performance.now() + ledger.limits.settleMs;
  while (health.samples.at(-1)?.status !== 200 && performance.now() < end) await sleep(50);
  if (health.samples.at(-1)?.status !== 200) ledger.wrong('the server is not ready although all faults are over');
}
