import assert from 'node:assert/strict';
import { Asked, type Exchange } from '../../../src/expression/routes.js';
import { boom, steps } from '../support/steps.js';

const OUT = '{ to: { uri: "mock:out" } }';
type Tested = Awaited<ReturnType<typeof steps>>;
/** Begins to send, and gives what ends when each is through. */
const begin = (tested: Tested, bodies: readonly unknown[], headers: Record<string, unknown> = {}) =>
  bodies.map((body) => tested.send('direct:in', body, headers));

describe('throttle', () => {
  it('lets so many go on within a period, and the others in their order when there is room', async () => {
    const tested = await steps(`- throttle: { constant: "2", timePeriodMillis: 1000 }\n- ${OUT}`);
    const sent = begin(tested, [1, 2, 3, 4, 5]);
    await tested.time.advance(999);
    assert.deepEqual(tested.bodies('out'), [1, 2]);
    await tested.time.advance(1);
    assert.deepEqual(tested.bodies('out'), [1, 2, 3, 4]);
    await tested.time.advance(1000);
    await Promise.all(sent);
    assert.deepEqual(tested.bodies('out'), [1, 2, 3, 4, 5]);
  });

  it('rejectExecution refuses them instead', async () => {
    const tested = await steps(`- throttle: { constant: "1", rejectExecution: true }\n- ${OUT}`);
    const [, second] = await Promise.all(begin(tested, [1, 2]));
    assert.match(
      String(second?.exception),
      /ThrottlerRejectedExecutionException: Exceeded the max throttle rate of 1 within 1000ms/,
    );
    await tested.time.advance(1000);
    assert.equal((await tested.send('direct:in', 3)).exception, undefined);
  });

  it('correlationExpression counts by key, and the limit may be another for each exchange', async () => {
    const tested = await steps(
      `- throttle: { header: most, correlationExpression: { header: k }, rejectExecution: true }\n- ${OUT}`,
    );
    const failed = async (k: string, most: unknown) =>
      (await tested.send('direct:in', k, { k, most })).exception !== undefined;
    assert.deepEqual(
      [await failed('a', 1), await failed('b', 1), await failed('a', 1), await failed('a', 2)],
      [false, false, true, false],
    );
  });

  it('a limit that is null stays as it was, and fails where none has been there', async () => {
    const tested = await steps('- throttle: { header: most, rejectExecution: true }');
    assert.match(String((await tested.send('direct:in')).exception), /evaluated as null/);
    await tested.send('direct:in', 1, { most: 1 });
    assert.match(String((await tested.send('direct:in')).exception), /Exceeded/);
  });

  it('ConcurrentRequests: an exchange counts until it is through with everything', async () => {
    const tested = await steps(
      `- throttle: { constant: "1", mode: ConcurrentRequests, asyncDelayed: true }\n- ${OUT}\n- delay: { constant: "100" }`,
    );
    const sent = begin(tested, [1, 2]);
    await tested.time.advance(99);
    assert.deepEqual(tested.bodies('out'), [1]);
    await tested.time.advance(1);
    assert.deepEqual(tested.bodies('out'), [1, 2]);
    await tested.time.advance(100);
    await Promise.all(sent);
    const rejecting = await steps(
      '- throttle: { constant: "1", mode: ConcurrentRequests, rejectExecution: true }\n- delay: { constant: "100" }',
    );
    const [first, second] = begin(rejecting, [1, 2]);
    assert.match(String((await second)?.exception), /Exceeded the max throttle rate of 1/);
    await rejecting.time.advance(100);
    assert.equal((await first)?.exception, undefined);
  });

  it('a period that is none is refused', async () => {
    await assert.rejects(
      steps('- throttle: { constant: "1", timePeriodMillis: 0 }'),
      /TimePeriodMillis should be a positive number, was: 0/,
    );
  });
});

