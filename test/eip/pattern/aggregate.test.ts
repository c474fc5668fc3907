import assert from 'node:assert/strict';
import type { AggregateControl } from '../../../src/eip/pattern/aggregator.js';
import { Asked, type Exchange } from '../../../src/expression/routes.js';
import { boom, steps } from '../support/steps.js';

const CLASS = '#class:org.apache.camel.processor.aggregate';
const BY_KEY = `correlationExpression: { header: k }, aggregationStrategy: "${CLASS}.GroupedBodyAggregationStrategy"`;
const OUT = '[{ to: { uri: "mock:out" } }]';
const aggregator = (options: string, beans: Readonly<Record<string, unknown>> = {}, common = BY_KEY, out = OUT) =>
  steps(`- aggregate: { ${common}, ${options}, steps: ${out} }\n- to: { uri: "mock:after" }`, beans);
type Tested = Awaited<ReturnType<typeof aggregator>>;
const send = async (tested: Tested, ...bodies: readonly (readonly [key: string | null, body: unknown])[]) => {
  const sent: Exchange[] = [];
  for (const [k, body] of bodies) sent.push(await tested.send('direct:in', body, k === null ? {} : { k }));
  return sent;
};
const completedBy = (tested: Tested) =>
  tested.mock('out').exchanges.map(({ properties }) => properties.get('CamelAggregatedCompletedBy'));

