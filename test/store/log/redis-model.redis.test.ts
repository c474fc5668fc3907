import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { CommitRecord } from '../../../src/store/log/log.js';
import { parseRedisUrl } from '../../../src/store/log/redis-address.js';
import { redisClients } from '../../../src/store/log/redis-connection.js';
import { batchOf } from '../../../src/store/log/redis-entry.js';
import { keysOf } from '../../../src/store/log/redis-keys.js';
import type { OpeningLink } from '../../../src/store/log/redis-port.js';
import {
  APPEND,
  CHECK,
  COUNT,
  NEW_EPOCH,
  RENEW,
  type RedisScript,
  SCRIPTS,
  TAKE,
  TRIM,
} from '../../../src/store/log/redis-scripts.js';
import { RedisModel } from '../../support/redis-model/redis-model.js';
import { sharedRedis } from '../../support/shared-redis.js';

const RUNS = Number(process.env.MILLRACE_TEST_MODEL_RUNS ?? 100);
const keys = keysOf('p');
const collections = ['node', 'task', 'job'];
const hashes = [keys.outcome, ...collections.map(keys.documents)];
const names = ['outcome', ...collections.map((name) => `doc:${name}`)];
const allKeys = [keys.meta, keys.log, keys.outcomeAt, ...hashes];

/** A step of a random history. Small numbers choose: mostly what fits the state, now and then what does not. */
type Step =
  | { readonly kind: 'take'; readonly server: number; readonly lasts: boolean }
  | { readonly kind: 'renew'; readonly fits: boolean; readonly lasts: boolean }
  | { readonly kind: 'append'; readonly fits: number; readonly commits: readonly RandomCommit[] }
  | { readonly kind: 'trim'; readonly fits: boolean; readonly behind: number; readonly before: number }
  | { readonly kind: 'epoch'; readonly fits: boolean }
  | { readonly kind: 'count'; readonly fits: boolean }
  | { readonly kind: 'lose'; readonly key: number };

interface RandomCommit {
  readonly at: number;
  readonly outcome: number | null;
  readonly documents: readonly (readonly [collection: number, id: number, body: string | null])[];
}

const body: fc.Arbitrary<string | null> = fc.option(fc.string({ unit: 'binary', maxLength: 12 }));
const commit: fc.Arbitrary<RandomCommit> = fc.record({
  at: fc.nat(50),
  outcome: fc.option(fc.nat(6)),
  documents: fc.array(fc.tuple(fc.nat(collections.length - 1), fc.nat(4), body), { maxLength: 4 }),
});
const mostly = fc.nat(9).map((n) => n > 0);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('take' as const), server: fc.nat(2), lasts: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('renew' as const), fits: mostly, lasts: fc.boolean() }) },
  {
    weight: 9,
    arbitrary: fc.record({
      kind: fc.constant('append' as const),
      fits: fc.nat(12),
      commits: fc.array(commit, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('trim' as const), fits: mostly, behind: fc.nat(5), before: fc.nat(70) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('epoch' as const), fits: mostly }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('count' as const), fits: mostly }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('lose' as const), key: fc.nat(allKeys.length - 1) }) },
);

/** Does a step on one Redis or the other, as the store's side would be: what was answered last decides what fits. */
class Subject {
  readonly #link: OpeningLink;
  #fence = '';
  #revision = 0;
  #commit = '';
  #next = 0;

  constructor(link: OpeningLink) {
    this.#link = link;
  }

  async open(): Promise<void> {
    await this.#link.opened;
    for (const { text } of SCRIPTS) await this.#link.send(['SCRIPT', 'LOAD', text]);
  }

  close(): void {
    this.#link.close();
  }

