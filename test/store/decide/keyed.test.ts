import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { systemCaller } from '../../../src/shared/caller.js';
import { KeyedCommands } from '../../../src/store/decide/keyed.js';
import type { Command } from '../../../src/store/decision.js';

describe('a command with a key of its client', () => {
  const command = (input: unknown, compared?: unknown): Command => ({
    ...{ id: 'c', type: 'createUser', input, caller: systemCaller('system'), cause: {}, keyed: true },
    ...(compared !== undefined && { compared }),
  });
  /** The hash that is kept of a command's input. */
  const kept = async (sent: Command, key: string) => {
    let hash: string | undefined;
    const keyed = new KeyedCommands({ outcome: () => undefined } as never, () => key);
    await keyed.submit(sent, async ({ inputHash }) => {
      hash = inputHash;
      return { answer: null, revision: 1 };
    });
    return hash;
  };
  const plain = (input: unknown) =>
    createHash('sha256').update('createUser').update(JSON.stringify(input)).digest('base64url');

  it('is kept with a hash of its input that nobody can guess at without the key of the system', async () => {
    const hashes = [await kept(command('x'), 'one'), await kept(command('x'), 'two'), plain('x')];
    assert.equal(new Set(hashes).size, 3);
  });

  it('is compared by what was given, where the input is another one each time', async () => {
    assert.equal(await kept(command('salted 1', 'x'), 'one'), await kept(command('salted 2', 'x'), 'one'));
  });

  it('is known by the hash that a former version kept of it', async () => {
    const outcome = JSON.stringify({ input: plain('x'), answer: 'made' });
    const replica = { outcome: () => outcome, revision: () => 7 } as never;
    const again = (input: unknown) =>
      new KeyedCommands(replica, () => 'one').submit(command(input), () => Promise.reject(new Error('made twice')));
    assert.deepEqual(await again('x'), { answer: 'made', revision: 7 });
    await assert.rejects(again('y'), { info: { reason: 'idempotency_key_reused' } });
  });
});
