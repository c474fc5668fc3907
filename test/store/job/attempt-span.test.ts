import assert from 'node:assert/strict';
import { systemTime } from '../../../src/shared/time.js';
import { inAttempt } from '../../../src/store/job/attempt-span.js';
import { noSubject } from '../../../src/store/job/job.js';
import { begun, jobOf } from '../../../src/store/job/transition.js';
import { recordSpans, type SpanRecorder } from '../../support/span-recorder.js';
import { callerNamed } from '../../support/test-domain.js';

const NOW = 5_000_000;

describe('the span of an attempt of a job', () => {
  let recorder: SpanRecorder;
  beforeEach(() => {
    recorder = recordSpans();
  });
  afterEach(() => recorder.stop());

  const attempt = (retries: number, traceStart = NOW) => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const command = { caller: callerNamed('ann'), cause: { traceparent, traceStart }, id: 'c1' };
    const job = begun(jobOf({ id: 'j1', type: 'count', dueAt: 0, retries, input: null }, command, NOW, noSubject));
    const facts = { subject: noSubject, destination: 'counter', now: NOW, time: systemTime };
    return (fails: boolean) =>
      new Promise<number | undefined>((resolve) => {
        void inAttempt(job, facts, async (given) => {
          if (fails) given.failed(new Error('no luck'));
          resolve(given.job.cause.traceStart);
        });
      });
  };

  it('counts a retry where the attempt fails and another follows', async () => {
    await attempt(2)(false);
    await attempt(1)(true);
    assert.deepEqual(await recorder.measured('bpm.job.retries'), {});
    await attempt(2)(true);
    assert.deepEqual(await recorder.measured('bpm.job.retries'), { '{"messaging.destination.name":"counter"}': 1 });
  });

  it('begins a trace of its own where that of what made the job has become old', async () => {
    assert.equal(await attempt(1)(false), NOW);
    assert.equal(await attempt(1, NOW - 3_600_000)(false), NOW - 3_600_000, 'it goes on with a young one');
    assert.equal(await attempt(1, NOW - 3_600_001)(false), NOW);
  });
});