  async do(one: Step): Promise<unknown> {
    const fence = 'fits' in one && !one.fits ? 'nobody' : this.#fence;
    const number = ++this.#next;
    switch (one.kind) {
      case 'take':
        return this.#take(one, number);
      case 'renew':
        return this.#run(RENEW, [keys.meta], [fence, one.lasts ? '600000' : '0']);
      case 'append':
        return this.#append(one, number);
      case 'trim': {
        const args = [fence, String(this.#revision + 1 - one.behind), String(one.before)];
        return this.#run(TRIM, [keys.meta, keys.log, keys.outcome, keys.outcomeAt], args);
      }
      case 'epoch':
        return this.#run(NEW_EPOCH, [keys.meta], [fence, `epoch-${number}`]);
      case 'count':
        return this.#run(COUNT, [keys.meta, ...hashes], [fence, '2', ...names]);
      case 'lose':
        return this.#ask(['DEL', allKeys[one.key] ?? '']);
    }
  }

  async #take({ server, lasts }: Step & { kind: 'take' }, number: number): Promise<unknown> {
    const args = [`fence-${number}`, `server-${server}`, lasts ? '600000' : '0', `epoch-${number}`, '1'];
    const answer = await this.#run(TAKE, allKeys, args);
    if (Array.isArray(answer) && answer[0] === 'taken') {
      this.#fence = `fence-${number}`;
      this.#revision = Number(answer[3]);
      this.#commit = String(answer[4]);
    }
    // Until when is by each server's own clock.
    return Array.isArray(answer) && answer[0] === 'held' ? ['held', answer[1], near(answer[2])] : answer;
  }

  async #append({ fits, commits }: Step & { kind: 'append' }, number: number): Promise<unknown> {
    const group = commits.map((one, i) =>
      recordOf(one, this.#revision + 1 + i + (fits === 0 ? 1 : 0), `${number}-${i}`),
    );
    const { keys: touched, args } = batchOf(group, keys, new Map());
    const words = [fits === 1 ? 'nobody' : this.#fence, fits === 2 ? 'another' : this.#commit, ...args];
    const answer = await this.#run(APPEND, touched, words);
    if (answer === 'ok') {
      this.#revision = group.at(-1)?.revision ?? 0;
      this.#commit = group.at(-1)?.id ?? '';
    }
    return answer;
  }

  #run = ({ sha }: RedisScript, touched: readonly string[], args: readonly string[]) =>
    this.#ask(['EVALSHA', sha, String(touched.length), ...touched, ...args]);

  /** The answer, or that it was refused: in which words is the server's own affair. */
  #ask = (words: readonly string[]): Promise<unknown> =>
    this.#link.send(words).catch((thrown: Error) => ({ refused: /^(ERR|WRONGTYPE|NOSCRIPT)/.test(thrown.message) }));

  /** All that is stored, and what the reading commands say of it. */
  async all(): Promise<unknown> {
    const ask = (...words: string[]) => this.#link.send(words);
    const meta = pairsOf(await ask('HGETALL', keys.meta)).map(([field, value]) =>
      field === 'lease' ? [field, near(value)] : [field, value],
    );
    const stored = await Promise.all(
      hashes.map(async (key) => [pairsOf(await ask('HGETALL', key)), await this.#scanned(key), await ask('HLEN', key)]),
    );
    const reads = await Promise.all([
      this.#run(CHECK, [keys.meta, keys.log, keys.outcomeAt, ...hashes], names),
      ask('ZRANGE', keys.outcomeAt, '0', '-1', 'WITHSCORES'),
      ask('ZCARD', keys.outcomeAt),
      ask('XRANGE', keys.log, '-', '+'),
      ask('XRANGE', keys.log, '2-0', '+', 'COUNT', '2'),
      ask('XREVRANGE', keys.log, '+', '-', 'COUNT', '1'),
      ask('XREAD', 'COUNT', '3', 'STREAMS', keys.log, '1-0'),
      ask('XLEN', keys.log),
      ask('HMGET', keys.meta, 'epoch', 'nothing'),
      ask('TYPE', keys.log),
    ]);
    return { keys: ((await ask('KEYS', '*')) as string[]).sort(), meta, stored, reads };
  }

  /** All fields of a hash, each once: one may come twice. */
  async #scanned(key: string): Promise<unknown> {
    const found = new Map<string, string>();
    let cursor = '0';
    do {
      const page = await this.#link.send(['HSCAN', key, cursor, 'COUNT', '2']);
      const [next, fields] = page as [string, string[]];
      for (const [field, value] of pairsOf(fields)) found.set(field, value);
      cursor = next;
    } while (cursor !== '0');
    return [...found].sort();
  }
}

const pairsOf = (flat: unknown): [string, string][] => {
  const words = flat as string[];
  return Array.from({ length: words.length / 2 }, (_, i): [string, string] => [
    words[2 * i] ?? '',
    words[2 * i + 1] ?? '',
  ]).sort();
};

/** A lease that is over, or goes on: the two are some ms apart. */
const near = (lease: unknown) =>
  Number(lease) > Date.now() + 300_000 ? 'goes on' : Number(lease) === 0 ? 'none' : 'over';

function recordOf({ at, outcome, documents }: RandomCommit, revision: number, id: string): CommitRecord {
  return {
    revision,
    id,
    at,
    events: documents.length,
    body: `{"of":"${id}"}`,
    outcome: outcome === null ? null : { id: `k${outcome}`, body: `"${id} 1 x"` },
    documents: documents.map(([collection, document, body]) => ({
      collection: collections[collection] ?? '',
      id: `d/${document}`,
      body,
      columns: [],
      multi: [],
    })),
  };
}

describe('the model of Redis', () => {
  it(`answers as Redis does and keeps what Redis keeps, in ${RUNS} random histories`, async function () {
    this.timeout(120_000);
    const server = await sharedRedis();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), async (steps) => {
        const address = parseRedisUrl(server.url()) ?? assert.fail();
        const real = new Subject(redisClients(address).connect());
        const model = new Subject(
          new RedisModel({ now: Date.now, soon: (work) => void setImmediate(work) }).port.connect(),
        );
        try {
          await Promise.all([real.open(), model.open()]);
          for (const one of steps) {
            assert.deepEqual(await model.do(one), await real.do(one), `the answer to ${JSON.stringify(one)}`);
            assert.deepEqual(await model.all(), await real.all(), `what is kept after ${JSON.stringify(one)}`);
          }
        } finally {
          real.close();
          model.close();
        }
      }),
      { numRuns: RUNS },
    );
  });
});
