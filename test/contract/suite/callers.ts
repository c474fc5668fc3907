import assert from 'node:assert/strict';
import type { Caller } from '../../../src/shared/caller.js';
import { SteadyClock } from '../../../src/shared/clock.js';
import { ServiceError } from '../../../src/shared/errors.js';
import { collection, operation, put } from '../../../src/store/index.js';
import { takeOutcome } from '../../../src/store/job/outcome.js';
import { Store } from '../../../src/store/store.js';
import { callerNamed } from '../../support/test-domain.js';
import { openTestPartition } from '../../support/test-store.js';
import type { LogKit } from '../log-kit.js';
import { storeFixture } from '../support/log-fixture.js';

interface Note {
  readonly id: string;
  readonly owner: string;
}

const notes = collection<Note>({ name: 'note', visible: (caller, note) => note.owner === caller.userId });

/** Who asks: an operation is told, jobs act for whoever started them, and nobody finds what is not for them. */
export function callerContract(kit: LogKit): void {
  describe('a caller', () => {
    const on = storeFixture(kit);

    it('is told to the operation, whole', async () => {
      let seen: Caller | undefined;
      const whoAmI = operation('whoAmI', (_state, _input: object, { caller }) => {
        seen = caller;
        return { answer: caller.userId };
      });
      const partition = await on.begin({ operations: [whoAmI] });
      const caller = { ...callerNamed('ann'), groups: ['staff'], roles: ['supervisor'], sessionId: 's1' };
      assert.equal((await partition.send(whoAmI, {}, { caller })).answer, 'ann');
      assert.deepEqual(
        [seen?.groups, seen?.roles, seen?.sessionId, seen?.workspace],
        [['staff'], ['supervisor'], 's1', 'test'],
      );
    });

    it('has the rights of the moment at which its command is decided, however long that waited', async () => {
      let groups = ['before'];
      let answerFirst = (_: number) => {};
      const seen: (readonly string[])[] = [];
      const ask = operation(
        'ask',
        (_state, _input: object, { caller, answers }) => {
          seen.push(caller.groups);
          return answers.length === 0 ? { ask: { kind: 'number', question: '' } } : { answer: caller.groups };
        },
        () => 'one',
      );
      const partition = await on.begin({
        operations: [ask],
        evaluators: { number: () => (seen.length > 1 ? 1 : new Promise((resolve) => (answerFirst = resolve))) },
        callerNow: (caller) => {
          if (caller.userId === 'gone') throw new ServiceError('UNAUTHORIZED', 'it is gone');
          return { ...caller, groups };
        },
      });
      const sent = ['ann', 'bob', 'gone'].map((name) => partition.send(ask, {}, { caller: callerNamed(name) }));
      const gone = assert.rejects(Promise.all(sent), { code: 'UNAUTHORIZED' });
      assert.deepEqual(seen, [['before']]);
      groups = ['by then'];
      answerFirst(1);
      assert.deepEqual(
        (await Promise.all(sent.slice(0, 2))).map(({ answer }) => answer),
        [['by then'], ['by then']],
      );
      await gone;
    });

    it('starts a job that acts for it, with the groups that it has by then', async () => {
      const seen: Caller[] = [];
      const begin = operation('begin', (state, _input: object) => ({
        jobs: [{ id: state.ids.next(), type: 'report', dueAt: 0, immediate: true, input: null }],
        answer: null,
      }));
      const report = operation('report', (state, input: { jobId: string; attempt: number }, { caller }) => {
        seen.push(caller);
        return { write: [takeOutcome(state, input).done], answer: null };
      });
      const partition = await on.begin({
        operations: [begin, report],
        jobTypes: [
          {
            type: 'report',
            run: (job) => ({ operation: report, input: { jobId: job.id, attempt: job.actor.context.attempt } }),
          },
        ],
        callerOf: (userId, _workspace, cause) => ({ ...callerNamed(userId), groups: ['by then'], cause }),
      });
      const { commandId } = await partition.send(begin, {}, { caller: callerNamed('ann') });
      await partition.replica.settled(commandId, 5_000);
      assert.deepEqual(
        seen.map(({ userId, groups, cause }) => [userId, groups, cause.commandId]),
        [['ann', ['by then'], commandId]],
      );
    });

    it('finds only what is visible to it', async () => {
      const write = operation('write', (_state, note: Note) => ({ write: [put(notes, note)], answer: null }));
      const place = on.place();
      const store = new Store({
        folder: place.folder,
        logs: place.logs(),
        collections: [notes],
        operations: [write],
        evaluators: {},
        jobTypes: [],
        reactions: [],
        clock: new SteadyClock(),
        jobSlots: 1,
        callerOf: callerNamed,
      });
      try {
        const partition = await openTestPartition(store);
        await partition.send(write, { id: 'n', owner: 'ann' }, { caller: callerNamed('ann') });
        assert.equal(partition.replica.find(notes, 'n', callerNamed('ann'))?.owner, 'ann');
        assert.equal(partition.replica.find(notes, 'n', callerNamed('bob')), undefined);
      } finally {
        await store.close(0);
      }
    });
  });
}
