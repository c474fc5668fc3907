import assert from 'node:assert/strict';
import { orRefused } from '../../../src/content/large/large-work.js';
import {
  answeringRefusals,
  byLines,
  NodeStaging,
  type Staging,
  stagedInRounds,
} from '../../../src/content/large/make-ready.js';
import { ServiceError } from '../../../src/shared/errors.js';

describe('making large work ready', () => {
  describe('round by round', () => {
    /** Is ready in the n-th round, from 0; tells its rounds, and when it is given up. */
    const staging = (readyIn: number, fails?: () => never) => {
      const rounds: number[] = [];
      let told: () => void = () => {};
      const abandoned = new Promise<void>((resolve) => {
        told = resolve;
      });
      const made: Staging<string> = {
        path: '/a',
        round: async (round) => {
          rounds.push(round);
          fails?.();
          return round === readyIn ? 'ready' : undefined;
        },
        abandon: async () => told(),
      };
      return { made, rounds, abandoned };
    };

    it('goes on until it is ready, six times at most', async () => {
      const { made, rounds } = staging(5);
      assert.equal(await stagedInRounds(made), 'ready');
      assert.deepEqual(rounds, [0, 1, 2, 3, 4, 5]);
      const never = staging(6);
      const answer = (await stagedInRounds(never.made)) as { problem: { code: string; info: object; message: string } };
      assert.deepEqual([answer.problem.code, answer.problem.info], ['UNAVAILABLE', { reason: 'tree_busy' }]);
      assert.match(answer.problem.message, /'\/a' to rest/);
      assert.equal(never.rounds.length, 6);
      await never.abandoned;
    });

    it('answers what it is refused with, and gives up what was staged at once', async () => {
      const refused = staging(0, () => {
        throw new ServiceError('CONFLICT', 'no', { reason: 'so' });
      });
      assert.deepEqual(await stagedInRounds(refused.made), {
        problem: { code: 'CONFLICT', message: 'no', info: { reason: 'so' } },
      });
      await refused.abandoned;
    });
  });

  it('tells of faults as they are, and of refusals as answers', async () => {
    const fault = new TypeError('a fault of the server');
    const faulty = () => {
      throw fault;
    };
    assert.throws(
      () => orRefused(faulty),
      (thrown) => thrown === fault,
    );
    await assert.rejects(
      answeringRefusals(async () => faulty()),
      (thrown) => thrown === fault,
    );
    assert.equal(await answeringRefusals(async () => 1), 1);
  });

  it('goes through lines some at a time, and as far each time as is told', async () => {
    const seen = async (lines: string, most: number, taken = Number.POSITIVE_INFINITY) => {
      const calls: string[] = [];
      await byLines(lines, most, async (some) => {
        calls.push(some.replaceAll('\n', ','));
        return Math.min(taken, some.split('\n').length);
      });
      return calls;
    };
    assert.deepEqual(await seen('', 2), []);
    assert.deepEqual(await seen('a', 2), ['a']);
    assert.deepEqual(await seen('a\nb', 2), ['a,b']);
    assert.deepEqual(await seen('a\nb\nc', 2), ['a,b', 'c']);
    assert.deepEqual(await seen('aa\nbb\ncc\ndd', 2), ['aa,bb', 'cc,dd']);
    assert.deepEqual(await seen('a\nb\nc\nd', 3, 2), ['a,b,c', 'c', 'd']);
  });

  it('gives nothing up that was not begun', async () => {
    const none = () => Promise.reject(new Error('expected nothing to be sent'));
    const made = new NodeStaging({ partitionOf: () => undefined, plan: none, send: none }, 'test', 'root');
    assert.equal(made.isBegun, false);
    await made.abandon();
  });
});
