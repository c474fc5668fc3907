import assert from 'node:assert/strict';
import { type Routes, routes } from '../support/routes.js';

const BEGIN = Date.UTC(2026, 0, 1);
const scheduled = (options: string, steps = '{ to: "mock:out" }', scheme = 'scheduler:tick'): Promise<Routes> =>
  routes(`
- from:
    uri: "${scheme}?${options}"
    steps: [{ to: "mock:in" }, ${steps}]
`);

describe('scheduler', () => {
  it('begins after a second, and then half a second after each end', async () => {
    const tested = await scheduled('', '{ to: "pause:300" }');
    await tested.time.advance(1000);
    assert.equal(tested.mock('in').counter, 1);
    await tested.time.advance(799);
    assert.equal(tested.mock('in').counter, 1);
    await tested.time.advance(1);
    assert.equal(tested.mock('in').counter, 2);
  });

  it('counts from the beginning where its delay is not fixed', async () => {
    const tested = await scheduled('initialDelay=0&delay=1s&useFixedDelay=false', '{ to: "pause:300" }');
    await tested.time.advance(2000);
    assert.equal(tested.mock('in').counter, 3);
  });

  it('takes delays in other units, and stops after repeatCount', async () => {
    const tested = await scheduled('initialDelay=1&delay=2&timeUnit=SECONDS&repeatCount=2');
    await tested.time.advance(1000);
    assert.equal(tested.mock('in').counter, 1);
    await tested.time.advance(60_000);
    assert.equal(tested.mock('in').counter, 2);
    await assert.rejects(scheduled('delay=0'), /expected delay to be positive/);
  });

  it('tells when it began, where metadata are asked for', async () => {
    const tested = await scheduled('includeMetadata=true&initialDelay=0');
    await tested.time.advance(0);
    const [first] = tested.mock('out').exchanges;
    assert.equal(first?.properties.get('CamelTimerName'), 'tick');
    assert.equal(first?.headers.get('CamelMessageTimestamp'), BEGIN);
  });

  it('goes on at once while it is greedy and something came', async () => {
    const tested = await scheduled('initialDelay=0&delay=1h&greedy=true&repeatCount=5');
    await tested.time.advance(0);
    assert.equal(tested.mock('in').counter, 5);
  });

  it('leaves out times after it came to nothing often enough', async () => {
    const idle =
      '{ setProperty: { name: CamelSchedulerPolledMessages, constant: { expression: "false", resultType: boolean } } }';
    const tested = await scheduled('initialDelay=0&delay=1s&backoffMultiplier=3&backoffIdleThreshold=2', idle);
    await tested.time.advance(1000);
    assert.equal(tested.mock('in').counter, 2);
    await tested.time.advance(2999);
    assert.equal(tested.mock('in').counter, 2);
    await tested.time.advance(1);
    assert.equal(tested.mock('in').counter, 3);
    await assert.rejects(
      scheduled('backoffMultiplier=3'),
      /backoffIdleThreshold and\/or backoffErrorThreshold must be/,
    );
  });

  it('does nothing where it is not to start', async () => {
    const tested = await scheduled('startScheduler=false');
    await tested.time.advance(10_000);
    assert.equal(tested.mock('in').counter, 0);
  });

  it('goes by cron where quartz is its scheduler', async () => {
    const tested = await scheduled('scheduler=quartz&scheduler.cron=0/10+*+*+*+*+?');
    await tested.time.advance(30_000);
    assert.equal(tested.mock('in').counter, 3);
  });
});

describe('cron', () => {
  for (const [schedule, ms] of [
    ['0/2 * * * * ?', 2000],
    ['*/5 * * * *', 300_000],
    ['0 0 * * * *', 3_600_000],
  ] as const)
    it(`begins at ${schedule}`, async () => {
      const tested = await scheduled(`schedule=${schedule.replaceAll(' ', '+')}`, '{ to: "mock:out" }', 'cron:tab');
      await tested.time.advance(ms - 1);
      assert.equal(tested.mock('in').counter, 0);
      await tested.time.advance(1 + ms);
      assert.equal(tested.mock('in').counter, 2);
    });

  it('refuses what is no expression of cron', async () => {
    await assert.rejects(scheduled('', '{ to: "mock:out" }', 'cron:tab'), /expected the option schedule/);
    await assert.rejects(
      scheduled('schedule=soon', '{ to: "mock:out" }', 'cron:tab'),
      /expected six or seven fields of cron, got '0 soon'|expected six or seven fields of cron, got 'soon/,
    );
    await assert.rejects(scheduled('schedule=61+*+*+*+*+?', '{ to: "mock:out" }', 'cron:tab'), /61/);
  });
});

describe('quartz', () => {
  it('begins by its cron, and tells the trigger in headers', async () => {
    const tested = await scheduled('cron=0/10+*+*+*+*+?', '{ to: "mock:out" }', 'quartz:jobs/ten');
    await tested.time.advance(20_000);
    const headers = tested.mock('out').exchanges[1]?.headers.toJSON();
    assert.deepEqual(headers, {
      fireTime: new Date(BEGIN + 20_000),
      scheduledFireTime: new Date(BEGIN + 20_000),
      refireCount: 0,
      triggerName: 'ten',
      triggerGroup: 'jobs',
      jobRunTime: -1,
      previousFireTime: new Date(BEGIN + 10_000),
    });
  });

  it('begins again and again by an interval', async () => {
    const options = 'trigger.repeatInterval=1000&trigger.repeatCount=2&triggerStartDelay=0';
    const tested = await scheduled(options, '{ to: "mock:out" }', 'quartz:three');
    await tested.time.advance(10_000);
    assert.equal(tested.mock('in').counter, 3);
  });

  it('has several exchanges under way, or one where it is stateful', async () => {
    for (const [stateful, begun] of [
      [false, 7],
      [true, 2],
    ] as const) {
      const tested = await scheduled(
        `cron=0/1+*+*+*+*+?&stateful=${stateful}`,
        '{ to: "pause:5000" }',
        'quartz:second',
      );
      await tested.time.advance(7500);
      assert.equal(tested.mock('in').counter, begun);
    }
  });

  it('goes by the clock of a time zone, in summer and in winter', async () => {
    const at = async (zone: string) => {
      const tested = await scheduled(`cron=0+30+8+28-29+3+?${zone}`, '{ to: "mock:out" }', 'quartz:eight');
      await tested.time.advance(90 * 86_400_000);
      return tested.mock('out').exchanges.map(({ headers }) => String(headers.toJSON().fireTime?.valueOf()));
    };
    const utc = (day: number, hour: number) => String(Date.UTC(2026, 2, day, hour, 30));
    assert.deepEqual(await at(''), [utc(28, 8), utc(29, 8)]);
    assert.deepEqual(await at('&trigger.timeZone=Europe/Berlin'), [utc(28, 7), utc(29, 6)]);
    await assert.rejects(at('&trigger.timeZone=Europe/Nowhere'), /expected a time zone such as 'Europe\/Berlin'/);
  });
});
