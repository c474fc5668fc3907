import assert from 'node:assert/strict';
import { Routes, routes } from '../support/routes.js';

describe('mock', () => {
  it('keeps a copy of what it got, as it was', async () => {
    const tested = await routes(`
- from:
    uri: direct:in
    steps: [{ to: "mock:out" }, { setBody: { constant: later } }, { setHeader: { name: h, constant: later } }]
`);
    await tested.send('direct:in', 'first', { h: 'first' });
    const [got] = tested.mock('out').exchanges;
    assert.deepEqual([got?.body, got?.headers.get('h')], ['first', 'first']);
  });

  it('keeps the first or the last of them, or both, and counts all', async () => {
    for (const [options, kept] of [
      ['', [1, 2, 3, 4, 5]],
      ['retainFirst=2', [1, 2]],
      ['retainLast=2', [4, 5]],
      ['retainFirst=1&retainLast=2', [1, 4, 5]],
      ['retainFirst=0', []],
      ['retainFirst=0&retainLast=0', []],
    ] as const) {
      const tested = new Routes();
      for (const body of [1, 2, 3, 4, 5]) await tested.send(`mock:out?${options}`, body);
      assert.deepEqual(tested.bodies('out'), kept, options);
      assert.equal(tested.mock('out').counter, 5);
    }
  });

  it('keeps a thousand, where nobody says how many', async () => {
    const tested = new Routes();
    for (let body = 0; body < 1005; body++) await tested.send('mock:out', body);
    assert.equal(tested.bodies('out').length, 1000);
    assert.equal(tested.mock('out').counter, 1005);
  });

  it('logs what it gets, or how many it got, where that is asked for', async () => {
    const tested = new Routes();
    await tested.send('mock:out?log=true', 'x');
    await tested.time.advance(1000);
    await tested.send('mock:many?reportGroup=1', 'x');
    assert.deepEqual(
      tested.logged.map(({ message }) => message),
      [
        'mock://out?log=true received #1 -> Exchange[ExchangePattern: InOut, BodyType: String, Body: x]',
        'Received: 1 messages so far. Last group took: 0 millis which is: ∞ messages per second. average: ∞',
      ],
    );
  });

  it('takes options that it does not know', async () => {
    const tested = new Routes();
    await tested.send('mock:out?whatever=1', 'x');
    assert.deepEqual(tested.bodies('out'), ['x']);
  });
});
