import assert from 'node:assert/strict';
import { parseCycle } from '../../src/expression/routes.js';

/** The instants after `start` (a Thursday where none is given), to the second. */
function times(text: string, count: number, start = '2026-01-01T00:00:00Z'): string[] {
  const { nextAfter } = parseCycle(text);
  const result: string[] = [];
  let ms: number | null = Date.parse(start);
  while (result.length < count) {
    ms = nextAfter(ms);
    if (ms === null) break;
    result.push(new Date(ms).toISOString().slice(0, 19));
  }
  return result;
}

describe('a cron expression in the style of Quartz', () => {
  const rows: [string, string[]][] = [
    ['0 0/5 * * * ?', ['2026-01-01T00:05:00', '2026-01-01T00:10:00']],
    ['*/20 * * * * ?', ['2026-01-01T00:00:20', '2026-01-01T00:00:40', '2026-01-01T00:01:00']],
    ['0 0 12 * * ?', ['2026-01-01T12:00:00', '2026-01-02T12:00:00']],
    ['0 0 12 ? * *', ['2026-01-01T12:00:00']],
    ['0 0 12 * * *', ['2026-01-01T12:00:00']],
    ['0 15 10 ? * MON-FRI', ['2026-01-01T10:15:00', '2026-01-02T10:15:00', '2026-01-05T10:15:00']],
    ['0 0 0 ? * 2-6', ['2026-01-02T00:00:00', '2026-01-05T00:00:00']],
    ['0 0 0 ? * SAT,sun', ['2026-01-03T00:00:00', '2026-01-04T00:00:00', '2026-01-10T00:00:00']],
    ['0 0 0 ? * FRI-MON', ['2026-01-02T00:00:00', '2026-01-03T00:00:00', '2026-01-04T00:00:00', '2026-01-05T00:00:00']],
    ['0 0 22-1 * * ?', ['2026-01-01T01:00:00', '2026-01-01T22:00:00', '2026-01-01T23:00:00', '2026-01-02T00:00:00']],
    ['0 5,10-12 8 1 * ?', ['2026-01-01T08:05:00', '2026-01-01T08:10:00', '2026-01-01T08:11:00', '2026-01-01T08:12:00']],
    ['0 0 9-17/4 * * ?', ['2026-01-01T09:00:00', '2026-01-01T13:00:00', '2026-01-01T17:00:00', '2026-01-02T09:00:00']],
    ['0 0 0 L * ?', ['2026-01-31T00:00:00', '2026-02-28T00:00:00', '2026-03-31T00:00:00']],
    ['0 0 0 L-3 * ?', ['2026-01-28T00:00:00', '2026-02-25T00:00:00']],
    ['0 0 0 LW * ?', ['2026-01-30T00:00:00', '2026-02-27T00:00:00', '2026-03-31T00:00:00']],
    ['0 0 0 15W * ?', ['2026-01-15T00:00:00', '2026-02-16T00:00:00', '2026-03-16T00:00:00']],
    ['0 0 0 1W 8 ?', ['2026-08-03T00:00:00']],
    ['0 0 0 31W 5 ?', ['2026-05-29T00:00:00']],
    ['0 0 0 ? * L', ['2026-01-03T00:00:00', '2026-01-10T00:00:00']],
    ['0 0 0 ? * 6L', ['2026-01-30T00:00:00', '2026-02-27T00:00:00']],
    ['0 0 0 ? 7 6L', ['2026-07-31T00:00:00', '2027-07-30T00:00:00']],
    ['0 0 0 ? 1,2 2L', ['2026-01-26T00:00:00', '2026-02-23T00:00:00']],
    ['0 0 0 L-30 * ?', ['2026-03-01T00:00:00', '2026-05-01T00:00:00']],
    ['0/60 0 0 * * ?', ['2026-01-02T00:00:00', '2026-01-03T00:00:00']],
    ['0 0 0 1 1 ? 2299', ['2299-01-01T00:00:00']],
    ['0 0 0 ? * FRIL', ['2026-01-30T00:00:00']],
    ['0 0 0 ? * 6#3', ['2026-01-16T00:00:00', '2026-02-20T00:00:00']],
    ['0 0 0 ? * MON#1', ['2026-01-05T00:00:00', '2026-02-02T00:00:00']],
    ['0 0 0 ? * 5#5', ['2026-01-29T00:00:00', '2026-04-30T00:00:00']],
    ['0 0 0 1,15 JAN,JUL ?', ['2026-01-15T00:00:00', '2026-07-01T00:00:00', '2026-07-15T00:00:00']],
    ['0 0 0 29 2 ?', ['2028-02-29T00:00:00', '2032-02-29T00:00:00']],
    ['0 0 0 31 * ?', ['2026-01-31T00:00:00', '2026-03-31T00:00:00', '2026-05-31T00:00:00']],
    ['0 0 0 1 1 ? 2027', ['2027-01-01T00:00:00']],
    ['0 0 0 1 1 ? 2027-2030/2', ['2027-01-01T00:00:00', '2029-01-01T00:00:00']],
    ['59 59 23 31 12 ?', ['2026-12-31T23:59:59', '2027-12-31T23:59:59']],
    ['  0  0   12 * * ?  ', ['2026-01-01T12:00:00']],
  ];
  for (const [text, expected] of rows) {
    it(`'${text}' is due ${expected.join(', ')}`, () => assert.deepEqual(times(text, expected.length), expected));
  }

  it('is due later than asked, never at the same instant', () => {
    assert.deepEqual(times('0 0 12 * * ?', 1, '2026-01-01T12:00:00Z'), ['2026-01-02T12:00:00']);
    assert.deepEqual(times('0 0 12 * * ?', 1, '2026-01-01T11:59:59.999Z'), ['2026-01-01T12:00:00']);
  });

  it('has an end when its years are over, or its day never comes', () => {
    assert.deepEqual(times('0 0 0 1 1 ? 2025', 1), []);
    assert.deepEqual(times('0 0 0 30 2 ?', 1), []);
    assert.deepEqual(times('0 0 0 1 1 ? 2027', 2), ['2027-01-01T00:00:00']);
  });

  it('comes to an end at the last instant that a date can have', () => {
    const { nextAfter } = parseCycle('0 0 0 1 1 ?');
    assert.deepEqual([8.64e15 - 1000, 8.64e15, Number.POSITIVE_INFINITY].map(nextAfter), [null, null, null]);
    assert.equal(nextAfter(Date.UTC(2299, 0, 1)), null);
    assert.equal(parseCycle('* * * * * ?').nextAfter(8.64e15 - 1000), null);
  });

  it('has at most 512 characters', () => {
    const long = (length: number) => '0 0 0 * * ?'.padStart(length - 1).concat(' ');
    assert.throws(() => parseCycle(long(513)), { code: 'BAD_REQUEST', message: /six or seven fields/ });
    assert.equal(parseCycle(long(512)).nextAfter(0), 86_400_000);
  });

  const refused: [string, RegExp][] = [
    ['0/61 * * * * ?', /field seconds/],
    ['* * * * *', /six or seven fields/],
    ['0 0 0 1 1 ? 2026 7', /six or seven fields/],
    ['60 * * * * ?', /field seconds has 0-59 \(found '60' there\)/],
    ['0 60 * * * ?', /field minutes/],
    ['0 0 24 * * ?', /field hours/],
    ['0 0 0 32 * ?', /field day-of-month/],
    ['0 0 0 0 * ?', /field day-of-month/],
    ['0 0 0 1 13 ?', /field month has 1-12 or JAN-DEC/],
    ['0 0 0 ? * 8', /field day-of-week has 1-7 or SUN-SAT/],
    ['0 0 0 ? * FOO', /found 'FOO' there/],
    ['0 0 0 ? * 6#6', /field day-of-week/],
    ['0 0 0 1 * 2', /'\?' for either day-of-month or day-of-week/],
    ['0 0 0 ? * ?', /'\?' in one of the two/],
    ['? 0 0 1 * ?', /field seconds/],
    ['0/0 * * * * ?', /field seconds/],
    ['1- * * * * ?', /field seconds/],
    ['1,,2 * * * * ?', /field seconds/],
    ['*-5 * * * * ?', /field seconds/],
    ['0 0 0 L-31 * ?', /field day-of-month/],
    ['0 0 0 1 1 ? 1969', /field year/],
    ['every day', /six or seven fields/],
  ];
  for (const [text, message] of refused) {
    it(`refuses '${text}'`, () => assert.throws(() => parseCycle(text), { code: 'BAD_REQUEST', message }));
  }
});
