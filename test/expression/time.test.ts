import assert from 'node:assert/strict';
import { endOfDuration } from '../../src/expression/index.js';
import { addDuration, parseCycle, parseDateTime, parseDuration, parseRetryCycle } from '../../src/expression/routes.js';

const at = (text: string): number => Date.parse(text);
const shownAs = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

const refused = (parse: (text: string) => unknown, texts: readonly string[], expected: RegExp) => {
  for (const text of texts) {
    it(`refuses '${text}'`, () =>
      assert.throws(
        () => parse(text),
        (error: { code: string; message: string }) => {
          assert.equal(error.code, 'BAD_REQUEST');
          assert.match(error.message, expected);
          assert.ok(error.message.includes(`'${text.slice(0, 100)}`), error.message);
          return true;
        },
      ));
  }
};

describe('a duration', () => {
  const rows: [string, [number, number, number]][] = [
    ['PT1S', [0, 0, 1000]],
    ['PT15M', [0, 0, 900_000]],
    ['PT10H', [0, 0, 36_000_000]],
    ['P1D', [0, 1, 0]],
    ['P2W', [0, 14, 0]],
    ['P1M', [1, 0, 0]],
    ['P1Y', [12, 0, 0]],
    ['P1Y2M3DT4H5M6.5S', [14, 3, 14_706_500]],
    ['PT0.001S', [0, 0, 1]],
    ['PT1,5S', [0, 0, 1500]],
    ['PT0.5H', [0, 0, 1_800_000]],
    ['P0.5D', [0, 0, 43_200_000]],
    ['-PT1H', [0, 0, -3_600_000]],
    ['-P1M2D', [-1, -2, 0]],
    ['+P1D', [0, 1, 0]],
    ['P0D', [0, 0, 0]],
    ['PT36H', [0, 0, 129_600_000]],
    [' PT1S ', [0, 0, 1000]],
  ];
  for (const [text, [months, days, ms]] of rows) {
    it(`'${text}' is ${months} months, ${days} days, ${ms} ms`, () =>
      assert.deepEqual(parseDuration(text), { months, days, ms }));
  }
  refused(
    parseDuration,
    [
      '',
      'P',
      'PT',
      'P1DT',
      '1D',
      'P1H',
      'PT1D',
      'P1.5M',
      'PT1M1H',
      'P-1D',
      'pt1h',
      'PT1S;',
      'P99999999999D',
      `PT${'1'.repeat(500)}S`,
    ],
    /^expected a duration/,
  );
});

describe('a duration added to an instant', () => {
  const rows: [string, string, string][] = [
    ['2026-01-31T10:00:00.000Z', 'P1M', '2026-02-28T10:00:00.000Z'],
    ['2028-01-31T10:00:00.000Z', 'P1M', '2028-02-29T10:00:00.000Z'],
    ['2028-02-29T10:00:00.000Z', 'P1Y', '2029-02-28T10:00:00.000Z'],
    ['2026-12-31T23:59:59.999Z', 'PT0.001S', '2027-01-01T00:00:00.000Z'],
    ['2026-03-31T00:00:00.000Z', '-P1M', '2026-02-28T00:00:00.000Z'],
    ['2026-01-31T00:00:00.000Z', 'P1M1D', '2026-03-01T00:00:00.000Z'],
    ['2026-10-31T00:00:00.000Z', 'P16M', '2028-02-29T00:00:00.000Z'],
    ['2026-01-01T00:00:00.000Z', 'P1W', '2026-01-08T00:00:00.000Z'],
    ['2026-03-29T00:30:00.000Z', 'P1D', '2026-03-30T00:30:00.000Z'],
  ];
  for (const [start, duration, end] of rows) {
    it(`${start} + ${duration} is ${end}`, () =>
      assert.equal(shownAs(addDuration(at(start), parseDuration(duration))), end));
  }
  it('reaches the last instant that a date can have', () => {
    assert.equal(addDuration(8.64e15 - 1000, parseDuration('PT1S')), 8.64e15);
    assert.throws(() => addDuration(8.64e15 - 999, parseDuration('PT1S')), { code: 'BAD_REQUEST' });
  });
  it('may have numbers up to a thousand million, and 64 characters', () => {
    assert.equal(parseDuration('PT1000000000S').ms, 1e12);
    assert.equal(parseDuration(`PT${'1'.padStart(61, '0')}S`).ms, 1000);
    for (const text of ['PT1000000001S', `PT${'1'.padStart(62, '0')}S`]) {
      assert.throws(() => parseDuration(text), { code: 'BAD_REQUEST' });
    }
  });
  it('is refused beyond the range of dates', () =>
    assert.throws(() => addDuration(0, parseDuration('P999999Y')), { code: 'BAD_REQUEST', message: /271,821 years/ }));
});

