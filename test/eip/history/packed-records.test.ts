import assert from 'node:assert/strict';
import fc from 'fast-check';
import { RecordPacker, recordAt, type StepName, summariesOf } from '../../../src/eip/history/packed-records.js';

const STEPS: readonly StepName[] = [
  { routeId: 'orders', stepId: 'setBody1', endpointUri: null },
  { routeId: 'orders', stepId: 'to1', endpointUri: 'mock:out' },
];
const text = fc.string({ unit: 'binary', maxLength: 200 });
const optional = fc.option(text, { nil: null });
const whole = fc.integer({ min: 0, max: 2 ** 50 });

describe('packed records of exchanges', () => {
  it('are what was packed', () => {
    const record = fc.record({
      exchangeId: text,
      routeId: text,
      createdAt: whole,
      lasted: fc.nat(),
      elapsed: whole,
      status: fc.constantFrom('completed' as const, 'failed' as const),
      exceptionType: optional,
      exceptionMessage: optional,
      stackTrace: optional,
      businessKey: optional,
      bodyType: optional,
      bodySize: fc.option(whole, { nil: null }),
      headers: optional,
      forgotten: fc.nat(),
      steps: fc.array(fc.record({ step: fc.nat(1), entered: whole, taken: fc.integer({ min: -1, max: 2 ** 40 }) })),
    });
    fc.assert(
      fc.property(fc.array(record, { maxLength: 20 }), (records) => {
        const packer = new RecordPacker(STEPS);
        const whole = records.map(({ lasted, ...one }) => ({ ...one, completedAt: one.createdAt + lasted }));
        for (const one of whole) packer.add({ ...one, stepCount: one.steps.length });
        const wanted = whole.map(({ steps, ...one }) => ({
          ...one,
          steps: steps.map(({ step, entered, taken }) => ({
            ...STEPS[step],
            entered,
            taken: taken === -1 ? null : taken,
          })),
        }));
        const packed = packer.take();
        const summaries = [...summariesOf(packed)];
        assert.deepEqual(
          summaries.map(({ at }) => recordAt(packed, at)),
          wanted,
        );
        for (const [index, { at, ...summary }] of summaries.entries())
          assert.deepEqual({ ...wanted[index], ...summary }, wanted[index]);
        assert.equal(packer.take().count, 0);
      }),
    );
  });
});