describe('idempotentConsumer', () => {
  const MEMORY = '"#class:org.apache.camel.support.processor.idempotent.MemoryIdempotentRepository"';
  const consumer = (options = '', block = OUT, repository = MEMORY, beans = {}) =>
    steps(
      `- idempotentConsumer: { header: id, idempotentRepository: ${repository}${options}, steps: [${block}] }\n- to: { uri: "mock:after" }`,
      { boom, ...beans },
    );
  const send = async (tested: Tested, ...ids: readonly (string | undefined)[]) => {
    const sent: Exchange[] = [];
    for (const id of ids) sent.push(await tested.send('direct:in', id, id === undefined ? {} : { id }));
    return sent;
  };

  it('takes each id through its block once; duplicates go on behind it', async () => {
    const tested = await consumer();
    const sent = await send(tested, 'a', 'b', 'a');
    assert.deepEqual(
      [tested.bodies('out'), tested.bodies('after')],
      [
        ['a', 'b'],
        ['a', 'b', 'a'],
      ],
    );
    assert.deepEqual(
      sent.map(({ properties }) => properties.get('CamelDuplicateMessage')),
      [undefined, undefined, true],
    );
  });

  it('skipDuplicate: false lets them through, marked', async () => {
    const tested = await consumer(', skipDuplicate: false');
    await send(tested, 'a', 'a');
    assert.deepEqual(
      tested.mock('out').exchanges.map(({ properties }) => properties.get('CamelDuplicateMessage')),
      [undefined, true],
    );
  });

  it('a failure, also behind the block, takes the id away again, unless removeOnFailure is off', async () => {
    const failing = async (options: string) => {
      const tested = await steps(
        `- idempotentConsumer: { header: id, idempotentRepository: ${MEMORY}${options}, steps: [${OUT}] }\n- process: { ref: boom }`,
        { boom },
      );
      await send(tested, 'a', 'a');
      return tested.mock('out').counter;
    };
    assert.equal(await failing(''), 2);
    assert.equal(await failing(', removeOnFailure: false'), 1);
    assert.equal(await failing(', completionEager: true'), 1);
  });

  it('eager: false has the id only when the exchange is through', async () => {
    const both = async (options: string) => {
      const tested = await consumer(options, `${OUT}, { delay: { constant: "100" } }`);
      const sent = begin(tested, [1, 2], { id: 'a' });
      await tested.time.advance(100);
      await Promise.all(sent);
      await tested.send('direct:in', 3, { id: 'a' });
      return tested.bodies('out');
    };
    assert.deepEqual(await both(''), [1]);
    assert.deepEqual(await both(', eager: false'), [1, 2]);
  });

  it('an exchange without id fails', async () => {
    const [sent] = await send(await consumer(), undefined);
    assert.match(
      String(sent?.exception),
      /NoMessageIdException: No message ID could be found using expression: id on message exchange: Exchange\[/,
    );
  });

  it('a bean with add, contains and remove is a repository; another is refused', async () => {
    const ids = new Set<string>();
    const r = {
      add: (id: string) => !ids.has(id) && ids.add(id) !== undefined,
      contains: (id: string) => ids.has(id),
      remove: (id: string) => ids.delete(id),
    };
    const tested = await consumer('', OUT, '"#r"', { r });
    await send(tested, 'a', 'a');
    assert.deepEqual([tested.bodies('out'), [...ids]], [['a'], ['a']]);
    await assert.rejects(consumer('', OUT, 'nobody'), /there is no bean nobody with add, contains and remove/);
    await assert.rejects(consumer('', OUT, '"#class:org.apache.camel.X"'), /org.apache.camel.X is not supported/);
  });
});

describe('marshal and unmarshal', () => {
  it('turn values into bytes and back', async () => {
    const tested = await steps(`- marshal: { json: {} }\n- ${OUT}\n- unmarshal: { json: {} }`);
    const { body } = await tested.send('direct:in', { a: [1, 'x'] });
    assert.equal(Buffer.from(tested.bodies('out')[0] as Uint8Array).toString(), '{"a":[1,"x"]}');
    assert.deepEqual(body, { a: [1, 'x'] });
  });

  it('variableSend and variableReceive take and put variables, and the body stays', async () => {
    const tested = await steps(
      '- setVariable: { name: v, constant: "[1,2]" }\n- unmarshal: { json: {}, variableSend: v, variableReceive: "global:w" }',
    );
    const { body } = await tested.send('direct:in', 'x');
    assert.deepEqual([body, tested.context.globalVariables.get('w')], ['x', [1, 2]]);
  });

  it('nothing to unmarshal fails, unless allowNullBody', async () => {
    const fails = await steps('- unmarshal: { json: {} }');
    assert.match(String((await fails.send('direct:in', null)).exception), /InvalidPayloadException/);
    const allows = await steps('- unmarshal: { json: {}, allowNullBody: true }');
    const { body, exception } = await allows.send('direct:in', null);
    assert.deepEqual([body, exception], [null, undefined]);
  });

  it('a format that is none, or an option of it, is refused when the route is loaded', async () => {
    await assert.rejects(steps('- marshal: { jsn: {} }'), /is json meant/);
    await assert.rejects(steps('- marshal: {}'), /expected one data format/);
  });
});

describe('bean', () => {
  it('calls a method, whose answer is the body; where it gives nothing, the message stays', async () => {
    const b = {
      twice: (body: string) => body + body,
      nothing: () => undefined,
      later: (body: string) => new Asked(Promise.resolve(`${body}?`)),
    };
    const tested = await steps(
      '- bean: { ref: b, method: twice }\n- bean: { ref: "#b", method: nothing }\n- bean: { ref: "#bean:b", method: later }',
      { b },
    );
    assert.equal((await tested.send('direct:in', 'x')).body, 'xx?');
  });

  it('a bean that is not there, and a class of Java, keep the route from starting', async () => {
    const missing = /NoSuchBeanException: No bean could be found in the registry for: nobody/;
    for (const step of ['bean: nobody', 'setBody: { method: { ref: nobody, method: x } }', 'process: { ref: nobody }'])
      await assert.rejects(steps(`- ${step}`), missing, step);
    for (const step of ['bean: { beanType: com.acme.X }', 'bean: com.acme.X', 'to: "bean:com.acme.X"'])
      await assert.rejects(steps(`- ${step}`), /the class com.acme.X does not exist here/, step);
  });

  it('a class in the place of a bean is an instance of it', async () => {
    const counter = 'java.util.concurrent.atomic.AtomicInteger';
    const tested = await steps(
      `- bean: { ref: ${counter}, method: incrementAndGet }\n- setHeader: { name: step, simple: "\${body}" }\n- to: "bean:${counter}?method=decrementAndGet"`,
    );
    for (const n of [1, 2]) {
      const { body, headers } = await tested.send('direct:in');
      assert.deepEqual([headers.get('step'), body], [n, -n]);
    }
  });
});

describe('routingSlip and dynamicRouter', () => {
  const PLUS = ['a', 'b', 'c']
    .map((it) => `- from: { uri: "direct:${it}", steps: [{ setBody: { simple: "\${body}${it}" } }] }`)
    .join('\n');

  it('a slip is computed once, and taken one endpoint after the other', async () => {
    const tested = await steps(`- routingSlip: { header: slip }\n- ${OUT}`, {}, PLUS);
    const { body, properties } = await tested.send('direct:in', '>', { slip: 'direct:a, direct:b,direct:a' });
    assert.equal(body, '>aba');
    assert.match(String(properties.get('CamelSlipEndpoint')), /^direct:(\/\/)?a$/);
    assert.equal((await tested.send('direct:in', '>', { slip: ['direct:c'] })).body, '>c');
  });

  it('uriDelimiter, ignoreInvalidEndpoints, allowedSchemes', async () => {
    const slip = async (options: string, value: string) =>
      (await steps(`- routingSlip: { header: slip${options} }`, {}, PLUS)).send('direct:in', '>', { slip: value });
    assert.equal((await slip(', uriDelimiter: "#"', 'direct:a#direct:b')).body, '>ab');
    assert.match(String((await slip('', 'none:a,direct:b')).exception), /NoSuchEndpointException/);
    assert.equal((await slip(', ignoreInvalidEndpoints: true', 'none:a,direct:b')).body, '>b');
    assert.match(String((await slip(', allowedSchemes: mock', 'direct:b')).exception), /is none of mock/);
  });

  it('a slip ends where an endpoint fails', async () => {
    const tested = await steps(
      '- routingSlip: { constant: "direct:a,direct:fails,direct:b" }',
      { boom },
      `${PLUS}\n- from: { uri: "direct:fails", steps: [{ process: { ref: boom } }] }`,
    );
    const { body, exception } = await tested.send('direct:in', '>');
    assert.deepEqual([body, String(exception)], ['>a', 'Error: boom >a']);
  });

  it('a dynamic router asks after each endpoint until nothing comes', async () => {
    let asked = 0;
    const r = ({ body }: Exchange) => {
      asked++;
      return String(body).length < 4 ? (String(body).endsWith('a') ? 'direct:b' : 'direct:a,direct:c') : null;
    };
    const tested = await steps(`- dynamicRouter: { expression: { ref: r } }\n- ${OUT}`, { r }, PLUS);
    assert.equal((await tested.send('direct:in', '>')).body, '>acac');
    assert.equal(asked, 3);
  });
});

describe('loadBalance', () => {
  const TWO = '[{ to: { uri: "mock:a" } }, { to: { uri: "mock:b" } }]';
  const balanced = async (
    balancer: string,
    count: number,
    headers: (n: number) => Record<string, unknown> = () => ({}),
  ) => {
    const tested = await steps(`- loadBalance: { ${balancer}, steps: ${TWO} }`);
    for (let n = 0; n < count; n++) await tested.send('direct:in', n, headers(n));
    return [tested.bodies('a'), tested.bodies('b')];
  };

  it('round robin takes them in turn, random by chance, topic all of them', async () => {
    assert.deepEqual(await balanced('roundRobinLoadBalancer: {}', 3), [[0, 2], [1]]);
    assert.deepEqual(await balanced('randomLoadBalancer: {}', 3), [[], [0, 1, 2]]);
    assert.deepEqual(await balanced('topicLoadBalancer: {}', 2), [
      [0, 1],
      [0, 1],
    ]);
  });

  it('sticky takes the same for the same key', async () => {
    const keys = ['x', 'y', 'x', 'z', 'y'];
    assert.deepEqual(
      await balanced('stickyLoadBalancer: { correlationExpression: { header: k } }', 5, (n) => ({ k: keys[n] })),
      [
        [0, 2, 3],
        [1, 4],
      ],
    );
  });

  it('weighted takes them as often as the ratio says, in turn or by chance', async () => {
    assert.deepEqual(await balanced('weightedLoadBalancer: { distributionRatio: "2,1", roundRobin: true }', 6), [
      [0, 2, 3, 5],
      [1, 4],
    ]);
    const [a, b] = await balanced(
      'weightedLoadBalancer: { distributionRatio: "2;1", distributionRatioDelimiter: ";" }',
      6,
    );
    assert.deepEqual([a?.length, b?.length], [4, 2]);
    await assert.rejects(
      balanced('weightedLoadBalancer: { distributionRatio: "2" }', 0),
      /expected distributionRatio to be 2 whole numbers/,
    );
  });

  const failing =
    '[{ pipeline: { steps: [{ to: { uri: "mock:a" } }, { process: { ref: boom } }] } }, { pipeline: { steps: [{ to: { uri: "mock:b" } }, { process: { ref: boom } }] } }, { to: { uri: "mock:c" } }]';
  const failover = async (options: string, count: number) => {
    const tested = await steps(`- loadBalance: { failoverLoadBalancer: {${options}}, steps: ${failing} }`, { boom });
    const sent: Exchange[] = [];
    for (let n = 0; n < count; n++) sent.push(await tested.send('direct:in', n));
    return [...['a', 'b', 'c'].map((it) => tested.bodies(it)), sent.map(({ exception }) => exception !== undefined)];
  };

  it('failover takes the next one where one fails, with the message as it was', async () => {
    assert.deepEqual(await failover('', 2), [
      [0, 1],
      [0, 1],
      [0, 1],
      [false, false],
    ]);
  });

  it('failover: maximumFailoverAttempts, exception, roundRobin and sticky', async () => {
    assert.deepEqual(await failover('maximumFailoverAttempts: 1', 1), [[0], [0], [], [true]]);
    assert.deepEqual(await failover('exception: ["java.io.IOException"]', 1), [[0], [], [], [true]]);
    assert.deepEqual(await failover('exception: ["java.io.IOException", "java.lang.RuntimeException"]', 1), [
      [0],
      [0],
      [0],
      [false],
    ]);
    assert.deepEqual(await failover('sticky: true', 2), [[0], [0], [0, 1], [false, false]]);
    assert.deepEqual(await failover('roundRobin: true, maximumFailoverAttempts: 0', 3), [
      [0],
      [1],
      [2],
      [true, true, false],
    ]);
  });

  it('is refused without a balancer, or with two', async () => {
    await assert.rejects(balanced('other: {}', 0), /expected an option of loadBalance, but found other/);
    await assert.rejects(balanced('topicLoadBalancer: {}, randomLoadBalancer: {}', 0), /expected one of/);
  });
});

describe('resequence', () => {
  const resequenced = (config: string, beans = {}) =>
    steps(`- resequence: { header: n, ${config}, steps: [${OUT}] }\n- to: { uri: "mock:after" }`, beans);
  const send = async (tested: Tested, ...numbers: readonly unknown[]) => {
    for (const n of numbers) await tested.send('direct:in', n, n === null ? {} : { n });
  };

  it('sorts batches of batchSize, or what is there when nothing came for batchTimeout', async () => {
    const tested = await resequenced('batchConfig: { batchSize: 3, batchTimeout: 500 }');
    await send(tested, 3, 1, 2, 5, 4);
    assert.deepEqual(
      [tested.bodies('out'), tested.bodies('after')],
      [
        [1, 2, 3],
        [3, 1, 2, 5, 4],
      ],
    );
    await tested.time.advance(500);
    assert.deepEqual(tested.bodies('out'), [1, 2, 3, 4, 5]);
  });

  it('batch: reverse, allowDuplicates, ignoreInvalidExchanges', async () => {
    const reversed = await resequenced('batchConfig: { batchSize: 3, reverse: true }');
    await send(reversed, 1, 3, 2);
    assert.deepEqual(reversed.bodies('out'), [3, 2, 1]);
    const single = await resequenced('batchConfig: { batchSize: 3 }');
    await send(single, 2, 1, 2);
    assert.deepEqual(single.bodies('out'), [1, 2]);
    const twice = await resequenced('batchConfig: { batchSize: 3, allowDuplicates: true }');
    await send(twice, 2, 1, 2);
    assert.deepEqual(twice.bodies('out'), [1, 2, 2]);
    assert.match(
      String((await single.send('direct:in')).exception),
      /Exchange is not valid to be used by the BatchProcessor/,
    );
    const ignoring = await resequenced('batchConfig: { ignoreInvalidExchanges: true }');
    assert.equal((await ignoring.send('direct:in')).exception, undefined);
  });

  it('a stream goes on as numbers follow each other, and waits for a gap as long as its timeout', async () => {
    const tested = await resequenced('streamConfig: { timeout: 500 }');
    await send(tested, 2, 1);
    assert.deepEqual(tested.bodies('out'), []);
    await tested.time.advance(500);
    assert.deepEqual(tested.bodies('out'), [1, 2]);
    await send(tested, 3, 5);
    assert.deepEqual(tested.bodies('out'), [1, 2, 3]);
    await send(tested, 4);
    assert.deepEqual(tested.bodies('out'), [1, 2, 3, 4, 5]);
    await send(tested, 8);
    await tested.time.advance(500);
    assert.deepEqual(tested.bodies('out'), [1, 2, 3, 4, 5, 8]);
  });

  it('stream: rejectOld, ignoreInvalidExchanges, comparator', async () => {
    const rejecting = await resequenced('streamConfig: { timeout: 100, rejectOld: true }');
    await send(rejecting, 5);
    await rejecting.time.advance(100);
    assert.match(
      String((await rejecting.send('direct:in', 3, { n: 3 })).exception),
      /rejecting message \[3\], it should have been sent before the last delivered message \[5\]/,
    );
    assert.match(
      String((await rejecting.send('direct:in')).exception),
      /Error processing Exchange in StreamResequencer/,
    );
    const ignoring = await resequenced('streamConfig: { ignoreInvalidExchanges: true }');
    assert.equal((await ignoring.send('direct:in')).exception, undefined);
    const down = await resequenced('streamConfig: { timeout: 100, comparator: "#down" }', {
      down: (one: Exchange, other: Exchange) => Number(other.body) - Number(one.body),
    });
    await send(down, 1, 2, 9);
    await down.time.advance(100);
    assert.deepEqual(down.bodies('out'), [9, 2, 1]);
  });

  it('stream: capacity makes those that send wait', async () => {
    const tested = await resequenced('streamConfig: { timeout: 100, capacity: 1 }');
    const sent = begin(tested, ['x', 'y'], { n: 5 });
    let isThrough = false;
    void sent[1]?.then(() => (isThrough = true));
    await sent[0];
    await tested.time.advance(99);
    assert.equal(isThrough, false);
    await tested.time.advance(1);
    await sent[1];
    await tested.time.advance(100);
    assert.deepEqual(tested.bodies('out'), ['x', 'y']);
  });

  it('what waits is given out when its route stops', async () => {
    const tested = await resequenced('batchConfig: {}');
    await send(tested, 2, 1);
    await tested.runtime.stop('route1', { timeoutMs: 1000 });
    assert.deepEqual(tested.bodies('out'), [1, 2]);
  });
});

describe('claimCheck', () => {
  const claimed = async (...operations: readonly string[]) => {
    const tested = await steps(
      operations
        .map((it) =>
          it === ''
            ? '- setBody: { constant: new }\n- setHeader: { name: h, constant: new }\n- setHeader: { name: g, constant: new }'
            : `- claimCheck: { ${it} }`,
        )
        .join('\n'),
    );
    const { body, headers } = await tested.send('direct:in', 'old', { h: 'old', key: 'k' });
    return [body, headers.get('h'), headers.get('g')];
  };

  it('Set, Get and GetAndRemove by a key, which may be an expression', async () => {
    assert.deepEqual(await claimed('operation: Set, key: k', '', 'operation: Get, key: k'), ['old', 'old', 'new']);
    assert.deepEqual(
      await claimed(
        'operation: Set, key: "${header.key}"',
        '',
        'operation: GetAndRemove, key: k',
        '',
        'operation: Get, key: k',
      ),
      ['new', 'new', 'new'],
    );
    assert.deepEqual(await claimed('operation: Set, key: k', '', 'operation: Get, key: other'), ['new', 'new', 'new']);
  });

  it('Push and Pop as a stack', async () => {
    assert.deepEqual(await claimed('operation: Push', '', 'operation: Push', 'operation: Pop', 'operation: Pop'), [
      'old',
      'old',
      'new',
    ]);
    assert.deepEqual(await claimed('', 'operation: Pop'), ['new', 'new', 'new']);
  });

  for (const [filter, expected] of [
    ['body', ['old', 'new', 'new']],
    ['header:h', ['new', 'old', 'new']],
    ['body,header:h*', ['old', 'old', 'new']],
    ['headers', ['new', 'old', 'new']],
    ['-body', ['new', 'old', 'new']],
    ['-header:h', ['old', 'new', 'new']],
    ['*', ['old', 'old', 'new']],
    ['--headers', ['old', undefined, undefined]],
    ['body,--header:(h|x)', ['old', undefined, 'new']],
    ['--body', [null, 'old', 'new']],
  ] as const)
    it(`merges what its filter lists: ${filter}`, async () => {
      assert.deepEqual(await claimed('operation: Push', '', `operation: Pop, filter: "${filter}"`), expected);
    });

  it('a strategy merges in another way', async () => {
    const tested = await steps(
      '- claimCheck: { operation: Push }\n- setBody: { constant: new }\n- claimCheck: { operation: Pop, aggregationStrategy: both }',
      {
        both: (one: unknown, other: unknown) => `${String(one)}+${String(other)}`,
      },
    );
    assert.equal((await tested.send('direct:in', 'old')).body, 'new+old');
  });

  it('is refused without operation or key', async () => {
    await assert.rejects(steps('- claimCheck: {}'), /expected operation/);
    await assert.rejects(steps('- claimCheck: { operation: Get }'), /expected key for Get/);
  });
});

describe('sample', () => {
  it('lets one through in each period; the route ends there for the others', async () => {
    const tested = await steps(`- sample: {}\n- ${OUT}`);
    await Promise.all(begin(tested, [1, 2]));
    await tested.time.advance(1000);
    await Promise.all(begin(tested, [3, 4]));
    assert.deepEqual(tested.bodies('out'), [1, 3]);
  });

  it('samplePeriod and messageFrequency', async () => {
    const period = await steps(`- sample: { samplePeriod: 5s }\n- ${OUT}`);
    await Promise.all(begin(period, [1]));
    await period.time.advance(4999);
    await Promise.all(begin(period, [2]));
    assert.deepEqual(period.bodies('out'), [1]);
    const frequency = await steps(`- sample: { messageFrequency: 3 }\n- ${OUT}`);
    await Promise.all(begin(frequency, [1, 2, 3, 4, 5, 6, 7]));
    assert.deepEqual(frequency.bodies('out'), [3, 6]);
  });
});

describe('threads', () => {
  it('takes as many at once as its pool has, and the others when there is room', async () => {
    const tested = await steps(`- threads: { poolSize: 1 }\n- ${OUT}\n- delay: { constant: "100" }`);
    const sent = begin(tested, [1, 2]);
    await tested.time.advance(99);
    assert.deepEqual(tested.bodies('out'), [1]);
    await tested.time.advance(101);
    await Promise.all(sent);
    assert.deepEqual(tested.bodies('out'), [1, 2]);
  });

  it('rejectedPolicy says what becomes of those that find its queue full', async () => {
    const third = async (options: string) => {
      const tested = await steps(
        `- threads: { maxPoolSize: 1, maxQueueSize: 1${options} }\n- ${OUT}\n- delay: { constant: "100" }`,
      );
      const sent = begin(tested, [1, 2, 3]);
      await tested.time.advance(0);
      const atOnce = tested.bodies('out');
      await tested.time.advance(300);
      const exceptions = (await Promise.all(sent)).map(({ exception }) => exception !== undefined);
      return [atOnce, tested.bodies('out').length, exceptions[2]];
    };
    assert.deepEqual(await third(''), [[3, 1], 3, false]);
    assert.deepEqual(await third(', rejectedPolicy: Abort'), [[1], 2, true]);
    assert.deepEqual(await third(', callerRunsWhenRejected: false'), [[1], 2, true]);
    assert.deepEqual(await third(', rejectedPolicy: Block'), [[1], 3, false]);
  });
});
