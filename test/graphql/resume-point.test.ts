import assert from 'node:assert/strict';
import fc from 'fast-check';
import { FrameLog, readResumePoint, writeResumePoint } from '../../src/graphql/sse/frame-log.js';

describe('the id of a frame', () => {
  it('is read as it was written, whatever the position looks like', () =>
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }),
        fc.stringMatching(/^[0-9a-f]{12}$/),
        fc.nat(),
        (position, stream, sequence) => {
          assert.deepEqual(readResumePoint(writeResumePoint({ position, stream, sequence })), {
            position,
            stream,
            sequence,
          });
        },
      ),
    ));

  it('may lack a position, or be nothing else', () => {
    assert.deepEqual(readResumePoint('~ab-3'), { position: undefined, stream: 'ab', sequence: 3 });
    assert.deepEqual(readResumePoint('w1:7:2'), { position: 'w1:7:2' });
    assert.deepEqual(readResumePoint(''), { position: undefined });
  });
});

describe('FrameLog', () => {
  it('gives the frames behind a number, or says that they are gone', () =>
    fc.assert(
      fc.property(fc.nat(30), fc.integer({ min: 1, max: 10 }), fc.nat(40), (count, framesMax, sequence) => {
        const log = new FrameLog(framesMax, 1_000_000);
        const all = Array.from({ length: count }, (_, index) => String(index + 1));
        for (const frame of all) log.append(frame);
        const isKept = sequence <= count && count - sequence <= framesMax;
        assert.deepEqual(log.after(sequence), isKept ? all.slice(sequence) : undefined);
      }),
    ));

  it('lets old frames go when they are long, though never the last', () => {
    const log = new FrameLog(10, 5);
    for (const frame of ['aaa', 'bbb', 'c']) log.append(frame);
    assert.deepEqual([log.after(0), log.after(1)], [undefined, ['bbb', 'c']]);
    log.append('longer than five');
    assert.deepEqual([log.after(2), log.after(3)], [undefined, ['longer than five']]);
  });

  it('goes on counting when its frames are forgotten', () => {
    const log = new FrameLog(10, 100);
    log.append('a');
    log.clear();
    log.append('b');
    assert.deepEqual([log.last, log.after(0), log.after(1)], [2, undefined, ['b']]);
  });
});