describe('aggregate', () => {
  it('gathers by key, sends what is complete through its block, and lets each exchange go on as it was', async () => {
    const tested = await aggregator('completionSize: 2');
    await send(tested, ['a', 1], ['b', 2], ['a', 3], ['a', 4]);
    assert.deepEqual(tested.bodies('out'), [[1, 3]]);
    assert.deepEqual(tested.bodies('after'), [1, 2, 3, 4]);
    const { properties } = tested.mock('out').exchanges[0] as Exchange;
    assert.deepEqual(
      ['Size', 'CorrelationKey', 'CompletedBy'].map((it) => properties.get(`CamelAggregated${it}`)),
      [2, 'a', 'size'],
    );
  });

  it('completionSizeExpression says it for each exchange, and completionSize where that is none', async () => {
    const tested = await aggregator('completionSize: 3, completionSizeExpression: { header: k }');
    await send(tested, ['2', 1], ['2', 2], ['0', 3], ['0', 4], ['0', 5]);
    assert.deepEqual(tested.bodies('out'), [
      [1, 2],
      [3, 4, 5],
    ]);
  });

  it('completionPredicate looks at what was aggregated, eagerCheckCompletion at what comes', async () => {
    const late = await aggregator(
      `completionPredicate: { simple: "\${body} == 'end'" }`,
      {},
      `correlationExpression: { header: k }, aggregationStrategy: "${CLASS}.UseLatestAggregationStrategy"`,
    );
    await send(late, ['a', 1], ['a', 'end']);
    assert.deepEqual([late.bodies('out'), completedBy(late)], [['end'], ['predicate']]);
    const eager = await aggregator(`completionPredicate: { simple: "\${body} == 'end'" }, eagerCheckCompletion: true`);
    await send(eager, ['a', 1], ['a', 'end'], ['a', 2]);
    assert.deepEqual(eager.bodies('out'), [[1, 'end']]);
  });

  it('eagerCheckCompletion knows the size with the one that comes', async () => {
    const tested = await aggregator('completionSize: 2, eagerCheckCompletion: true');
    await send(tested, ['a', 1], ['a', 2]);
    assert.deepEqual(tested.bodies('out'), [[1, 2]]);
  });

  it('completionTimeout counts from the last exchange of a group', async () => {
    const tested = await aggregator('completionTimeout: 1000');
    await send(tested, ['a', 1], ['b', 9]);
    await tested.time.advance(700);
    await send(tested, ['a', 2]);
    await tested.time.advance(700);
    assert.deepEqual(tested.bodies('out'), [[9]]);
    await tested.time.advance(300);
    assert.deepEqual(
      [tested.bodies('out'), completedBy(tested)],
      [
        [[9], [1, 2]],
        ['timeout', 'timeout'],
      ],
    );
  });

  it('completionTimeoutExpression says it for each exchange, also a shorter one', async () => {
    const tested = await aggregator('completionTimeoutExpression: { simple: "${body}" }');
    await send(tested, ['a', 2000], ['a', 500]);
    await tested.time.advance(500);
    assert.deepEqual(tested.bodies('out'), [[2000, 500]]);
  });

  it('the timeout of a group is a property of it', async () => {
    const tested = await aggregator('completionTimeout: 1000');
    await send(tested, ['a', 1]);
    await tested.time.advance(1000);
    assert.equal(tested.mock('out').exchanges[0]?.properties.get('CamelAggregatedTimeout'), 1000);
  });

  it('a group that is complete is not timed out once more', async () => {
    const tested = await aggregator('completionTimeout: 1000, completionSize: 1');
    await send(tested, ['a', 1]);
    await tested.time.advance(5000);
    assert.deepEqual(tested.bodies('out'), [[1]]);
  });

  it('discardOnCompletionTimeout drops it, and tells the strategy', async () => {
    const timedOut: unknown[] = [];
    const last = {
      aggregate: (_: unknown, next: Exchange) => next,
      timeout: ({ body }: Exchange, index: number, total: number) => timedOut.push([body, index, total]),
    };
    const tested = await aggregator(
      'completionTimeout: 100, discardOnCompletionTimeout: true',
      { last },
      'correlationExpression: { header: k }, aggregationStrategy: last',
    );
    await send(tested, ['a', 1]);
    await tested.time.advance(100);
    assert.deepEqual([tested.bodies('out'), timedOut], [[], [[1, -1, -1]]]);
  });

  it('completionInterval completes all groups again and again, from the start of the route on', async () => {
    const tested = await aggregator('completionInterval: 1000');
    await tested.time.advance(600);
    await send(tested, ['a', 1], ['b', 2]);
    await tested.time.advance(400);
    assert.deepEqual(
      [tested.bodies('out'), completedBy(tested)],
      [
        [[1], [2]],
        ['interval', 'interval'],
      ],
    );
    await tested.time.advance(1500);
    await send(tested, ['a', 3]);
    await tested.time.advance(500);
    assert.deepEqual(tested.bodies('out').at(-1), [3]);
  });

  it('completionFromBatchConsumer completes all keys of a batch with its last exchange', async () => {
    const tested = await steps(`
- split:
    simple: "\${body}"
    steps:
      - setProperty: { name: CamelBatchSize, constant: "3" }
      - aggregate: { correlationExpression: { simple: "\${body}" }, aggregationStrategy: "${CLASS}.GroupedBodyAggregationStrategy", completionFromBatchConsumer: true, steps: ${OUT} }`);
    await tested.send('direct:in', ['a', 'b', 'a', 'c']);
    assert.deepEqual(tested.bodies('out'), [['a', 'a'], ['b']]);
    assert.deepEqual(completedBy(tested), ['consumer', 'consumer']);
  });

  it('completionOnNewCorrelationGroup completes the others when a new key comes', async () => {
    const tested = await aggregator('completionSize: 9, completionOnNewCorrelationGroup: true');
    await send(tested, ['a', 1], ['a', 2], ['b', 3], ['c', 4]);
    assert.deepEqual(
      [tested.bodies('out'), completedBy(tested)],
      [
        [[1, 2], [3]],
        ['force', 'force'],
      ],
    );
  });

  it('a key that is empty fails the exchange, unless ignoreInvalidCorrelationKeys', async () => {
    const [refused] = await send(await aggregator('completionSize: 1'), [null, 1]);
    assert.match(String(refused?.exception), /CamelExchangeException: Invalid correlation key\. Exchange\[/);
    const ignoring = await aggregator('completionSize: 1, ignoreInvalidCorrelationKeys: true');
    const [ignored] = await send(ignoring, [null, 1]);
    assert.deepEqual([ignored?.exception, ignoring.bodies('out'), ignoring.bodies('after')], [undefined, [], [1]]);
  });

  it('closeCorrelationKeyOnCompletion refuses keys of complete groups, as many as it remembers', async () => {
    const tested = await aggregator('completionSize: 1, closeCorrelationKeyOnCompletion: 1');
    const sent = await send(tested, ['a', 1], ['a', 2], ['b', 3], ['a', 4]);
    assert.match(
      String(sent[1]?.exception),
      /ClosedCorrelationKeyException: The correlation key \[a\] has been closed/,
    );
    assert.deepEqual(tested.bodies('out'), [[1], [3], [4]]);
  });

  it('a strategy that fails fails the exchange, and discardOnAggregationFailure drops the group instead', async () => {
    const common = 'correlationExpression: { header: k }, aggregationStrategy: s';
    const s = (former: unknown, next: unknown) =>
      next === 'bad' ? boom({ body: next }) : `${String(former)}+${String(next)}`;
    const fails = await aggregator('completionSize: 3', { s }, common);
    const sent = await send(fails, ['a', 1], ['a', 'bad'], ['a', 2], ['a', 3]);
    assert.match(
      String(sent[1]?.exception),
      /Error occurred during aggregation\. Exchange\[.+Caused by: \[java\.lang\.RuntimeException - boom bad\]/,
    );
    assert.deepEqual(fails.bodies('out'), ['1+2+3']);
    const drops = await aggregator('completionSize: 3, discardOnAggregationFailure: true', { s }, common);
    const dropped = await send(drops, ['a', 1], ['a', 'bad'], ['a', 2], ['a', 3], ['a', 4]);
    assert.equal(dropped[1]?.exception, undefined);
    assert.deepEqual(drops.bodies('out'), ['2+3+4']);
  });

  it('a strategy that must be waited for aggregates one after the other', async () => {
    const slow = (former: unknown, next: unknown) =>
      new Asked(new Promise(setImmediate).then(() => `${String(former)}+${String(next)}`));
    const tested = await aggregator(
      'completionSize: 4',
      { slow },
      'correlationExpression: { header: k }, aggregationStrategy: slow',
    );
    await Promise.all([1, 2, 3, 4].map((it) => tested.send('direct:in', it, { k: 'a' })));
    assert.deepEqual(tested.bodies('out'), ['1+2+3+4']);
  });

  it('headers and properties complete groups: this one, all, all with this one', async () => {
    const tested = await aggregator('completionSize: 9');
    await send(tested, ['a', 1], ['b', 2]);
    await tested.send('direct:in', 'signal', { CamelAggregationCompleteAllGroups: true, k: 'a' });
    assert.deepEqual(tested.bodies('out'), [[1], [2]]);
    await send(tested, ['c', 3]);
    await tested.send('direct:in', 4, { CamelAggregationCompleteAllGroupsInclusive: true, k: 'c' });
    assert.deepEqual(tested.bodies('out').at(-1), [3, 4]);
    const finishing = await aggregator(
      'completionSize: 9',
      {
        s: {
          aggregate(_: unknown, next: Exchange) {
            if (next.body === 'end') next.properties.set('CamelAggregationCompleteCurrentGroup', true);
            return next;
          },
        },
      },
      'correlationExpression: { header: k }, aggregationStrategy: s',
    );
    await send(finishing, ['a', 1], ['a', 'end']);
    assert.deepEqual([finishing.bodies('out'), completedBy(finishing)], [['end'], ['strategy']]);
  });

  it('preComplete of a strategy ends a group before the one that comes', async () => {
    const s = {
      aggregate(former: Exchange | undefined, next: Exchange) {
        if (former !== undefined) former.body = `${String(former.body)}+${String(next.body)}`;
        return former ?? next;
      },
      preComplete: (_: unknown, { body }: Exchange) => body === 'new',
    };
    const tested = await aggregator(
      'completionSize: 9',
      { s },
      'correlationExpression: { header: k }, aggregationStrategy: s',
    );
    await send(tested, ['a', 1], ['a', 2], ['a', 'new'], ['a', 3], ['a', 'new']);
    assert.deepEqual(tested.bodies('out'), ['1+2', 'new+3']);
  });

  it('aggregateController is handed what forces groups', async () => {
    let control: AggregateControl | undefined;
    const c = { onStart: (given: AggregateControl) => (control = given) };
    const tested = await aggregator('completionSize: 9, aggregateController: "#c"', { c });
    await send(tested, ['a', 1], ['b', 2], ['c', 3], ['d', 4]);
    assert.equal(control?.forceCompletionOfGroup('a'), 1);
    assert.equal(control?.forceDiscardingOfGroup('b'), 1);
    assert.equal(control?.forceCompletionOfGroup('nobody'), 0);
    assert.equal(control?.forceCompletionOfAllGroups(), 2);
    assert.equal(control?.forceDiscardingOfAllGroups(), 0);
    assert.deepEqual(tested.bodies('out'), [[1], [3], [4]]);
  });

  it('a failure of its block is logged, and not the exchange’s', async () => {
    const tested = await aggregator('completionSize: 1', { boom }, BY_KEY, '[{ process: { ref: boom } }]');
    const [sent] = await send(tested, ['a', 1]);
    assert.equal(sent?.exception, undefined);
    assert.match(tested.logged.at(-1)?.message ?? '', /Error processing aggregated exchange: boom 1/);
  });

  it('parallelProcessing sends groups in a turn of their own', async () => {
    const tested = await aggregator('completionSize: 1, parallelProcessing: true');
    await send(tested, ['a', 1]);
    await tested.time.advance(0);
    assert.deepEqual(tested.bodies('out'), [[1]]);
  });

  it('when its route stops, groups are dropped, completed (forceCompletionOnStop), or waited for (completeAllOnStop)', async () => {
    const dropped = await aggregator('completionTimeout: 1000');
    await send(dropped, ['a', 1]);
    await dropped.runtime.stop('route1', { timeoutMs: 5000 });
    await dropped.time.advance(2000);
    assert.deepEqual(dropped.bodies('out'), []);

    const slow = '[{ delay: { constant: "100" } }, { to: { uri: "mock:out" } }]';
    const forced = await aggregator('completionSize: 9, forceCompletionOnStop: true', {}, BY_KEY, slow);
    await send(forced, ['a', 1], ['b', 2]);
    const stopping = forced.runtime.stop('route1', { timeoutMs: 5000 });
    await forced.time.advance(100);
    assert.deepEqual(await stopping, { stuck: [] });
    assert.deepEqual(forced.bodies('out'), [[1], [2]]);

    const waits = await aggregator('completionTimeout: 1000, completeAllOnStop: true');
    await send(waits, ['a', 1]);
    const waiting = waits.runtime.stop('route1', { timeoutMs: 5000 });
    await waits.time.advance(1000);
    assert.deepEqual(await waiting, { stuck: [] });
    assert.deepEqual(waits.bodies('out'), [[1]]);
  });

  it('is refused without a completion, with two that exclude each other, without a strategy, with a repository', async () => {
    await assert.rejects(aggregator('optimisticLocking: true'), /At least one of the completions options/);
    await assert.rejects(
      aggregator('completionTimeout: 1, completionInterval: 1'),
      /Only one of completionInterval or completionTimeout/,
    );
    await assert.rejects(
      aggregator('completionSize: 1', {}, 'correlationExpression: { header: k }'),
      /expected aggregationStrategy/,
    );
    await assert.rejects(aggregator('completionSize: 1, aggregationRepository: r'), /groups are kept in memory/);
  });
});

describe('aggregation strategies by their class names', () => {
  const made = async (strategy: string, ...bodies: unknown[]) => {
    const tested = await aggregator(
      'completionSize: 3',
      {},
      `correlationExpression: { constant: k }, aggregationStrategy: "${CLASS}.${strategy}"`,
    );
    for (const body of bodies) await tested.send('direct:in', body, { h: body });
    return tested.mock('out').exchanges[0] as Exchange;
  };

  it('UseLatest, UseOriginal, GroupedBody and String', async () => {
    assert.equal((await made('UseLatestAggregationStrategy', 1, 2, 3)).body, 3);
    assert.deepEqual((await made('GroupedBodyAggregationStrategy', 1, null, 3)).body, [1, 3]);
    assert.equal((await made('StringAggregationStrategy', 'a', 'b', 'c')).body, 'abc');
  });

  it('GroupedExchange and GroupedMessage make a new exchange with the list as its body', async () => {
    const exchanges = await made('GroupedExchangeAggregationStrategy', 1, 2, 3);
    assert.deepEqual(
      (exchanges.body as Exchange[]).map(({ body }) => body),
      [1, 2, 3],
    );
    assert.equal(exchanges.headers.size, 0);
    const messages = await made('GroupedMessageAggregationStrategy', 1, 2, 3);
    assert.deepEqual(
      (messages.body as Exchange[]).map(({ headers }) => headers.get('h')),
      [1, 2, 3],
    );
  });
});
