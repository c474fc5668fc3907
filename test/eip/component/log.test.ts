import assert from 'node:assert/strict';
import { Routes } from '../support/routes.js';

const LINES: readonly (readonly [options: string, body: unknown, line: string])[] = [
  ['', 'x\ny', 'Exchange[ExchangePattern: InOut, BodyType: String, Body: xy]'],
  ['level=WARN', null, 'Exchange[ExchangePattern: InOut, BodyType: null, Body: [Body is null]]'],
  ['showBody=true', 12, 'Exchange[BodyType: Integer, Body: 12]'],
  ['showBodyType=false', 'x', 'Exchange[Body: x]'],
  ['showBody=false', 'x', 'Exchange[BodyType: String]'],
  ['showHeaders=true', 'x', 'Exchange[Headers: {a=2, B=1}, BodyType: String, Body: x]'],
  ['showProperties=true', 'x', 'Exchange[Properties: {}, BodyType: String, Body: x]'],
  ['showExchangeId=true&showBodyType=false', 'x', 'Exchange[Id: exchange-1, Body: x]'],
  ['showRouteId=true&showBodyType=false', 'x', 'Exchange[RouteId: test, Body: x]'],
  ['plain=true', 'x\ny', 'x\ny'],
  ['skipBodyLineSeparator=false&showBodyType=false', 'x\ny', 'Exchange[Body: x\ny]'],
  ['maxChars=10', null, 'Exchange[BodyType...]'],
  ['style=Tab&showHeaders=true', 'x', 'Exchange[\tHeaders: {a=2, B=1}\tBodyType: String\tBody: x]'],
  ['style=Fixed', 'x', 'Exchange[\tBodyType            String\tBody                x]'],
  ['multiline=true', 'x', 'Exchange[\n  BodyType: String\n  Body: x\n]'],
  ['showBodyType=false', [1, { a: 'b' }], 'Exchange[Body: [1, {a=b}]]'],
  ['showBody=false', new Date(0), 'Exchange[BodyType: java.util.Date]'],
  [
    'showAll=true',
    'x',
    'Exchange[Id: exchange-1, RouteId: test, ExchangePattern: InOut, Properties: {}, Headers: {a=2, B=1}, BodyType: String, Body: x]',
  ],
];

describe('log', () => {
  for (const [options, body, line] of LINES)
    it(`tells an exchange with ${options || 'no options'} (${JSON.stringify(body)})`, async () => {
      const tested = new Routes();
      await tested.send(`log:org.shop?${options}`, body, { B: 1, a: 2 });
      assert.equal(tested.logged[0]?.message, line);
      assert.equal(tested.logged[0]?.logger, 'org.shop');
    });

  it('logs at its level, with its marker, and nothing where it is off', async () => {
    const tested = new Routes();
    await tested.send('log:a?level=warn&marker=audit');
    await tested.send('log:a?level=OFF');
    assert.deepEqual(
      tested.logged.map(({ level, marker }) => [level, marker]),
      [['WARN', 'audit']],
    );
    await assert.rejects(tested.send('log:a?level=LOUD'), /expected level to be one of TRACE, DEBUG/);
  });

  it('tells how many came by, each groupSize of them', async () => {
    const tested = new Routes();
    const endpoint = tested.context.endpointOf('log:rate?groupSize=2');
    assert.ok(endpoint);
    for (const ms of [500, 500, 1000, 1000]) {
      await tested.time.advance(ms);
      await tested.send('log:rate?groupSize=2');
    }
    assert.deepEqual(
      tested.logged.map(({ message }) => message),
      [
        'Received: 2 messages so far. Last group took: 1000 millis which is: 2 messages per second. average: 2',
        'Received: 4 messages so far. Last group took: 2000 millis which is: 1 messages per second. average: 1.333',
      ],
    );
    await assert.rejects(tested.send('log:rate?groupSize=0'), /groupSize must be positive, was: 0/);
  });

  it('tells how many came by, each groupInterval, while some come', async () => {
    const tested = new Routes();
    await tested.send('log:rate?groupInterval=10s&groupDelay=5s');
    await tested.time.advance(25_000);
    assert.deepEqual(
      tested.logged.map(({ message }) => message),
      [
        'Received: 1 new messages, with total 1 so far. Last group took: 5000 millis which is: 0.2 messages per second. average: 0.2',
      ],
    );
    await tested.send('log:all?groupInterval=10s&groupActiveOnly=false');
    await tested.time.advance(11_000);
    assert.equal(tested.logged.length, 3);
  });
});
