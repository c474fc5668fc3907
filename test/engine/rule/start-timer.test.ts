// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts under test are written so
import assert from 'node:assert/strict';
import { firstStart } from '../../../src/engine/rule/start-timer.js';
import { nextOfCycle } from '../../../src/expression/index.js';

const NOW = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;
const ISO = '2026-01-01T00:00:00.000Z';

type Row = readonly [timer: 'date' | 'duration' | 'cycle', text: string, expected: ReturnType<typeof firstStart>];

describe('a timer start event', () => {
  const rows: readonly Row[] = [
    ['date', '2026-02-01T00:00:00Z', { at: Date.UTC(2026, 1, 1), repeat: null }],
    ['date', '2027[Europe/Berlin]', { at: Date.UTC(2026, 11, 31, 23), repeat: null }],
    ['date', 'PT1H', { at: NOW + HOUR, repeat: null }],
    ['duration', 'PT1H', { at: NOW + HOUR, repeat: null }],
    ['duration', ' PT1H ', { at: NOW + HOUR, repeat: null }],
    ['duration', 'R3/PT1H', { at: NOW + HOUR, repeat: null }],
    ['duration', 'R/2026-01-01T00:30:00Z/PT1H', { at: NOW + HOUR / 2, repeat: null }],
    ['duration', 'R0/PT1H', { at: NOW, repeat: null }],
    ['date', '${now().plusHours(1)}', { at: NOW + HOUR, repeat: null }],
    ['date', '${dateTime().plusHours(1).toDate()}', { at: NOW + HOUR, repeat: null }],
    ['cycle', 'R/PT1H', { at: NOW + HOUR, repeat: { text: `R/${ISO}/PT1H`, left: null } }],
    ['cycle', 'R3/PT1H', { at: NOW + HOUR, repeat: { text: `R/${ISO}/PT1H`, left: 2 } }],
    ['cycle', 'R1/PT1H', { at: NOW + HOUR, repeat: { text: `R/${ISO}/PT1H`, left: 0 } }],
    ['cycle', 'R0/PT1H', null],
    [
      'cycle',
      'R2/2026-03-01T00:00:00Z/PT1H',
      { at: Date.UTC(2026, 2, 1), repeat: { text: 'R2/2026-03-01T00:00:00Z/PT1H', left: 1 } },
    ],
    [
      'cycle',
      'R2/PT1H/2026-01-01T04:00:00Z',
      { at: NOW + 2 * HOUR, repeat: { text: 'R2/PT1H/2026-01-01T04:00:00Z', left: 1 } },
    ],
    ['cycle', '0 0 12 * * ?', { at: NOW + 12 * HOUR, repeat: { text: '0 0 12 * * ?', left: null } }],
    ['cycle', '0 0 0/5 * * ?', { at: NOW + 5 * HOUR, repeat: { text: '0 0 0/5 * * ?', left: null } }],
    ['cycle', 'R2/2020-01-01T00:00:00Z/P1D', null],
  ];
  for (const [timer, text, expected] of rows) {
    it(`of the ${timer} '${text}' ${expected === null ? 'never comes' : `first comes at ${new Date(expected.at).toISOString()}`}`, () => {
      assert.deepEqual(firstStart({ kind: 'timer', timer, text }, NOW), expected);
    });
  }

  it('sees the time and nothing else', () => {
    const first = (text: string) => () => firstStart({ kind: 'timer', timer: 'date', text }, NOW);
    for (const text of ['${later}', '${currentUser()}', '${execution.id}']) {
      assert.throws(first(text), { code: 'EXECUTION_FAILED', message: /there is no variable or bean/ });
    }
    assert.throws(first('soon'), { code: 'BAD_REQUEST' });
    assert.throws(first('R/PT1H'), { code: 'BAD_REQUEST' });
    const passed = { kind: 'timer', timer: 'duration', text: 'R2/2020-01-01T00:00:00Z/P1D' } as const;
    assert.throws(() => firstStart(passed, NOW), { code: 'BAD_REQUEST', message: /still to come/ });
    assert.throws(first('${null}'), { code: 'BAD_REQUEST' });
  });

  it('comes as often as it says, in step with its beginning, and once for all that was missed', () => {
    const repeat = { text: `R/${ISO}/PT1H`, left: 2 };
    assert.deepEqual(nextOfCycle(repeat, NOW + HOUR), { at: NOW + 2 * HOUR, repeat: { ...repeat, left: 1 } });
    assert.deepEqual(nextOfCycle(repeat, NOW + 5.5 * HOUR), { at: NOW + 6 * HOUR, repeat: { ...repeat, left: 1 } });
    assert.equal(nextOfCycle({ ...repeat, left: 0 }, NOW), null);
    assert.deepEqual(nextOfCycle({ ...repeat, left: null }, NOW)?.repeat, { ...repeat, left: null });
    assert.equal(nextOfCycle({ text: 'R2/PT1H/2026-01-01T04:00:00Z', left: 1 }, NOW + 4 * HOUR), null);
  });
});
