import assert from 'node:assert/strict';
import { quartzOf } from '../../src/expression/index.js';
import { parseCycle } from '../../src/expression/routes.js';

/** The first days after a Wednesday, the last of 2025, at which the expression comes, as `Thu 01`. */
function days(text: string, count: number): string {
  const { nextAfter } = parseCycle(quartzOf(text));
  let ms: number | null = Date.UTC(2025, 11, 31, 23);
  const found: string[] = [];
  while (found.length < count && ms !== null) {
    ms = nextAfter(ms);
    if (ms !== null) found.push(new Date(ms).toUTCString().replace(/,/, '').slice(0, 6));
  }
  return found.join(' ');
}

describe('a cron expression of Camunda 8', () => {
  it('counts the days of a week as Spring does', () => {
    for (const [text, expected] of [
      ['0 0 9 * * 1', 'Mon 05 Mon 12'],
      ['0 0 9 * * 0', 'Sun 04 Sun 11'],
      ['0 0 9 * * 7', 'Sun 04 Sun 11'],
      ['0 0 9 ? * 1-5', 'Thu 01 Fri 02 Mon 05'],
      ['0 0 9 * * 0-6', 'Thu 01 Fri 02 Sat 03 Sun 04 Mon 05'],
      ['0 0 9 * * 0-7', 'Thu 01 Fri 02 Sat 03 Sun 04 Mon 05'],
      ['0 0 9 * * 5-7', 'Fri 02 Sat 03 Sun 04 Fri 09'],
      ['0 0 9 * * 6-1', 'Sat 03 Sun 04 Mon 05 Sat 10'],
      ['0 0 9 * * */2', 'Thu 01 Sat 03 Sun 04 Tue 06'],
      ['0 0 9 * * 0/2', 'Thu 01 Sat 03 Sun 04 Tue 06'],
      ['0 0 9 * * 1/2', 'Fri 02 Sun 04 Mon 05 Wed 07'],
      ['0 0 9 * * 2-7/2', 'Thu 01 Sat 03 Tue 06 Thu 08'],
      ['0 0 9 * * 1,3,0', 'Sun 04 Mon 05 Wed 07'],
      ['0 0 9 * * 5L', 'Fri 30'],
      ['0 0 9 * * L', 'Sun 04'],
      ['0 0 9 * * FRI#2', 'Fri 09'],
      ['0 0 9 * * 0#2', 'Sun 11'],
      ['0 0 9 1 * ?', 'Thu 01 Sun 01'],
      ['0 0 9 ? * ?', 'Thu 01 Fri 02'],
      ['0 0 9 LW * *', 'Fri 30'],
    ] as const) {
      assert.equal(days(text, expected.split(' ').length / 2), expected, text);
    }
  });

  it('may be a name, in a zone', () => {
    assert.equal(days('@weekly', 2), 'Sun 04 Sun 11');
    assert.equal(days('@monthly', 2), 'Thu 01 Sun 01');
    assert.equal(quartzOf('@daily[Europe/Berlin]'), '0 0 0 * * ?[Europe/Berlin]');
    assert.equal(quartzOf(' 0 0 9 * * 1 [Europe/Berlin]'), '0 0 9 * * MON[Europe/Berlin]');
  });

  it('stays what it is where it is none', () => {
    for (const text of ['R3/PT1H', 'R/2026-01-01T00:00:00Z/P1D[Europe/Berlin]', '0 0 9 * *', 'soon', '', '@reboot'])
      assert.equal(quartzOf(text), text);
  });
});
