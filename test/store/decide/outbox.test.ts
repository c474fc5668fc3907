import assert from 'node:assert/strict';
import { unavailable } from '../../../src/shared/errors.js';
import { systemTime, type Time, turn } from '../../../src/shared/time.js';
import type { Unreleased } from '../../../src/store/decide/accepted.js';
import { LogPatience, Outbox } from '../../../src/store/decide/outbox.js';
import {
  type CommitRecord,
  GROUP_BYTES_MAX,
  GROUP_COMMITS_MAX,
  GROUP_DOCUMENTS_MAX,
  type Log,
} from '../../../src/store/log/log.js';
import { recordSpans, type SpanRecorder } from '../../support/span-recorder.js';
import { add, callerNamed } from '../../support/test-domain.js';

const ANSWER_MS = 900;
const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

interface Given {
  /** Default: it is a commit. */
  readonly isReply?: boolean;
  /** Characters of its text. */
  readonly length?: number;
  readonly documents?: number;
  /** Since when it waits, ms. */
  readonly since?: number;
}

describe('the outbox', () => {
  let now: number;
  let timers: { readonly ms: number; readonly run: () => void }[];
  /** Sizes of the groups that the log was given. */
  let groups: number[];
  let landed: number[];
  let failed: Error[];
  let answer: () => Promise<void>;
  let outbox: Outbox;
  let revision: number;
  beforeEach(() => {
    [now, timers, groups, landed, failed, revision] = [1_000, [], [], [], [], 0];
    answer = async () => {};
    const timer = { cancel: () => {}, hold: () => timer };
    const after = (ms: number, run: () => void) => {
      timers.push({ ms, run });
      return timer;
    };
    const time: Time = { ...systemTime, monotonic: () => now, after };
    const log: Pick<Log, 'append'> = {
      append: (records) => {
        groups.push(records.length);
        return answer();
      },
    };
    outbox = new Outbox({
      log: log as Log,
      time,
      patience: new LogPatience(ANSWER_MS),
      landed: (group) => landed.push(...group.map((one) => one.revision)),
      failed: (error) => failed.push(error),
    });
  });

  const decided = ({ isReply = false, length = 10, documents = 0, since = now }: Given): Unreleased => {
    const caller = callerNamed('ann');
    const command = { id: 'c', type: 'add', input: null, caller, cause: { traceparent: TRACEPARENT }, keyed: false };
    const accepted = {
      ...{ command, operation: add, seed: '', now: 0, answers: [], since, failures: 0 },
      resolve: () => {},
      reject: () => {},
    };
    if (isReply) return { accepted, revision, commit: null, made: [], result: { answer: null } };
    const record: CommitRecord = {
      ...{ revision: ++revision, id: 'c', at: 0, events: 0, outcome: null },
      body: 'x'.repeat(length),
      documents: Array.from({ length: documents }, (_, n) => ({
        ...{ collection: 'counter', id: `${n}`, body: null, columns: [], multi: [] },
      })),
    };
    const commit = { record, command, events: [], writes: [] };
    return { accepted, revision, commit, made: [], result: { answer: null } };
  };
  /** Gives these to the log in one turn; what a group has no room for follows it. */
  const push = async (given: readonly Given[]) => {
    for (const one of given) outbox.push(decided(one));
    for (let n = 0; n < 10; n++) await turn(systemTime);
  };
  const HALF = GROUP_BYTES_MAX / 2;
  const MOST = GROUP_DOCUMENTS_MAX;

  for (const [what, given, expected] of [
    ['as many commits as a group takes', Array(GROUP_COMMITS_MAX).fill({}), [GROUP_COMMITS_MAX]],
    ['one commit more', Array(GROUP_COMMITS_MAX + 1).fill({}), [GROUP_COMMITS_MAX, 1]],
    ['as many documents as a group takes', [{ documents: MOST - 1 }, { documents: 1 }, {}], [3]],
    ['one document more', [{ documents: MOST - 1 }, { documents: 2 }, {}], [1, 2]],
    ['as much text as a group takes', [{ length: HALF }, { length: HALF }], [2]],
    ['one character more', [{ length: HALF }, { length: HALF + 1 }], [1, 1]],
    ['a commit that is larger than a group', [{ length: 3 * HALF }, {}], [1, 1]],
    ['replies alone', [{ isReply: true }, { isReply: true }], []],
  ] as const)
    it(`gives the log ${what}: groups of ${JSON.stringify(expected)}`, async () => {
      await push(given as readonly Given[]);
      assert.deepEqual(groups, expected);
      assert.equal(landed.length, given.length);
    });

  for (const [what, given, ms] of [
    ['as long as its patience lasts', [{}], ANSWER_MS],
    ['as much less as the oldest has waited', [{ since: 900 }, { since: 800 }, { since: 1_000 }], ANSWER_MS - 200],
    ['a third of that at least', [{ since: 0 }], ANSWER_MS / 3],
    ['longer for the text of two groups', [{ length: GROUP_BYTES_MAX + 1 }], 2 * ANSWER_MS],
    ['longer for the documents of three groups', [{ documents: 2 * MOST + 1 }], 3 * ANSWER_MS],
    ['no longer for one that is just full', [{ length: GROUP_BYTES_MAX, documents: MOST }], ANSWER_MS],
  ] as const)
    it(`waits for the log ${what}`, async () => {
      answer = () => new Promise(() => {});
      await push(given);
      assert.deepEqual(
        timers.map((timer) => timer.ms),
        [ms],
      );
      now += ms;
      timers[0]?.run();
      assert.deepEqual(
        failed.map(({ message }) => message),
        [`the log did not answer within ${ANSWER_MS} ms`],
      );
    });

  it('waits for each group from when that was given to the log', async () => {
    let end = () => {};
    answer = () =>
      new Promise((resolve) => {
        end = resolve;
      });
    await push([{}]);
    now += 300;
    end();
    await turn(systemTime);
    await push([{}]);
    assert.deepEqual([groups, timers.length], [[1, 1], 1]);
    now += 600;
    timers[0]?.run();
    assert.deepEqual([failed, timers[1]?.ms], [[], 300]);
    end();
    await turn(systemTime);
    now += 300;
    timers[1]?.run();
    assert.deepEqual([failed, timers.length, landed], [[], 2, [1, 2]]);
  });

  it('tells nobody of a group that fails when it was taken back', async () => {
    let fail = (_: Error) => {};
    answer = () =>
      new Promise((_, reject) => {
        fail = reject;
      });
    await push([{}, { isReply: true }]);
    outbox.push(decided({}));
    const { sent, pending } = outbox.takeBack();
    assert.deepEqual(
      [sent, pending].map((all) => all.map((one) => one.revision)),
      [[1, 1], [2]],
    );
    fail(new Error('late'));
    await turn(systemTime);
    assert.deepEqual(failed, []);
  });

  it('has patience with a log while the server starts, where that is to be more', () => {
    for (const [answerMs, startMs, isStarting, first] of [
      [10, 11, true, 11],
      [10, 10, false, 10],
      [10, 0, false, 10],
    ] as const) {
      const patience = new LogPatience(answerMs, startMs);
      assert.deepEqual([patience.isStarting, patience.answerMs], [isStarting, first]);
      patience.started();
      assert.deepEqual([patience.isStarting, patience.answerMs], [false, answerMs]);
    }
  });

  describe('measured', () => {
    let recorder: SpanRecorder;
    beforeEach(() => {
      recorder = recordSpans();
    });
    afterEach(() => recorder.stop());
    const GROUP = { 'db.system.name': 'other_sql', 'db.operation.name': 'commit' };
    const took = () => recorder.measured('db.client.operation.duration');

    it('tells how long each group took, and why one failed', async () => {
      await push([{ isReply: true }]);
      assert.deepEqual(await took(), {}, 'the log was not asked');
      await push([{}, { isReply: true }]);
      assert.deepEqual(await took(), { [JSON.stringify(GROUP)]: 1 });
      answer = () => Promise.reject(unavailable('the log is away'));
      await push([{}]);
      const why = JSON.stringify({ ...GROUP, 'error.type': 'UNAVAILABLE' });
      assert.deepEqual(await took(), { [JSON.stringify(GROUP)]: 1, [why]: 1 });
    });

    it('has a span for each commit of a group, within the trace of its command', async () => {
      answer = async () => {
        now += 7;
      };
      await push([{ documents: 2, length: 30 }, { isReply: true }, { length: 12 }]);
      const spans = recorder.spans().map(({ name, attributes, parentSpanContext, startTime, endTime }) => ({
        name,
        ...attributes,
        parent: parentSpanContext?.spanId,
        ms: Math.round((endTime[0] - startTime[0]) * 1_000 + (endTime[1] - startTime[1]) / 1e6),
      }));
      const common = {
        ...{ name: 'commit', ...GROUP, 'db.operation.batch.size': 2, 'app.commit.group.bytes': 42 },
        ...{ parent: 'b7ad6b7169203331', ms: 7 },
      };
      assert.deepEqual(spans, [
        { ...common, 'app.revision': 1, 'app.commit.documents': 2 },
        { ...common, 'app.revision': 2, 'app.commit.documents': 0 },
      ]);
    });
  });
});
