import assert from 'node:assert/strict';
import { WAITING_COMMANDS_MAX } from '../../../src/store/decide/decider-options.js';
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
});
