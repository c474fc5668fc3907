import assert from 'node:assert/strict';
import { systemTime, type Timer } from '../../../src/shared/time.js';
import { BEHIND_MS } from '../../../src/store/decide/behind.js';
import { afterOthers, type Command, operation, type Partition } from '../../../src/store/index.js';
import { openLog } from '../../contract/support/log-fixture.js';
import { memoryKit } from '../../contract/support/memory-kit.js';
import { partitionOn } from '../../contract/support/test-partition.js';
import { callerNamed } from '../../support/test-domain.js';

describe('a command that lets others of a mailbox go before it', () => {
  const decided: string[] = [];
  let left = 0;
  const late = operation<string, string>(
    'late',
    (_state, name) => {
      if (left > 0) return { ask: afterOthers('box') };
      decided.push(name);
      return { answer: name };
    },
    () => 'box',
  );
  const step = operation<string, number>(
    'step',
    (_state, name) => {
      decided.push(name);
      return { answer: --left };
    },
    () => 'box',
  );
  const timers: (() => void)[] = [];
  const time = { now: 0 };
  let place: Awaited<ReturnType<typeof memoryKit.make>>;
  let partition: Partition;

  beforeEach(async () => {
    decided.length = 0;
    timers.length = 0;
    left = 2;
    time.now = 0;
    place = await memoryKit.make();
    const after = (ms: number, run: () => void): Timer => {
      if (ms !== BEHIND_MS) return systemTime.after(ms, run);
      timers.push(run);
      return { cancel: () => timers.splice(timers.indexOf(run), 1), hold: () => assert.fail() } as unknown as Timer;
    };
    partition = partitionOn(await openLog(place), (log) => log, {
      operations: [late, step],
      time: { ...systemTime, monotonic: () => time.now, after },
    });
  });
  afterEach(async () => {
    await partition.close(0);
    await place.remove();
  });

  let n = 0;
  const submit = (type: string, input: string) => {
    const command: Command = { id: `c${++n}`, type, input, caller: callerNamed('ann'), cause: {}, keyed: false };
    return partition.decider.submit(command);
  };

  it('is decided when nothing keeps it any more, after them', async () => {
    const waiting = [submit('late', 'one'), submit('late', 'two')];
    await submit('step', 'first');
    assert.deepEqual(decided, ['first']);
    await submit('step', 'second');
    const answers = await Promise.all(waiting);
    assert.deepEqual(
      answers.map(({ answer }) => answer),
      ['one', 'two'],
    );
    assert.deepEqual([decided, timers.length], [['first', 'second', 'one', 'two'], 0]);
  });

  it('is refused when it has waited for too long', async () => {
    const waiting = submit('late', 'one');
    await submit('step', 'first');
    assert.equal(timers.length, 1);
    for (const run of timers.splice(0)) run();
    await assert.rejects(waiting, { code: 'UNAVAILABLE', message: "others of 'box' go before it, try again later" });
    await submit('step', 'second');
    assert.deepEqual(decided, ['first', 'second']);
  });

  it('is refused when the server closes', async () => {
    const waiting = submit('late', 'one');
    const refused = assert.rejects(waiting, { code: 'UNAVAILABLE' });
    await partition.close(0);
    await refused;
    assert.deepEqual(decided, []);
  });
});
