import assert from 'node:assert/strict';
import fc from 'fast-check';
import { dayBorders } from '../../src/graphql/bpm/task-filter.js';

const HOUR_MS = 3_600_000;
const shown = (at: string, zone: string | null | undefined) => {
  const { today, tomorrow, nextWeek } = dayBorders(Date.parse(at), zone);
  return [today, tomorrow, nextWeek].map((border) => new Date(border).toISOString().slice(0, 16));
};

describe('day borders', () => {
  it('are midnights of the zone', () => {
    assert.deepEqual(shown('2026-01-15T12:00:00Z', 'UTC'), [
      '2026-01-15T00:00',
      '2026-01-16T00:00',
      '2026-01-22T00:00',
    ]);
    assert.deepEqual(shown('2026-01-15T15:30:00Z', 'Asia/Tokyo'), [
      '2026-01-15T15:00',
      '2026-01-16T15:00',
      '2026-01-22T15:00',
    ]);
    assert.deepEqual(shown('2026-01-15T02:00:00Z', 'America/New_York'), [
      '2026-01-14T05:00',
      '2026-01-15T05:00',
      '2026-01-21T05:00',
    ]);
    assert.deepEqual(shown('2026-01-15T12:00:00Z', 'Asia/Kathmandu'), [
      '2026-01-14T18:15',
      '2026-01-15T18:15',
      '2026-01-21T18:15',
    ]);
  });

  it('are those of UTC where the zone is missing or unknown', () => {
    const utc = shown('2026-01-15T12:00:00Z', 'UTC');
    for (const zone of [null, undefined, '', 'Nowhere/Land'])
      assert.deepEqual(shown('2026-01-15T12:00:00Z', zone), utc);
  });

  it('follow summer time: a day of 23 hours, and one of 25', () => {
    const [short, next] = shown('2026-03-29T12:00:00Z', 'Europe/Berlin');
    assert.deepEqual([short, next], ['2026-03-28T23:00', '2026-03-29T22:00']);
    const [long, after] = shown('2026-10-25T12:00:00Z', 'Europe/Berlin');
    assert.deepEqual([long, after], ['2026-10-24T22:00', '2026-10-25T23:00']);
  });

  it('are the first instant of a day whose midnight is left out, and of one whose midnight comes twice', () => {
    assert.equal(shown('2018-11-04T12:00:00Z', 'America/Sao_Paulo')[0], '2018-11-04T03:00');
    assert.equal(shown('2019-02-17T12:00:00Z', 'America/Sao_Paulo')[0], '2019-02-17T03:00');
    assert.equal(shown('2026-10-25T12:00:00Z', 'Atlantic/Azores')[0], '2026-10-25T00:00');
  });

  it('enclose the instant, with a local midnight in front of it in every zone', () => {
    const zones = [
      'UTC',
      'Asia/Tokyo',
      'America/New_York',
      'Europe/London',
      'Australia/Lord_Howe',
      'Africa/Cairo',
      'Asia/Beirut',
      'America/Santiago',
      'Pacific/Apia',
    ];
    const times = fc.integer({ min: Date.UTC(2012, 0, 2), max: Date.UTC(2036, 0, 1) });
    fc.assert(
      fc.property(times, fc.constantFrom(...zones), (now, zone) => {
        const { today, tomorrow, nextWeek } = dayBorders(now, zone);
        assert.ok(today <= now && now < tomorrow && tomorrow < nextWeek);
        assert.ok(tomorrow - today >= 22 * HOUR_MS && tomorrow - today <= 26 * HOUR_MS);
        const dayOf = (at: number) => new Date(at).toLocaleDateString('en-CA', { timeZone: zone });
        assert.equal(dayOf(today), dayOf(now));
        assert.notEqual(dayOf(today - 1), dayOf(now));
      }),
      { numRuns: 300 },
    );
  });
});
