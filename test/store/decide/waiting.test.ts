import assert from 'node:assert/strict';
import { systemTime, turn } from '../../../src/shared/time.js';
import { WAITING_COMMANDS_MAX } from '../../../src/store/decide/decider-options.js';
import { SLICE_MS } from '../../../src/store/decide/decision-time.js';
import { type Command, operation, type Partition, steppedOperation } from '../../../src/store/index.js';
import { openLog } from '../../contract/support/log-fixture.js';
import { memoryKit } from '../../contract/support/memory-kit.js';
import { partitionOn } from '../../contract/support/test-partition.js';
import { callerNamed } from '../../support/test-domain.js';

describe('commands that wait to be decided', () => {
  it('are 10,000 at most: one more is refused, and those are decided', async () => {
    let isHeld = true;
    const held = steppedOperation('held', function* () {
      while (isHeld) yield;
      return { answer: null };
    });
    let decided = 0;
    const count = operation('count', () => ({ answer: ++decided }));
    const place = await memoryKit.make();
    const partition: Partition = partitionOn(await openLog(place), (log) => log, { operations: [held, count] });
    const command = (type: string, n = 0): Command => {
      const caller = callerNamed('ann');
      return { id: `c${n}`, type, input: null, caller, cause: {}, keyed: false };
    };
    const first = partition.decider.submit(command('held'));
    const waiting = Array.from({ length: WAITING_COMMANDS_MAX }, (_, n) =>
      partition.decider.submit(command('count', n)),
    );
    await assert.rejects(partition.decider.submit(command('count')), {
      code: 'UNAVAILABLE',
      message: 'expected at most 10000 commands to wait, try again later',
    });
    isHeld = false;
    await Promise.all([first, ...waiting]);
    assert.equal(decided, WAITING_COMMANDS_MAX);
    await partition.close(0);
    await place.remove();
  });

  it('behind one of their mailbox are decided for a few ms, then others have their turn', async () => {
    const MAILBOX = 90;
    const time: { now: number } = { now: 0 };
    const turns: number[] = [];
    let decided = 0;
    const asking = operation(
      'asking',
      (_state, first: boolean, { answers }) => {
        if (first && answers.length === 0) return { ask: { kind: 'later', question: null } };
        decided++;
        time.now += 1;
        return { answer: null };
      },
      () => 'one',
    );
    const place = await memoryKit.make();
    let answer: (value: null) => void = () => {};
    const answered = new Promise<null>((resolve) => {
      answer = resolve;
    });
    const partition: Partition = partitionOn(await openLog(place), (log) => log, {
      operations: [asking],
      evaluators: { later: () => answered },
      time: { ...systemTime, monotonic: () => time.now },
    });
    const submit = (input: boolean, n: number) =>
      partition.decider.submit({
        id: `c${n}`,
        type: 'asking',
        input,
        caller: callerNamed('ann'),
        cause: {},
        keyed: false,
      });
    const all = [submit(true, 0), ...Array.from({ length: MAILBOX }, (_, n) => submit(false, n + 1))];
    answer(null);
    while (decided <= MAILBOX) {
      turns.push(decided);
      await turn(systemTime);
    }
    await Promise.all(all);
    const most = Math.max(...turns.map((before, at) => (turns[at + 1] ?? decided) - before));
    assert.ok(most <= SLICE_MS + 2, `${most} were decided in one turn`);
    await partition.close(0);
    await place.remove();
  });
});
