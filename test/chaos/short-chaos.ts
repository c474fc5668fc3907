import assert from 'node:assert/strict';
import { violationsAtEnd } from './ground/end.js';
import type { Kind } from './ground/ground.js';
import type { Limits } from './ledger.js';
import { playRound } from './round.js';

/** As patient as a machine that does other things, too: how fast it goes is for `npm run chaos`. */
const LIMITS: Limits = { answerMs: 30_000, refusalMs: 20_000, resumeMs: 30_000, settleMs: 60_000 };
const SEED = Number(process.env.MILLRACE_TEST_CHAOS_SEED ?? 1);

/** One short round of a kind of chaos, as a test. */
export function shortChaos(kind: Kind): void {
  describe(`a server under callers, with the fault '${kind.name}'`, function () {
    this.timeout(240_000);

    it('loses nothing, doubles nothing, answers everybody, and goes on', async function () {
      const missing = kind.missing?.();
      if (missing !== undefined) {
        process.stderr.write(`    NOT TRIED: ${kind.name}: ${missing}\n`);
        return this.skip();
      }
      const ground = await kind.open();
      try {
        const options = { seed: SEED, limits: LIMITS, strikes: 1, workMs: 800 };
        const { answered, violations } = await playRound(ground, options);
        assert.deepEqual(violations, []);
        assert.ok(answered > 20, `only ${answered} calls were answered`);
        assert.deepEqual(await violationsAtEnd(ground), []);
      } finally {
        if (ground.arena.isRunning) await ground.arena.end('SIGKILL');
        await ground.close();
      }
    });
  });
}
