import assert from 'node:assert/strict';
import { VirtualClock } from '../../src/shared/clock.js';
import { ServiceError } from '../../src/shared/errors.js';
import { idSource, newSeed } from '../../src/shared/ids.js';
import { decodePosition } from '../../src/store/feed/position.js';
import { collection, operation, put } from '../../src/store/index.js';
import { takeOutcome } from '../../src/store/job/outcome.js';
import type { Partition } from '../../src/store/partition.js';
import type { Store } from '../../src/store/store.js';
import { add, addAsked, callerNamed, counters, drop, set, total } from '../support/test-domain.js';
import { openTestPartition, type TestParts } from '../support/test-store.js';

const ann = { caller: callerNamed('ann') };
const keyed = (commandId: string) => ({ caller: callerNamed('ann'), commandId });
const refusal = (code: string) => (error: unknown) => error instanceof ServiceError && error.code === code;

/** What every log must give the domains. `open` opens a store with the test domain, each time over the same log. */
export function storeContract(name: string, open: (parts?: TestParts) => Store, reset: () => void): void {
  describe(`store on ${name}`, () => {
    let store: Store;
    let partition: Partition;

    const begin = async (parts?: TestParts) => {
      store = open(parts);
      partition = await openTestPartition(store);
    };
    const value = (id: string) => partition.read().get(counters, id)?.value;

    afterEach(async () => {
      await store.close(100);
      reset();
    });

    describe('a command', () => {
      it('is readable when it is answered', async () => {
        await begin();
        assert.equal((await partition.send(add, { id: 'a', by: 2 }, ann)).answer, 2);
        assert.equal(value('a'), 2);
      });

      it('sees what was decided before it, also before that is durable', async () => {
        await begin();
        const sent = Array.from({ length: 100 }, () => partition.send(add, { id: 'a', by: 1 }, ann));
        const answers = (await Promise.all(sent)).map(({ answer }) => answer);
        assert.deepEqual(
          answers,
          Array.from({ length: 100 }, (_, i) => i + 1),
        );
      });

      it('that is refused changes nothing', async () => {
        await begin();
        const before = (await partition.send(add, { id: 'a', by: 1 }, ann)).revision;
        await assert.rejects(partition.send(add, { id: 'a', by: -2 }, ann), refusal('CONFLICT'));
        assert.equal(value('a'), 1);
        assert.equal((await partition.send(add, { id: 'a', by: 1 }, ann)).revision, before + 1);
      });

      it('that only reads writes nothing, and is answered after what was decided before it', async () => {
        await begin();
        const writing = partition.send(add, { id: 'a', by: 5 }, ann);
        const { answer, revision } = await partition.send(total, { group: 'g' }, ann);
        assert.equal(answer, 5);
        assert.equal(revision, (await writing).revision);
      });

      it('finds, ranges and removes through indexes across durable and undurable documents', async () => {
        await begin();
        const counter = (id: string, n: number, tags: string[] = []) => ({ id, group: 'x', value: n, tags });
        await partition.send(set, counter('a', 3, ['red']), ann);
        await partition.send(set, counter('b', 1, ['red', 'blue']), ann);
        const later = [
          partition.send(set, counter('c', 2, ['blue']), ann),
          partition.send(set, counter('a', 0, []), ann),
          partition.send(drop, { id: 'b' }, ann),
        ];
        const names = (list: readonly { id: string }[]) => list.map(({ id }) => id);
        const seen = () => [
          names(partition.peek().find(counters, 'group', ['x'])),
          names(partition.peek().range(counters, 'value', [1], 10)),
          names(partition.peek().findMulti(counters, 'tag', 'blue')),
          names(partition.peek().findMulti(counters, 'tag', 'red')),
        ];
        const undurable = seen();
        await Promise.all(later);
        assert.deepEqual(undurable, [['a', 'c'], ['c'], ['c'], []]);
        assert.deepEqual(seen(), undurable);
      });

      it('refuses a decision that reads more than 1,000 or writes more than 500 documents', async () => {
        const many = operation('many', (_state, { n }: { n: number }) => ({
          write: Array.from({ length: n }, (_, i) => put(counters, { id: `m${i}`, group: 'many', value: i, tags: [] })),
          answer: null,
        }));
        const half = operation('half', (_state, _input: object) => ({
          write: Array.from({ length: 500 }, (_, i) =>
            put(counters, { id: `h${i}`, group: 'many', value: i, tags: [] }),
          ),
          answer: null,
        }));
        await begin({ operations: [many, half] });
        await assert.rejects(partition.send(many, { n: 501 }, ann), refusal('LIMIT_EXCEEDED'));
        await partition.send(many, { n: 500 }, ann);
        await partition.send(half, {}, ann);
        assert.equal((await partition.send(total, { group: 'many' }, ann)).answer, 2 * (499 * 250));
        await partition.send(set, { id: 'one-more', group: 'many', value: 1, tags: [] }, ann);
        await assert.rejects(partition.send(total, { group: 'many' }, ann), refusal('LIMIT_EXCEEDED'));
      });

      it('refuses a document larger than 256 kB', async () => {
        await begin();
        const counter = { id: 'big', group: 'x'.repeat(262_144), value: 0, tags: [] };
        await assert.rejects(partition.send(set, counter, ann), refusal('LIMIT_EXCEEDED'));
        assert.equal(value('big'), undefined);
      });
    });

    describe("a client's key", () => {
      it('gives the same answer again, and nothing happens twice', async () => {
        await begin();
        const first = await partition.send(add, { id: 'a', by: 1 }, keyed('k1'));
        const second = await partition.send(add, { id: 'a', by: 1 }, keyed('k1'));
        assert.equal(second.answer, first.answer);
        assert.equal(value('a'), 1);
      });

      it('joins a command that is still on its way', async () => {
        await begin();
        const sent = [1, 2, 3].map(() => partition.send(add, { id: 'a', by: 1 }, keyed('k1')));
        assert.deepEqual(
          (await Promise.all(sent)).map(({ answer }) => answer),
          [1, 1, 1],
        );
      });

      it('keeps a refusal too', async () => {
        await begin();
        await assert.rejects(partition.send(add, { id: 'a', by: -1 }, keyed('k1')), refusal('CONFLICT'));
        await partition.send(add, { id: 'a', by: 1 }, ann);
        await assert.rejects(partition.send(add, { id: 'a', by: -1 }, keyed('k1')), refusal('CONFLICT'));
        assert.equal(value('a'), 1);
      });

      it('refuses another input', async () => {
        await begin();
        await partition.send(add, { id: 'a', by: 1 }, keyed('k1'));
        await assert.rejects(partition.send(add, { id: 'a', by: 2 }, keyed('k1')), refusal('BAD_REQUEST'));
      });
    });

    describe('an ask', () => {
      it('is answered outside, and the command is decided with the answer', async () => {
        await begin({ evaluators: { number: async (question: string) => Number(question) * 2 } });
        await partition.send(addAsked, { id: 'a', question: '21' }, ann);
        assert.equal(value('a'), 42);
      });

      it('holds back later commands of its mailbox, and no others', async () => {
        const order: string[] = [];
        let answer: (n: number) => void = () => {};
        const slow = new Promise<number>((resolve) => {
          answer = resolve;
        });
        await begin({ evaluators: { number: (question: string) => (question === 'slow' ? slow : 1) } });
        const note = (name: string) => () => void order.push(name);
        const first = partition.send(addAsked, { id: 'a', question: 'slow' }, ann).then(note('first'));
        const second = partition.send(addAsked, { id: 'a', question: 'fast' }, ann).then(note('second'));
        await partition.send(addAsked, { id: 'b', question: 'fast' }, ann).then(note('other'));
        answer(1);
        await Promise.all([first, second]);
        assert.deepEqual(order, ['other', 'first', 'second']);
        assert.equal(value('a'), 2);
      });

      it('that fails is the command’s to judge', async () => {
        await begin({
          evaluators: {
            number: () => {
              throw new Error('no number');
            },
          },
        });
        await assert.rejects(partition.send(addAsked, { id: 'a', question: 'x' }, ann), refusal('EXECUTION_FAILED'));
      });

      it('of more than 100 commands in one mailbox is refused', async () => {
        let answer: (n: number) => void = () => {};
        const slow = new Promise<number>((resolve) => {
          answer = resolve;
        });
        await begin({ evaluators: { number: () => slow } });
        const sent = Array.from({ length: 101 }, () => partition.send(addAsked, { id: 'a', question: 'q' }, ann));
        await assert.rejects(partition.send(addAsked, { id: 'a', question: 'q' }, ann), refusal('UNAVAILABLE'));
        answer(1);
        await Promise.all(sent);
        assert.equal(value('a'), 101);
      });
    });

    describe('the feed', () => {
      const take = async (n: number, after: string | null, signal = new AbortController()) => {
        const place = after === null ? null : (decodePosition(after)[0] ?? null);
        const entries = [];
        for await (const entry of partition.feed.follow(place, signal.signal)) {
          entries.push(entry);
          if (entries.length === n) break;
        }
        return entries;
      };

      it('gives every event once, in order, from any position on', async () => {
        await begin();
        const start = partition.feed.position();
        const following = take(5, start);
        for (let i = 0; i < 5; i++) await partition.send(add, { id: 'a', by: 1 }, ann);
        const entries = await following;
        assert.deepEqual(
          entries.map(({ event }) => (event.data as { value: number }).value),
          [1, 2, 3, 4, 5],
        );
        const rest = await take(3, entries[1]?.position ?? '');
        assert.deepEqual(
          rest.map(({ event }) => (event.data as { value: number }).value),
          [3, 4, 5],
        );
      });

      it('resumes inside of a commit', async () => {
        const burst = operation('burst', (_state, _input: object) => ({
          events: [1, 2, 3].map((n) => ({ type: 'counter.changed', ids: {}, data: n })),
          answer: null,
        }));
        await begin({ operations: [burst] });
        const start = partition.feed.position();
        await partition.send(burst, {}, ann);
        await partition.send(burst, {}, ann);
        const entries = await take(6, start);
        for (const [i, { position }] of entries.slice(0, 5).entries()) {
          const rest = await take(5 - i, position);
          assert.deepEqual(
            rest.map(({ event }) => event.data),
            entries.slice(i + 1).map(({ event }) => event.data),
          );
        }
      });

      it('asks to read anew when the position is of another history', async () => {
        await begin();
        const [place] = decodePosition(partition.feed.position());
        assert.ok(place);
        assert.throws(() => partition.feed.check({ ...place, epoch: 'another' }), refusal('RESYNC_REQUIRED'));
        assert.throws(() => partition.feed.check({ ...place, revision: 1e9 }), refusal('RESYNC_REQUIRED'));
      });
    });

    describe('a reaction', () => {
      const doubled = collection<{ id: string; value: number }>({ name: 'counter' });
      const mirror = (fails: () => boolean = () => false) => ({
        name: 'mirror',
        types: ['counter.changed'],
        react: (
          state: { get: Partition['read'] extends () => infer S ? (S extends { get: infer G } ? G : never) : never },
          { event }: { event: { ids: Readonly<Record<string, string | null>> } },
        ) => {
          if (fails()) throw new Error('not today');
          const id = String(event.ids.counterId);
          const now = state.get(counters, id);
          return {
            write: [put(doubled, { id: `${id}2`, group: 'mirror', value: (now?.value ?? 0) * 2, tags: [] })],
            answer: null,
          };
        },
      });
      const until = async (test: () => boolean) => {
        for (let i = 0; i < 400 && !test(); i++) await new Promise((resolve) => setTimeout(resolve, 5));
        assert.ok(test());
      };

      it('follows what happened, each entry in its own commit', async () => {
        await begin({ reactions: [mirror()] });
        for (let i = 0; i < 10; i++) await partition.send(add, { id: 'a', by: 1 }, ann);
        await until(() => value('a2') === 20);
      });

      it('passes over an entry that failed five times, with an incident', async () => {
        let bad = 0;
        await begin({ reactions: [mirror(() => bad++ < 5)] });
        await partition.send(add, { id: 'a', by: 1 }, ann);
        await partition.send(add, { id: 'b', by: 1 }, ann);
        await until(() => value('b2') === 2);
        assert.equal(value('a2'), undefined);
        const { incidents } = await import('../../src/store/index.js');
        const [incident] = partition.read().range(incidents, 'created', [0], 10);
        assert.equal(incident?.type, 'failedReaction');
        assert.match(incident?.message ?? '', /mirror.*counter\.changed.*not today/);
      });
    });

    describe('a job', () => {
      const work = operation(
        'work',
        (
          _state,
          { dueAt, id, exclusive, immediate }: { dueAt: number; id: string; exclusive?: string; immediate?: boolean },
        ) => ({
          jobs: [
            { id, type: 'count', dueAt, input: null, exclusive: exclusive ?? null, immediate: immediate ?? false },
          ],
          answer: null,
        }),
      );
      const counted = operation('counted', (state, input: { jobId: string; attempt: number }) => {
        const { done } = takeOutcome(state, input);
        const before = state.get(counters, 'jobs') ?? { id: 'jobs', group: 'g', value: 0, tags: [] };
        return { write: [done, put(counters, { ...before, value: before.value + 1 })], answer: null };
      });
      const type = (run: () => Promise<void> = async () => {}) => ({
        type: 'count',
        run: async (job: { id: string; actor: { context: { attempt: number } } }) => {
          await run();
          return { operation: counted, input: { jobId: job.id, attempt: job.actor.context.attempt } };
        },
      });
      const newId = () => idSource(newSeed(), Date.now()).next();
      const until = async (test: () => boolean) => {
        for (let i = 0; i < 400 && !test(); i++) await new Promise((resolve) => setTimeout(resolve, 5));
        assert.ok(test());
      };

      it('runs when it is due, and its outcome is committed once', async () => {
        await begin({ operations: [work, counted], jobTypes: [type()] });
        for (let i = 0; i < 40; i++) await partition.send(work, { id: newId(), dueAt: Date.now() + (i % 4) * 20 }, ann);
        await until(() => value('jobs') === 40);
        await partition.jobs.quiet();
        const { jobs } = await import('../../src/store/index.js');
        assert.deepEqual(partition.read().range(jobs, 'due', [0], 10), []);
      });

      it('runs alone under its exclusive name', async () => {
        let now = 0;
        let most = 0;
        const slow = async () => {
          most = Math.max(most, ++now);
          await new Promise((resolve) => setTimeout(resolve, 2));
          now--;
        };
        await begin({ operations: [work, counted], jobTypes: [type(slow)] });
        const sent = Array.from({ length: 20 }, () =>
          partition.send(work, { id: newId(), dueAt: 0, exclusive: 'one', immediate: true }, ann),
        );
        await Promise.all(sent);
        await until(() => value('jobs') === 20);
        assert.equal(most, 1);
      });

      it('that fails is tried three times, then is dead with an incident', async () => {
        let tries = 0;
        const fails = async () => {
          tries++;
          throw new ServiceError('EXECUTION_FAILED', 'no luck');
        };
        await begin({ operations: [work, counted], jobTypes: [type(fails)] });
        await partition.send(work, { id: newId(), dueAt: 0 }, ann);
        const { incidents, jobs } = await import('../../src/store/index.js');
        await until(() => partition.read().range(incidents, 'created', [0], 10).length === 1);
        assert.equal(tries, 3);
        const [job] = partition.read().range(jobs, 'due', [0], 10);
        assert.equal(job?.actor.value, 'dead');
        assert.equal(job?.failure?.message, 'no luck');
      });

      it('waits while a virtual clock stands, unless it goes on by itself', async () => {
        const clock = new VirtualClock(1_000);
        await begin({ operations: [work, counted], jobTypes: [type()], clock });
        await partition.send(work, { id: newId(), dueAt: 1_000 }, ann);
        const { commandId } = await partition.send(work, { id: newId(), dueAt: 1_000, immediate: true }, ann);
        await partition.settled(commandId, 1_000);
        assert.equal(value('jobs'), 1);
        assert.equal(await partition.jobs.takeDue(), 1);
        await partition.jobs.quiet();
        assert.equal(value('jobs'), 2);
      });

      it('is settled for whoever set it off when it is through', async () => {
        await begin({ operations: [work, counted], jobTypes: [type(() => new Promise((r) => setTimeout(r, 20)))] });
        const { commandId } = await partition.send(work, { id: newId(), dueAt: 0, immediate: true }, ann);
        assert.equal(value('jobs'), undefined);
        await partition.settled(commandId, 2_000);
        assert.equal(value('jobs'), 1);
      });
    });
  });
}
