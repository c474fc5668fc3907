import assert from 'node:assert/strict';
import { type Run, runId, runs, subscribedKey } from '../../../src/engine/collection/runs.js';
import { idSource, seedOf } from '../../../src/shared/ids.js';

const NOW = Date.UTC(2026, 0, 1);

describe('a stored run', () => {
  it('need not say what its id says: the instance, its number, and when the instance began', () => {
    const instanceId = idSource(seedOf('instance'), NOW).next();
    for (const n of [1, 9, 12, 345]) {
      const id = runId(instanceId, n);
      const run = { id, instanceId } as Run;
      const { implied } = runs;
      assert.deepEqual(
        [implied?.instanceId?.(run), implied?.n?.(run), implied?.at?.(run), implied?.pieces?.(run)],
        [instanceId, n, NOW, 0],
      );
    }
  });

  it('names a message apart from a signal of that name', () => {
    assert.notEqual(subscribedKey('message', 'go'), subscribedKey('signal', 'go'));
  });
});