describe('a date and time', () => {
  const rows: [string, string][] = [
    ['2026-01-31T08:00:00Z', '2026-01-31T08:00:00.000Z'],
    ['2026-01-31T08:00:00.123Z', '2026-01-31T08:00:00.123Z'],
    ['2026-01-31T08:00:00.123999999Z', '2026-01-31T08:00:00.123Z'],
    ['2026-01-31T08:00:00.5', '2026-01-31T08:00:00.500Z'],
    ['2026-01-31T08:00:00', '2026-01-31T08:00:00.000Z'],
    ['2026-01-31T08:00', '2026-01-31T08:00:00.000Z'],
    ['2026-01-31T08', '2026-01-31T08:00:00.000Z'],
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2026-01', '2026-01-01T00:00:00.000Z'],
    ['2026-01-31T08:00:00+01:00', '2026-01-31T07:00:00.000Z'],
    ['2026-01-31T08:00:00-0530', '2026-01-31T13:30:00.000Z'],
    ['2026-01-31T08:00:00+02', '2026-01-31T06:00:00.000Z'],
    ['2026-01-31t08:00:00z', '2026-01-31T08:00:00.000Z'],
    ['2026-01-31T24:00:00Z', '2026-02-01T00:00:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['2026-12-31T23:59:59', '2026-12-31T23:59:59.000Z'],
    ['2026-01-31T08:00:00+18:59', '2026-01-30T13:01:00.000Z'],
    ['0050-01-01', '0050-01-01T00:00:00.000Z'],
  ];
  for (const [text, expected] of rows) {
    it(`'${text}' is ${expected}`, () => assert.equal(shownAs(parseDateTime(text)), expected));
  }
  refused(
    parseDateTime,
    [
      '',
      'tomorrow',
      '2026',
      '2026-13-01',
      '2026-00-10',
      '2026-02-29',
      '2026-04-31',
      '2026-01-01T25:00:00',
      '2026-01-01T24:00:01',
      '2026-01-01T24:01:00',
      '2026-01-01T24:00:00.1',
      '2026-01-00',
    ],
    /^expected a date/,
  );
  refused(
    parseDateTime,
    [
      '2026-01-01T10:60',
      '2026-01-01T10:00:60',
      '2026-01-01T10:00:00+19:00',
      '2026-01-01T10:00:00+01:60',
      '2026-1-1',
      '2026-01-01 10:00',
      '20260101',
      'PT1H',
    ],
    /^expected a date/,
  );
});

describe('a repeating interval', () => {
  const cycle = (text: string, after: string, times = 4): (string | null)[] => {
    const { nextAfter } = parseCycle(text);
    const result: (string | null)[] = [];
    let ms: number | null = at(after);
    for (let i = 0; i < times && ms !== null; i++) {
      ms = nextAfter(ms);
      result.push(shownAs(ms)?.slice(0, 16) ?? null);
    }
    return result;
  };

  it('tells how often it happens', () => {
    assert.equal(parseCycle('R3/PT10H').repetitions, 3);
    assert.equal(parseCycle('R/PT10H').repetitions, null);
    assert.equal(parseCycle('R-1/PT10H').repetitions, null);
    assert.equal(parseCycle('0 0 0 * * ?').repetitions, null);
    assert.equal(parseCycle('R3/PT10H').text, 'R3/PT10H');
  });

  it('happens at most 2,147,483,647 times', () => {
    assert.equal(parseCycle('R2147483647/PT1S').repetitions, 2_147_483_647);
    assert.throws(() => parseCycle('R2147483648/PT1S'), { code: 'BAD_REQUEST', message: /at most 2147483647/ });
  });

  it('ends where no later instant can be told', () => {
    const { nextAfter } = parseCycle('R/PT1S');
    assert.deepEqual([nextAfter(8.64e15 - 1000), nextAfter(8.64e15)], [8.64e15, null]);
  });

  it('without a start counts from the instant asked with', () =>
    assert.deepEqual(cycle('R3/PT10H', '2026-01-01T00:00:00Z', 2), ['2026-01-01T10:00', '2026-01-01T20:00']));

  it('with a start in the future begins there', () =>
    assert.deepEqual(cycle('R2/2026-06-01T00:00:00Z/PT1H', '2026-01-01T00:00:00Z'), [
      '2026-06-01T00:00',
      '2026-06-01T01:00',
      '2026-06-01T02:00',
      null,
    ]));

  it('with a start in the past keeps to its beat', () => {
    assert.deepEqual(cycle('R/2026-01-01T00:30:00Z/PT1H', '2030-05-05T10:10:10Z', 2), [
      '2030-05-05T10:30',
      '2030-05-05T11:30',
    ]);
    assert.deepEqual(cycle('R3/2026-01-01T00:00:00Z/PT1H', '2030-01-01T00:00:00Z'), [null]);
  });

  it('counts months from the start, so the 31st comes back after February', () =>
    assert.deepEqual(cycle('R/2026-01-31T00:00:00Z/P1M', '2026-01-31T00:00:00Z', 3), [
      '2026-02-28T00:00',
      '2026-03-31T00:00',
      '2026-04-30T00:00',
    ]));

  it('with an end stops there', () =>
    assert.deepEqual(cycle('R2/PT1H/2026-01-01T10:00:00Z', '2026-01-01T00:00:00Z'), [
      '2026-01-01T08:00',
      '2026-01-01T09:00',
      '2026-01-01T10:00',
      null,
    ]));

  it('without a number and with an end happens from now on, in step with the end', () =>
    assert.deepEqual(cycle('R/P1D/2026-01-03T12:00:00Z', '2026-01-01T00:00:00Z'), [
      '2026-01-01T12:00',
      '2026-01-02T12:00',
      '2026-01-03T12:00',
      null,
    ]));

  it('of start and end has their distance as its period', () =>
    assert.deepEqual(cycle('R2/2026-01-01T00:00:00Z/2026-01-01T06:00:00Z', '2026-01-01T00:00:00Z'), [
      '2026-01-01T06:00',
      '2026-01-01T12:00',
      null,
    ]));

  it('of no repetitions never happens', () => assert.deepEqual(cycle('R0/PT1H', '2026-01-01T00:00:00Z'), [null]));

  it('finds its way over centuries at once', () => {
    assert.deepEqual(cycle('R/1900-01-31T00:00:00Z/P1M', '2290-02-01T00:00:00Z', 1), ['2290-02-28T00:00']);
    assert.deepEqual(cycle('R/1900-01-01T00:00:00Z/PT0.001S', '2290-02-01T00:00:00Z', 1), ['2290-02-01T00:00']);
    assert.deepEqual(cycle('R/PT1S/2290-02-01T00:00:00Z', '2026-02-01T00:00:00Z', 1), ['2026-02-01T00:00']);
  });

  refused(parseCycle, ['', ' ', 'P1D', '-P1D', '+P1D', 'Rx'], /^expected a repeating interval/);
  refused(
    parseCycle,
    ['R3', 'R/', 'Rx/PT1H', 'R3/PT1H/2026-01-01/2', 'R3/2026-01-01', 'PT1H', 'R3/', 'R-2/PT1H', 'tomorrow'],
    /^expected/,
  );
  refused(parseCycle, ['R/PT0S', 'R3/P0D', 'R3/-PT1H', 'R2/2026-01-02/2026-01-01'], /period longer than zero/);
  refused(parseCycle, ['R99999999999/PT1H'], /repetitions/);
});

describe('an interval that a duration is', () => {
  const now = at('2026-01-01T00:00:00Z');
  const end = (text: string) => shownAs(endOfDuration(text, now))?.slice(0, 16);

  it('is over at its end', () => {
    assert.equal(end('2026-06-01T00:00:00Z/PT90M'), '2026-06-01T01:30');
    assert.equal(end('PT90M/2026-06-01T00:00:00Z'), '2026-06-01T00:00');
    assert.equal(end('2026-06-01T00:00:00Z/2026-06-02'), '2026-06-02T00:00');
  });

  it('counts days as its zone has them', () =>
    assert.equal(end('2027-03-27T08:00:00/P1D[Europe/Berlin]'), '2027-03-28T06:00'));

  for (const text of [
    '/',
    'PT1H/',
    '2026-06-01/',
    'PT1H/PT1H',
    '2026-06-01/PT1H/PT1H',
    'tomorrow/PT1H',
    '2026-06-01/Px',
  ])
    it(`is not '${text}'`, () =>
      assert.throws(() => endOfDuration(text, now), { code: 'BAD_REQUEST', message: /^expected a|^expected an/ }));
});

describe('a retry cycle', () => {
  it('R3/PT5M is three attempts, five minutes apart', () => {
    const cycle = parseRetryCycle('R3/PT5M');
    assert.equal(cycle.retries, 3);
    assert.deepEqual(
      [9, 2, 1].map((left) => cycle.delays(left).ms),
      [300_000, 300_000, 300_000],
    );
  });
  it('a list has one attempt more than entries, and each entry in its turn', () => {
    const cycle = parseRetryCycle('PT1M, PT5M,P1D');
    assert.equal(cycle.retries, 4);
    const waits = [9, 4, 3, 2, 1, 0].map((left) => cycle.delays(left));
    assert.deepEqual(waits, ['PT1M', 'PT1M', 'PT1M', 'PT5M', 'P1D', 'P1D'].map(parseDuration));
  });
  it('a single duration is two attempts', () => assert.equal(parseRetryCycle('PT5M').retries, 2));
  it('R0/PT5M is one attempt, as R1/PT5M is', () => {
    for (const text of ['R0/PT5M', 'R00/PT5M', 'R1/PT5M']) assert.equal(parseRetryCycle(text).retries, 1, text);
  });

  it('R/PT5M goes on as long as a number can count', () =>
    assert.equal(parseRetryCycle('R/PT5M').retries, 2_147_483_647));
  it('has at most 2,147,483,647 attempts, and 1,024 characters', () => {
    assert.equal(parseRetryCycle('R2147483647/PT5M').retries, 2_147_483_647);
    assert.throws(() => parseRetryCycle('R2147483648/PT5M'), { code: 'BAD_REQUEST', message: /at most 2147483647/ });
    const list = (length: number) => parseRetryCycle(`${'PT1M,'.repeat(200)}${'PT1M'.padStart(length - 1000)}`);
    assert.equal(list(1024).retries, 202);
    assert.throws(() => list(1025), { code: 'BAD_REQUEST', message: /^expected a retry cycle/ });
  });
  refused(
    parseRetryCycle,
    ['', 'R3', 'R3/', 'R3/2026-01-01/PT1M', '5', 'R3/PT1M,PT2M', 'PT1M,', 'R3/5'],
    /^expected a retry cycle/,
  );
  refused(parseRetryCycle, ['PT1M;PT2M'], /^expected a duration/);
  it('has no pause that leads out of the calendar', () => {
    assert.throws(() => parseRetryCycle('PT1M,P900000Y'), { code: 'BAD_REQUEST', message: /271,821 years/ });
  });
});
