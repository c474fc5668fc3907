import assert from 'node:assert/strict';
import { exchangePath, isBelowHistory, isOf, placeOf } from '../../../src/eip/history/history-path.js';
import { elapsedBands, statsWindow } from '../../../src/eip/history/stats-window.js';

const NOW = Date.parse('2026-11-23T12:34:56Z');
const iso = (ms: number | undefined) => ms !== undefined && new Date(ms).toISOString();
const range = ({ starts }: { readonly starts: readonly number[] }) => [
  iso(starts[0]),
  iso(starts.at(-1)),
  starts.length,
];

describe('the window of statistics', () => {
  it('has so many buckets up to the one that an instant lies in', () => {
    const window = statsWindow({ buckets: 3 }, NOW);
    assert.deepEqual(range(window), ['2026-11-23T12:20:00.000Z', '2026-11-23T12:30:00.000Z', 3]);
    assert.equal(iso(window.to), '2026-11-23T12:35:00.000Z');
    assert.deepEqual([window.label, window.anchor, window.boundaries], ['5min', NOW, [1_000, 5_000]]);
    const days = statsWindow({ buckets: 2, interval: '1D', at: '2026-01-02T03:00:00+04:00' }, NOW);
    assert.deepEqual(range(days), ['2025-12-31T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 2]);
    assert.equal(statsWindow({ buckets: 1, interval: 'week' }, NOW).label, '5min');
  });

  it('goes from one instant to another, in buckets as long as it asks for', () => {
    const from = '2026-11-23T10:07:00Z';
    const short = statsWindow({ from, to: '2026-11-23T12:07:00Z' }, NOW);
    assert.deepEqual(
      [short.label, ...range(short)],
      ['5min', '2026-11-23T10:05:00.000Z', '2026-11-23T12:05:00.000Z', 25],
    );
    assert.equal(iso(short.anchor), '2026-11-23T12:07:00.000Z');
    assert.equal(statsWindow({ from, to: '2026-11-23T12:07:01Z' }, NOW).label, '1h');
    assert.equal(statsWindow({ from, to: '2026-11-25T10:07:00Z' }, NOW).label, '1h');
    assert.equal(statsWindow({ from, to: '2026-11-25T10:07:01Z' }, NOW).label, '1d');
    assert.equal(statsWindow({ from, to: '2026-11-25T10:07:01Z', interval: '1h' }, NOW).label, '1h');
    assert.deepEqual(statsWindow({ from, to: from }, NOW).starts.length, 1);
  });

  it('is refused where it is none, or too long', () => {
    assert.throws(() => statsWindow({}, NOW), /expected 'buckets', or both/);
    assert.throws(() => statsWindow({ from: '2026-01-01' }, NOW), /expected 'buckets', or both/);
    assert.throws(() => statsWindow({ from: 'now', to: '2026-01-01' }, NOW), /ISO 8601/);
    assert.throws(() => statsWindow({ from: '2026-01-02', to: '2026-01-01' }, NOW), /not to be before/);
    assert.throws(() => statsWindow({ buckets: 2_001 }, NOW), /at most 2000 buckets/);
  });

  it('has boundaries in their order, each once', () => {
    const boundaries = (given: number[]) => statsWindow({ buckets: 1, elapsedBoundaries: given }, NOW).boundaries;
    assert.deepEqual(boundaries([500, 100, 500, 0, -3]), [100, 500]);
    assert.deepEqual(boundaries([0]), [1_000, 5_000]);
  });

  it('knows three bands by their names', () => {
    assert.equal(elapsedBands(null), undefined);
    assert.equal(elapsedBands([]), undefined);
    assert.equal(elapsedBands(['over5s', 'under1s', 'under5s']), undefined);
    assert.deepEqual(elapsedBands(['over5s', 'never', 'under1s']), [
      [0, 1_000],
      [5_000, null],
    ]);
    assert.deepEqual(elapsedBands(['constructor']), []);
  });
});

describe('the path of an exchange', () => {
  it('is in the folders of its hour and its route', () => {
    const exchange = { createdAt: NOW, routeId: 'a/b%', exchangeId: 'X-1' };
    const path = exchangePath(exchange);
    assert.equal(path, '/var/eip/history/2026/11/23/12/a%2Fb%25/X-1.json');
    const place = placeOf(path);
    assert.ok(place !== undefined);
    assert.deepEqual([place.routeId, place.exchangeId], ['a/b%', 'X-1']);
    assert.ok(isOf(place, exchange));
    assert.ok(!isOf(place, { createdAt: NOW + 3_600_000 }));
  });

  it('is none elsewhere', () => {
    assert.equal(placeOf('/var/eip/history/2026/11/23/12/orders'), undefined);
    assert.equal(placeOf('/var/eip/history/2026/13/23/12/orders/x.json'), undefined);
    assert.equal(placeOf('/var/other/2026/11/23/12/orders/x.json'), undefined);
    assert.ok(!isBelowHistory('/var/eip/historyX/2026'));
  });
});
