import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.js';
import { clientOf } from '../support/server.js';
import { sessionClient } from '../support/session-client.js';
import { KillableServer } from './support/killable-server.js';

// Slow: servers are killed while people sign in and make tokens, and started again.

const ROUNDS = Number(process.env.MILLRACE_TEST_SERVER_KILLS ?? 3);
const CREATE = `mutation ($input: CreateApiTokenInput!) { createApiToken(input: $input) { secret token { id } errors { code } } }`;

/** What somebody was given to sign in by. `asked`: its end was asked for and not answered. */
interface Given {
  readonly headers: Readonly<Record<string, string>>;
  state: 'counts' | 'asked' | 'ended';
}

/** One caller that signs in and makes tokens, and ends most of them, again and again. */
class Caller {
  readonly userId: string;
  readonly given: Given[] = [];
  /** The key of a token that was asked for and not answered. */
  pending: string | undefined;
  answered = 0;
  #asked = 0;

  constructor(userId: string) {
    this.userId = userId;
  }

  /** Goes on until the server is gone. */
  async work(baseUrl: string): Promise<void> {
    try {
      for (;;) {
        await (this.answered % 2 === 0 ? this.#token(baseUrl) : this.#session(baseUrl));
        this.answered++;
      }
    } catch {
      // It was killed.
    }
  }

  /** Asks for a token by a key that may have come before. */
  async make(baseUrl: string, key: string): Promise<{ readonly secret?: string | null; readonly id: string }> {
    const input = { name: key, scopes: ['READ'] };
    const own = clientOf(baseUrl, this.userId, 'system');
    const { data } = await own.ask(CREATE, { variables: { input }, idempotencyKey: key });
    const { secret, token } = data?.createApiToken ?? {};
    if (token == null) throw new Error('expected a token');
    return { secret: secret ?? null, id: token.id };
  }

  async #token(baseUrl: string): Promise<void> {
    const key = `${this.userId}-${this.#asked++}`;
    this.pending = key;
    const { secret, id } = await this.make(baseUrl, key);
    this.pending = undefined;
    const given = this.#took({ Authorization: `Bearer ${secret}` });
    const revoke = `mutation { revokeApiToken(input: { id: "${id}" }) { errors { code } } }`;
    await this.#end(given, () => clientOf(baseUrl, this.userId, 'system').run(revoke));
  }

  async #session(baseUrl: string): Promise<void> {
    const client = await sessionClient({ baseUrl }, this.userId);
    await this.#end(this.#took(client.headers), () => client.signOut());
  }

  #took(headers: Given['headers']): Given {
    const given: Given = { headers, state: 'counts' };
    this.given.push(given);
    return given;
  }

  /** Ends all but each fourth. */
  async #end(given: Given, end: () => Promise<unknown>): Promise<void> {
    if (this.given.length % 4 === 0) return;
    given.state = 'asked';
    await end();
    given.state = 'ended';
  }
}

describe('sign-ins and tokens of a server that is killed', function () {
  this.timeout(180_000);
  const server = new KillableServer();
  after(() => server.remove());

  it(`count, or have ended, as it was answered, ${ROUNDS} times`, async () => {
    await server.start();
    const callers = ['ann', 'dora', 'sue'].map((userId) => new Caller(userId));
    for (let round = 0; round < ROUNDS; round++) {
      const answered = () => callers.reduce((sum, one) => sum + one.answered, 0);
      const enough = answered() + 12 + ((round * 7) % 11);
      const { baseUrl } = server.process;
      const work = Promise.all(callers.map((one) => one.work(baseUrl)));
      await eventually('the work goes on', async () => answered() >= enough, 60_000);
      await server.end('SIGKILL');
      await work;
      await server.start();
      for (const one of callers) await isAsAnswered(one);
    }
  });

  async function isAsAnswered(caller: Caller): Promise<void> {
    const { baseUrl } = server.process;
    for (const given of caller.given) {
      const { status } = await fetch(`${baseUrl}/nowhere`, { headers: given.headers });
      // What has ended is looked for too often for one network.
      const found = status === 404 ? 'counts' : status === 401 || status === 429 ? 'ended' : status;
      if (given.state === 'asked') given.state = found === 'ended' ? 'ended' : 'counts';
      assert.equal(found, given.state, `${caller.userId} is answered ${status}`);
    }
    if (caller.pending === undefined) return;
    const key = caller.pending;
    caller.pending = undefined;
    await caller.make(baseUrl, key);
    const { apiTokens } = await clientOf(baseUrl, caller.userId, 'system').run('{ apiTokens { name } }');
    assert.equal(apiTokens.filter(({ name }) => name === key).length, 1, 'a token whose answer was lost is there once');
  }
});
