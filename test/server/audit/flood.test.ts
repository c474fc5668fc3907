import assert from 'node:assert/strict';
import { Flood } from '../../../src/server/audit/flood.js';
import type { AuditEntry } from '../../../src/shared/audit.js';
import { systemTime, type Timer } from '../../../src/shared/time.js';

describe('a flood of refused calls', () => {
  const noted: Omit<AuditEntry, 'at'>[] = [];
  let periodEnds: (() => void) | undefined;
  const timer: Timer = { cancel: () => {}, hold: () => timer };
  const after = (ms: number, run: () => void): Timer => {
    assert.equal(ms, 10_000);
    periodEnds = run;
    return timer;
  };
  const flood = new Flood({ ...systemTime, after }, (_, entry) => noted.push(entry));
  beforeEach(() => {
    flood.flush();
    noted.length = 0;
  });
  const refused = (userId: string, target: string, outcome = 'FORBIDDEN') =>
    flood.note('p', { userId, type: 'jobs', targets: [target], outcome });

  it('is some entries, and one with the number of the others, in each period', () => {
    for (let n = 0; n < 1_000; n++) refused('ann', `t${n}`);
    assert.deepEqual(
      noted.map(({ targets }) => targets[0]),
      Array.from({ length: 20 }, (_, n) => `t${n}`),
    );
    periodEnds?.();
    assert.deepEqual(noted.slice(20), [{ userId: 'ann', type: 'jobs', targets: [], outcome: 'FORBIDDEN', count: 980 }]);
    refused('ann', 'again');
    assert.deepEqual(noted.at(-1)?.targets, ['again']);
  });

  it('of one caller hides nothing of others', () => {
    for (let n = 0; n < 100; n++) refused('ann', 't');
    refused('bob', 't');
    refused('ann', 't', 'BAD_REQUEST');
    assert.equal(noted.length, 22);
  });

  it('has a single one beyond it as it is', () => {
    for (let n = 0; n < 21; n++) refused('ann', `t${n}`);
    periodEnds?.();
    assert.deepEqual(noted.at(-1), { userId: 'ann', type: 'jobs', targets: ['t20'], outcome: 'FORBIDDEN' });
  });

  it('is bounded whatever names it has', () => {
    for (let n = 0; n < 100; n++) refused(`u${n}`, 't', 'RATE_LIMITED');
    assert.equal(noted.length, 20);
    for (let n = 0; n < 5_000; n++) refused(`v${n}`, 't');
    assert.ok(noted.length < 1_100, `${noted.length}`);
    flood.flush();
    assert.equal(
      noted.reduce((sum, { count = 1 }) => sum + count, 0),
      5_100,
    );
  });
});
