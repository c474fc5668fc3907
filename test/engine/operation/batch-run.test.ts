import assert from 'node:assert/strict';
import { BatchRun } from '../../../src/engine/batch/batch-run.js';
import type { LongJobContext } from '../../../src/store/index.js';

/** As a decision takes time. */
const decide = (ms: number) => {
  for (const until = performance.now() + ms; performance.now() < until; );
};

describe('the run of a batch', () => {
  it('lets others have the main thread between the commands of a page', async () => {
    const ids = Array.from({ length: 30 }, (_, n) => `i${n}`);
    const sent: string[] = [];
    const context = {
      parameters: {},
      job: { id: 'job', checkpoint: null },
      caller: {},
      signal: new AbortController().signal,
      partition: {
        send: async (_: unknown, input: string) => {
          decide(2);
          sent.push(input);
        },
      },
      progress: () => {},
      items: (async function* () {
        yield* ids;
      })(),
    } as unknown as LongJobContext;
    const batch = {
      type: 'test',
      abortable: true,
      prepare: () => ({}),
      command: (id: string) => ({ operation: {}, input: id }),
    };
    const seen: number[] = [];
    const look = () => {
      seen.push(sent.length);
      if (sent.length < ids.length) setImmediate(look);
    };
    setImmediate(look);
    await new BatchRun(batch as never, context).run();
    assert.deepEqual(sent, ids);
    const turns = new Set(seen.filter((count) => count > 0 && count < ids.length));
    assert.ok(turns.size >= 5, `others had ${turns.size} turns`);
  });
});
