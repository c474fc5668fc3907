import assert from 'node:assert/strict';
import {
  firstOfCycle,
  inZone,
  nextOfCycle,
  parseCycle,
  parseDateTime,
  parseInstant,
} from '../../src/expression/index.js';

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString().slice(0, 16));

/** The instants after `start`. */
function times(text: string, start: string, count = 3): (string | null)[] {
  const { nextAfter } = parseCycle(text);
  const result: (string | null)[] = [];
  let ms: number | null = Date.parse(start);
  while (result.length < count && ms !== null) {
    ms = nextAfter(ms);
    result.push(iso(ms));
  }
  return result;
}

// Berlin goes from 02:00 to 03:00 on 28 March 2027 (01:00 UTC), and from 03:00 back to 02:00 on 31 October 2027 (01:00 UTC).
const BEFORE_SPRING = '2027-03-27T00:00Z';
const BEFORE_AUTUMN = '2027-10-30T00:00Z';

describe('a cron expression in a time zone', () => {
  it('comes at the same time of the clock in summer and in winter', () => {
    assert.deepEqual(times('0 0 8 * * ?[Europe/Berlin]', BEFORE_SPRING), [
      '2027-03-27T07:00',
      '2027-03-28T06:00',
      '2027-03-29T06:00',
    ]);
    assert.deepEqual(times('0 0 8 * * ? [America/New_York]', '2027-03-13T00:00Z', 2), [
      '2027-03-13T13:00',
      '2027-03-14T12:00',
    ]);
  });

  it('has the days of the zone, not those of UTC', () =>
    assert.deepEqual(times('0 30 0 1 * ?[Europe/Berlin]', '2027-05-30T00:00Z', 2), [
      '2027-05-31T22:30',
      '2027-06-30T22:30',
    ]));

  it('comes an hour later on the day on which clocks leave its time out', () =>
    assert.deepEqual(times('0 30 2 * * ?[Europe/Berlin]', BEFORE_SPRING), [
      '2027-03-27T01:30',
      '2027-03-28T01:30',
      '2027-03-29T00:30',
    ]));

  it('comes once on the day on which clocks show its time twice', () =>
    assert.deepEqual(times('0 30 2 * * ?[Europe/Berlin]', BEFORE_AUTUMN), [
      '2027-10-30T00:30',
      '2027-10-31T00:30',
      '2027-11-01T01:30',
    ]));

  it('that comes every hour, or more often, comes so in these nights, too', () => {
    assert.deepEqual(times('0 0 * * * ?[Europe/Berlin]', '2027-10-30T23:30Z', 4), [
      '2027-10-31T00:00',
      '2027-10-31T01:00',
      '2027-10-31T02:00',
      '2027-10-31T03:00',
    ]);
    assert.deepEqual(times('0 0/30 * * * ?[Europe/Berlin]', '2027-03-28T00:15Z', 3), [
      '2027-03-28T00:30',
      '2027-03-28T01:00',
      '2027-03-28T01:30',
    ]);
    // 02:00 there is 01:30 again, at 15:00 UTC.
    assert.deepEqual(times('0 0/20 * * * ?[Australia/Lord_Howe]', '2027-04-03T14:30Z', 3), [
      '2027-04-03T14:40',
      '2027-04-03T15:10',
      '2027-04-03T15:30',
    ]);
  });
});

describe('a repeating interval in a time zone', () => {
  it('of days keeps its time of the clock', () => {
    const expected = ['2027-03-27T07:00', '2027-03-28T06:00', '2027-03-29T06:00'];
    assert.deepEqual(times('R/2027-03-20T08:00:00[Europe/Berlin]/P1D', BEFORE_SPRING), expected);
    assert.deepEqual(times('R/2027-03-20T08:00:00+01:00[Europe/Berlin]/P1D', BEFORE_SPRING), expected);
    assert.deepEqual(times('R/P1D/2027-04-20T08:00:00[Europe/Berlin]', BEFORE_SPRING), expected);
  });

  it('of hours is as long as it says', () =>
    assert.deepEqual(times('R/2027-03-27T08:00:00[Europe/Berlin]/PT24H', BEFORE_SPRING, 2), [
      '2027-03-27T07:00',
      '2027-03-28T07:00',
    ]));

  it('that counts from its beginning stays in its zone', () => {
    const first = firstOfCycle('R3/P1D[Europe/Berlin]', Date.parse('2027-03-27T07:00Z'));
    assert.deepEqual(first && [iso(first.at), first.repeat.left], ['2027-03-28T06:00', 2]);
    const second = first && nextOfCycle(first.repeat, first.at);
    assert.equal(second && iso(second.at), '2027-03-29T06:00');
  });
});

describe('a date or a duration in a time zone', () => {
  it('is what the clocks there show, unless it has an offset', () => {
    assert.equal(iso(parseDateTime('2027-07-01T08:00:00[Europe/Berlin]')), '2027-07-01T06:00');
    assert.equal(iso(parseDateTime('2027-07-01T08:00:00Z[Europe/Berlin]')), '2027-07-01T08:00');
    assert.equal(iso(parseDateTime('2027-03-28T02:30:00[Europe/Berlin]')), '2027-03-28T01:30', 'left out');
    assert.equal(iso(parseDateTime('2027-10-31T02:30:00[Europe/Berlin]')), '2027-10-31T00:30', 'shown twice');
    assert.equal(iso(parseDateTime('2027-07-01[Asia/Kolkata]')), '2027-06-30T18:30');
  });

  it('has the days of the zone', () => {
    const now = Date.parse('2027-03-27T12:00Z');
    assert.equal(iso(parseInstant('P1D[Europe/Berlin]', now)), '2027-03-28T11:00');
    assert.equal(iso(parseInstant('PT24H[Europe/Berlin]', now)), '2027-03-28T12:00');
  });

  it('is refused where there is no such zone, or there are two', () => {
    assert.throws(() => parseDateTime('2027-07-01T08:00:00[Mars/Olympus]'), {
      code: 'BAD_REQUEST',
      message: /a time zone such as 'Europe\/Berlin' in brackets/,
    });
    assert.throws(() => parseCycle('0 0 8 * * ?[]'), { code: 'BAD_REQUEST' });
    assert.throws(() => parseInstant('P1D[UTC][UTC]', 0), { code: 'BAD_REQUEST' });
  });

  it('gets a zone where it names none', () => {
    assert.equal(inZone('P1D', 'Europe/Berlin'), 'P1D[Europe/Berlin]');
    assert.deepEqual([inZone('P1D[UTC]', 'Europe/Berlin'), inZone('P1D', undefined)], ['P1D[UTC]', 'P1D']);
  });
});
