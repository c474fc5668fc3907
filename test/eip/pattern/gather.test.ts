import assert from 'node:assert/strict';
import { Asked, type Exchange } from '../../../src/expression/routes.js';
import { boom, steps } from '../support/steps.js';

const GROUPED = '"#class:org.apache.camel.processor.aggregate.GroupedBodyAggregationStrategy"';
const OUT = '{ to: { uri: "mock:out" } }';
/** Fails where the body is `bad`. */
const picky = (exchange: Exchange) => (exchange.body === 'bad' ? boom(exchange) : undefined);

async function* lines(of: readonly unknown[], told: string[] = []) {
  for (const it of of) {
    told.push(`read ${String(it)}`);
    yield it;
  }
  told.push('closed');
}

describe('split', () => {
  it('takes each item through its block, tells its place, and goes on with the message as it was', async () => {
    const tested = await steps(`- split: { simple: "\${body}", steps: [${OUT}] }\n- to: { uri: "mock:after" }`);
    await tested.send('direct:in', ['a', 'b', 'c'], { h: 1 });
    assert.deepEqual(tested.bodies('out'), ['a', 'b', 'c']);
    assert.deepEqual(tested.bodies('after'), [['a', 'b', 'c']]);
    const told = tested
      .mock('out')
      .exchanges.map(({ properties, headers }) => [
        properties.get('CamelSplitIndex'),
        properties.get('CamelSplitSize'),
        properties.get('CamelSplitComplete'),
        headers.get('h'),
      ]);
    assert.deepEqual(told, [
      [0, 3, false, 1],
      [1, 3, false, 1],
      [2, 3, true, 1],
    ]);
  });

  it('knows of what each part is a part', async () => {
    const tested = await steps(`- split: { simple: "\${body}", steps: [${OUT}] }`);
    const { id } = await tested.send('direct:in', ['a']);
    const [part] = tested.mock('out').exchanges;
    assert.equal(part?.properties.get('CamelCorrelationId'), id);
  });

  it('goes through texts by the delimiter, maps by their entries, anything else as one', async () => {
    const parts = async (body: unknown, delimiter = ',') => {
      const tested = await steps(`- split: { simple: "\${body}", delimiter: "${delimiter}", steps: [${OUT}] }`);
      await tested.send('direct:in', body);
      return tested.bodies('out');
    };
    assert.deepEqual(await parts('a,b, c'), ['a', 'b', ' c']);
    assert.deepEqual(await parts('a;b', ';'), ['a', 'b']);
    assert.deepEqual(await parts('a,b', 'false'), ['a,b']);
    assert.deepEqual(await parts(['a', 'b'], 'single'), [['a', 'b']]);
    assert.deepEqual(await parts('f(a,b),c'), ['f(a,b)', 'c']);
    assert.deepEqual(await parts(7), [7]);
    assert.deepEqual(await parts(''), []);
    assert.deepEqual(await parts(null), []);
    assert.deepEqual(await parts(['a', null, 'b']), ['a', 'b']);
    assert.deepEqual(await parts({ k: 1 }), [{ k: 1 }]);
    assert.deepEqual(await parts(new Set([1, 2])), [1, 2]);
  });

  it('an aggregationStrategy makes what goes on', async () => {
    const tested = await steps(
      `- split: { simple: "\${body}", aggregationStrategy: ${GROUPED}, steps: [{ setBody: { simple: "<\${body}>" } }] }`,
    );
    assert.deepEqual((await tested.send('direct:in', ['a', 'b'])).body, ['<a>', '<b>']);
  });

  it('a failure does not keep the other parts, and fails the whole behind them', async () => {
    const tested = await steps(
      `- split: { simple: "\${body}", steps: [{ process: { ref: picky } }, ${OUT}] }\n- to: { uri: "mock:after" }`,
      { picky },
    );
    const { exception } = await tested.send('direct:in', ['a', 'bad', 'c']);
    assert.match(String(exception), /^Error: boom bad$/);
    assert.deepEqual([tested.bodies('out'), tested.bodies('after')], [['a', 'c'], []]);
  });

  it('a part knows nothing of what another one failed with', async () => {
    const tested = await steps(
      `
- split:
    simple: "\${body}"
    steps:
      - setHeader: { name: failed, simple: "\${exception.message}" }
      - ${OUT}
      - process: { ref: boom }`,
      { boom },
    );
    const { exception, properties } = await tested.send('direct:in', ['a', 'b']);
    assert.deepEqual(
      tested.mock('out').exchanges.map(({ headers }) => headers.get('failed')),
      [null, null],
    );
    assert.match(String(exception), /boom b/);
    assert.match(String(properties.get('CamelExceptionCaught')), /boom b/);
  });

  it('a strategy that ignores failures lets the exchange go on', async () => {
    const tested = await steps(
      `- split: { simple: "\${body}", aggregationStrategy: joined, steps: [{ process: { ref: picky } }] }`,
      {
        picky,
        joined: {
          aggregate: (former: Exchange | undefined, next: Exchange) => {
            const text = next.exception === undefined ? String(next.body) : 'failed';
            if (former === undefined) next.exception = undefined;
            const into = former ?? next;
            into.body = former === undefined ? text : `${String(former.body)}+${text}`;
            return into;
          },
        },
      },
    );
    assert.equal((await tested.send('direct:in', ['a', 'bad', 'c'])).body, 'a+failed+c');
  });

  for (const parallel of [false, true])
    it(`stopOnException ends with the first failure${parallel ? ', side by side' : ''}`, async () => {
      const tested = await steps(
        `- split: { simple: "\${body}", stopOnException: true, parallelProcessing: ${parallel}, steps: [{ process: { ref: picky } }, ${OUT}] }`,
        { picky },
      );
      const { exception, body, properties } = await tested.send('direct:in', ['a', 'bad', 'c']);
      assert.match(
        String(exception),
        /CamelExchangeException: Multicast processing failed for number 1\. Exchange\[.+\]\. Caused by: \[java\.lang\.RuntimeException - boom bad\]/,
      );
      assert.deepEqual([body, properties.get('CamelSplitIndex')], [['a', 'bad', 'c'], undefined], 'all else stays');
      assert.deepEqual(tested.bodies('out'), ['a']);
    });

  it('parallelProcessing: parts wait beside each other, and results keep their order', async () => {
    const tested = await steps(
      `- split: { simple: "\${body}", parallelProcessing: true, aggregationStrategy: ${GROUPED}, steps: [{ delay: { simple: "\${body}" } }, ${OUT}] }`,
    );
    const sent = tested.send('direct:in', [300, 100, 200]);
    await tested.time.advance(300);
    assert.deepEqual((await sent).body, [300, 100, 200]);
    assert.deepEqual(tested.bodies('out'), [100, 200, 300]);
  });

  it('parallelProcessing: a hundred thousand parts do not grow the stack', async () => {
    const tested = await steps(`
- split: { simple: "\${body}", parallelProcessing: true, aggregationStrategy: "#class:org.apache.camel.processor.aggregate.GroupedBodyAggregationStrategy", steps: [{ setHeader: { name: h, constant: 1 } }] }
- setBody: { simple: "\${body.size()}" }`);
    const many = Array.from({ length: 100_000 }, (_, at) => at);
    const { body, exception } = await tested.send('direct:in', many);
    assert.deepEqual([body, exception], [100_000, undefined]);
  });

  it('with streaming results come as they are ready', async () => {
    const tested = await steps(
      `- split: { simple: "\${body}", parallelProcessing: true, streaming: true, aggregationStrategy: ${GROUPED}, steps: [{ delay: { simple: "\${body}" } }] }`,
    );
    const sent = tested.send('direct:in', [300, 100, 200]);
    await tested.time.advance(300);
    assert.deepEqual((await sent).body, [100, 200, 300]);
  });

  it('streaming does not tell the size before the last part', async () => {
    const tested = await steps(`- split: { simple: "\${body}", streaming: true, steps: [${OUT}] }`);
    await tested.send('direct:in', ['a', 'b']);
    const sizes = tested.mock('out').exchanges.map(({ properties }) => properties.get('CamelSplitSize'));
    assert.deepEqual(sizes, [undefined, 2]);
  });

  it('streaming reads from what waits as it goes, one ahead, and closes it when no more is wanted', async () => {
    const told: string[] = [];
    const tested = await steps(
      `- split: { simple: "\${body}", streaming: true, stopOnException: true, steps: [{ process: { ref: note } }, { process: { ref: picky } }] }`,
      { picky, note: ({ body }: Exchange) => void told.push(`took ${String(body)}`) },
    );
    await tested.send('direct:in', lines(['a', 'b'], told));
    assert.deepEqual(told, ['read a', 'read b', 'took a', 'closed', 'took b']);
    told.length = 0;
    let isClosed = false;
    const source = {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: false, value: 'bad' }),
        return: async () => {
          isClosed = true;
          return { done: true, value: undefined };
        },
      }),
    };
    await tested.send('direct:in', source);
    assert.deepEqual([told, isClosed], [['took bad'], true]);
  });

  it('without streaming all is read before the first part goes', async () => {
    const told: string[] = [];
    const tested = await steps('- split: { simple: "${body}", steps: [{ process: { ref: note } }] }', {
      note: ({ body, properties }: Exchange) =>
        void told.push(`took ${String(body)} of ${String(properties.get('CamelSplitSize'))}`),
    });
    await tested.send('direct:in', lines(['a', 'b'], told));
    assert.deepEqual(told, ['read a', 'read b', 'closed', 'took a of 2', 'took b of 2']);
  });

  it('group makes lists of so many items', async () => {
    const tested = await steps(`- split: { simple: "\${body}", group: 2, streaming: true, steps: [${OUT}] }`);
    await tested.send('direct:in', [1, 2, 3, 4, 5]);
    await tested.send('direct:in', lines([6, 7, 8]));
    assert.deepEqual(tested.bodies('out'), [[1, 2], [3, 4], [5], [6, 7], [8]]);
  });

  it('timeout leaves out what is late, and tells the strategy which', async () => {
    const missing: unknown[][] = [];
    const tested = await steps(
      `- split: { simple: "\${body}", parallelProcessing: true, timeout: 250, aggregationStrategy: s, steps: [{ delay: { simple: "\${body}" } }] }`,
      {
        s: {
          aggregate: (former: Exchange | undefined, next: Exchange) => {
            if (former !== undefined) former.body = `${String(former.body)}+${String(next.body)}`;
            return former ?? next;
          },
          timeout: (_: Exchange, index: number, total: number, timeout: number) =>
            missing.push([index, total, timeout]),
        },
      },
    );
    const sent = tested.send('direct:in', [100, 300, 200, 900]);
    await tested.time.advance(250);
    assert.equal((await sent).body, '100+200');
    assert.deepEqual(missing, [
      [1, 4, 250],
      [3, 4, 250],
    ]);
    await tested.time.advance(1000);
  });

  it('onPrepare changes each part before its block', async () => {
    const tested = await steps(`- split: { simple: "\${body}", onPrepare: p, steps: [${OUT}] }`, {
      p: (part: Exchange) => {
        part.body = `${String(part.body)}!`;
      },
    });
    await tested.send('direct:in', ['a', 'b']);
    assert.deepEqual(tested.bodies('out'), ['a!', 'b!']);
  });

  it('maxFailedRecords and errorThreshold put up with failures, tell how many, and end it when there are too many', async () => {
    const failing = async (option: string, bodies: readonly string[]) => {
      const tested = await steps(
        `- split: { simple: "\${body}", ${option}, steps: [{ process: { ref: note } }, { process: { ref: picky } }] }`,
        {
          picky,
          note: () => void count++,
        },
      );
      let count = 0;
      const { exception, properties } = await tested.send('direct:in', bodies);
      return [count, exception !== undefined, properties.get('CamelSplitResult')];
    };
    const result = (total: number, processed: number, failures: number, aborted: boolean) => ({
      ...{ total, processed, success: processed - failures, failures, aborted },
    });
    const two = ['a', 'bad', 'c', 'bad', 'e', 'f'];
    const late = ['a', 'b', 'bad', 'd'];
    assert.deepEqual(await failing('maxFailedRecords: 2', two), [4, true, result(6, 4, 2, true)]);
    assert.deepEqual(await failing('maxFailedRecords: 3', two), [6, false, result(6, 6, 2, false)]);
    assert.deepEqual(await failing('errorThreshold: 0.5', two), [2, true, result(6, 2, 1, true)]);
    assert.deepEqual(await failing('errorThreshold: 0.5', late), [4, false, result(4, 4, 1, false)]);
    assert.deepEqual(await failing('errorThreshold: 0.5, parallelProcessing: true', late), [
      4,
      false,
      result(4, 4, 1, false),
    ]);
  });

  it('what needs a persistent repository is refused', async () => {
    await assert.rejects(
      steps('- split: { simple: "${body}", watermarkKey: k, steps: [] }'),
      /watermarkKey needs a persistent repository/,
    );
  });

  it('stop in a part ends that part alone', async () => {
    const tested = await steps(
      `- split: { simple: "\${body}", steps: [{ filter: { simple: "\${body} == 'b'", steps: [{ stop: {} }] } }, ${OUT}] }\n- to: { uri: "mock:after" }`,
    );
    await tested.send('direct:in', ['a', 'b', 'c']);
    assert.deepEqual([tested.bodies('out'), tested.mock('after').counter], [['a', 'c'], 1]);
  });

  it('a part that changes its headers leaves those of the others alone', async () => {
    const tested = await steps(
      `- split: { simple: "\${body}", steps: [${OUT}, { setHeader: { name: h, constant: x } }] }`,
    );
    const { headers } = await tested.send('direct:in', ['a', 'b']);
    assert.deepEqual(
      tested.mock('out').exchanges.map((it) => it.headers.get('h')),
      [undefined, undefined],
    );
    assert.equal(headers.size, 0);
  });

  it('a hundred thousand parts do not grow the stack, and others have their turn', async () => {
    const tested = await steps('- split: { simple: "${body}", steps: [{ setHeader: { name: h, constant: x } }] }');
    const { exception } = await tested.send(
      'direct:in',
      Array.from({ length: 100_000 }, (_, it) => it),
    );
    assert.equal(exception, undefined);
  });
});

describe('multicast', () => {
  const THREE = '[{ setBody: { constant: one } }, { setBody: { constant: two } }, { to: { uri: "mock:out" } }]';

  it('gives each of its steps a copy, and goes on with the latest result', async () => {
    const tested = await steps(`- multicast: { steps: ${THREE} }`);
    const { body, properties } = await tested.send('direct:in', 'x');
    assert.equal(body, 'x');
    assert.deepEqual(tested.bodies('out'), ['x']);
    assert.deepEqual([properties.get('CamelMulticastIndex'), properties.get('CamelMulticastComplete')], [2, true]);
  });

  it('a stop in the branch that comes last stops the exchange, too', async () => {
    const stopping = '{ pipeline: { steps: [{ setBody: { constant: two } }, { stop: {} }] } }';
    const tested = await steps(
      `- multicast: { steps: [${stopping}, { setBody: { constant: one } }] }\n- to: { uri: "mock:a" }\n- multicast: { steps: [{ setBody: { constant: one } }, ${stopping}] }\n- to: { uri: "mock:b" }`,
    );
    assert.equal((await tested.send('direct:in', 'x')).body, 'two');
    assert.deepEqual([tested.bodies('a'), tested.bodies('b')], [['one'], []]);
  });

  it('an aggregationStrategy puts all results together', async () => {
    const tested = await steps(`- multicast: { aggregationStrategy: ${GROUPED}, steps: ${THREE} }`);
    assert.deepEqual((await tested.send('direct:in', 'x')).body, ['one', 'two', 'x']);
  });

  it('a strategy of bodies: a function, also one that is waited for, and a method of a bean', async () => {
    const plus = (former: unknown, next: unknown) => `${String(former)}+${String(next)}`;
    const asked = (former: unknown, next: unknown) => new Asked(Promise.resolve(plus(former, next)));
    const beans = { plus, asked, bean: { add: plus } };
    for (const [options, expected] of [
      ['aggregationStrategy: plus', 'one+two+x'],
      ['aggregationStrategy: asked', 'one+two+x'],
      ['aggregationStrategy: asked, parallelProcessing: true', 'one+two+x'],
      ['aggregationStrategy: "#bean:bean", aggregationStrategyMethodName: add', 'one+two+x'],
      ['aggregationStrategy: plus, aggregationStrategyMethodAllowNull: true', 'null+one+two+x'],
    ]) {
      const tested = await steps(`- multicast: { ${options}, steps: ${THREE} }`, beans);
      assert.equal((await tested.send('direct:in', 'x')).body, expected);
    }
  });

  it('a strategy that is none is refused when the route is loaded', async () => {
    await assert.rejects(
      steps(`- multicast: { aggregationStrategy: nobody, steps: ${THREE} }`),
      /NoSuchBeanException|No bean could be found in the registry for: nobody/,
    );
  });

  it('parallelProcessing takes them beside each other', async () => {
    const tested = await steps(
      `- multicast: { parallelProcessing: true, aggregationStrategy: ${GROUPED}, steps: [{ pipeline: { steps: [{ delay: { constant: "200" } }, { setBody: { constant: slow } }] } }, { setBody: { constant: fast } }] }`,
    );
    const sent = tested.send('direct:in', 'x');
    await tested.time.advance(200);
    assert.deepEqual((await sent).body, ['slow', 'fast']);
  });

  it('one that fails does not keep the others, and fails the whole', async () => {
    const tested = await steps(`- multicast: { steps: [{ process: { ref: boom } }, { to: { uri: "mock:out" } }] }`, {
      boom,
    });
    const { exception } = await tested.send('direct:in', 'x');
    assert.match(String(exception), /boom x/);
    assert.equal(tested.mock('out').counter, 1);
  });

  it('stopOnException, timeout and onPrepare are as for split', async () => {
    const stops = await steps(
      `- multicast: { stopOnException: true, steps: [{ process: { ref: boom } }, { to: { uri: "mock:out" } }] }`,
      { boom },
    );
    assert.match(String((await stops.send('direct:in', 'x')).exception), /failed for number 0/);
    assert.equal(stops.mock('out').counter, 0);
    const late = await steps(
      '- multicast: { timeout: 100, steps: [{ setBody: { constant: a } }, { delay: { constant: "500" } }] }',
    );
    const sent = late.send('direct:in', 'x');
    await late.time.advance(100);
    assert.equal((await sent).body, 'a');
    await late.time.advance(500);
  });
});

describe('recipientList', () => {
  it('sends to the endpoints of a text with delimiters, or of a list', async () => {
    const tested = await steps('- recipientList: { header: to }');
    await tested.send('direct:in', 1, { to: 'mock:a, mock:b' });
    await tested.send('direct:in', 2, { to: ['mock:b', 'mock:c'] });
    await tested.send('direct:in', 3, { to: '' });
    assert.deepEqual([tested.bodies('a'), tested.bodies('b'), tested.bodies('c')], [[1], [1, 2], [2]]);
  });

  it('tells where a copy was sent, and the result where the last one was', async () => {
    const tested = await steps('- recipientList: { constant: "mock:a,mock:b" }');
    const { properties, id } = await tested.send('direct:in');
    const endpoint = (its: ReadonlyMap<string, unknown> | undefined) => its?.get('CamelRecipientListEndpoint');
    assert.equal(endpoint(tested.mock('a').exchanges[0]?.properties), 'mock://a');
    assert.deepEqual([endpoint(properties), properties.get('CamelCorrelationId')], ['mock://b', id]);
  });

  it('delimiter parts the text, or nothing does', async () => {
    const tested = await steps(
      '- recipientList: { header: to, delimiter: ";" }\n- recipientList: { header: one, delimiter: "false" }',
    );
    await tested.send('direct:in', 1, { to: 'mock:a;mock:b', one: 'mock:c,d' });
    assert.deepEqual([tested.bodies('a'), tested.bodies('b'), tested.bodies('c,d')], [[1], [1], [1]]);
  });

  it('aggregates what they answer', async () => {
    const tested = await steps(
      `- recipientList: { constant: "direct:a,direct:b", aggregationStrategy: ${GROUPED}, parallelProcessing: true }`,
      {},
      '- from: { uri: "direct:a", steps: [{ setBody: { constant: a } }] }\n- from: { uri: "direct:b", steps: [{ setBody: { constant: b } }] }',
    );
    assert.deepEqual((await tested.send('direct:in', 'x')).body, ['a', 'b']);
  });

  it('an endpoint that is none fails, unless ignoreInvalidEndpoints; allowedSchemes keeps it from others', async () => {
    const fails = await steps('- recipientList: { constant: "none:a,mock:b" }');
    assert.match(String((await fails.send('direct:in')).exception), /NoSuchEndpointException/);
    const ignores = await steps('- recipientList: { constant: "none:a,mock:b", ignoreInvalidEndpoints: true }');
    assert.equal((await ignores.send('direct:in')).exception, undefined);
    assert.equal(ignores.mock('b').counter, 1);
    const keeps = await steps('- recipientList: { constant: "mock:b", allowedSchemes: direct }');
    assert.match(String((await keeps.send('direct:in')).exception), /the scheme mock is none of direct/);
  });
});

describe('wireTap', () => {
  it('sends a copy and goes on at once; what the copy becomes is nobody’s business', async () => {
    const tested = await steps(
      '- wireTap: { uri: "direct:${header.to}" }\n- setBody: { constant: done }',
      { boom },
      '- from: { uri: "direct:slow", steps: [{ delay: { constant: "100" } }, { to: { uri: "mock:tap" } }, { process: { ref: boom } }] }',
    );
    assert.equal((await tested.send('direct:in', 'x', { to: 'slow' })).body, 'done');
    assert.equal(tested.mock('tap').counter, 0);
    await tested.time.advance(100);
    assert.deepEqual(tested.bodies('tap'), ['x']);
    assert.equal(tested.mock('tap').exchanges[0]?.pattern, 'InOnly');
    assert.match(tested.logged.at(-1)?.message ?? '', /boom x/);
  });

  it('copy: false sends a new message, onPrepare changes it, dynamicUri: false takes the URI as it stands', async () => {
    const tested = await steps('- wireTap: { uri: "mock:tap", copy: false, onPrepare: p, dynamicUri: false }', {
      p: (copy: Exchange) => {
        copy.headers.set('h', `from ${String(copy.body)}`);
      },
    });
    await tested.send('direct:in', 'x', { old: 1 });
    const [tap] = tested.mock('tap').exchanges;
    assert.deepEqual([tap?.body, [...(tap?.headers ?? [])]], [null, [['h', 'from null']]]);
    await assert.rejects(
      steps('- wireTap: { uri: "none:x", dynamicUri: false }'),
      /NoSuchEndpointException|there is no component none/,
    );
  });
});

describe('a route that stops or is suspended', () => {
  it('waits for copies that were tapped, and for groups that are under way', async () => {
    const slow =
      '- from: { uri: "direct:slow", steps: [{ delay: { constant: "100" } }, { to: { uri: "mock:slow" } }] }';
    const group = `aggregate: { correlationExpression: { constant: k }, completionSize: 1, aggregationStrategy: ${GROUPED}, steps: [{ to: { uri: "direct:slow" } }] }`;
    for (const step of ['wireTap: { uri: "direct:slow" }', group])
      for (const operation of ['stop', 'suspend'] as const) {
        const tested = await steps(`- ${step}`, {}, slow);
        await tested.send('direct:in', 'x');
        let isOver = false;
        const over = tested.runtime[operation]('route1', { timeoutMs: 5000 }).then((drained) => {
          isOver = true;
          return drained;
        });
        await tested.time.advance(99);
        assert.equal(isOver, false);
        await tested.time.advance(1);
        assert.deepEqual([await over, tested.mock('slow').counter], [{ stuck: [] }, 1]);
      }
  });
});

describe('enrich', () => {
  const ANSWER =
    '\n- from: { uri: "direct:answer", steps: [{ setBody: { simple: "re ${body}" } }, { setHeader: { name: h, constant: new } }] }\n- from: { uri: "direct:fails", steps: [{ process: { ref: boom } }] }';
  const beans = { boom, both: (former: unknown, next: unknown) => `${String(former)} and ${String(next)}` };
  const sent = async (yaml: string, body: unknown = 'x') =>
    (await steps(yaml, beans, ANSWER)).send('direct:in', body, { h: 'old' });

  it('the answer takes the place of the message, or a strategy puts both together', async () => {
    const plain = await sent('- enrich: { constant: "direct:answer" }');
    assert.deepEqual([plain.body, plain.headers.get('h')], ['re x', 'new']);
    const both = await sent('- enrich: { constant: "direct:answer", aggregationStrategy: both }');
    assert.deepEqual([both.body, both.headers.get('h')], ['x and re x', 'old']);
  });

  it('a failure is the exchange’s own, unless aggregateOnException', async () => {
    assert.match(String((await sent('- enrich: { constant: "direct:fails" }')).exception), /boom x/);
    const both = await sent(
      '- enrich: { constant: "direct:fails", aggregationStrategy: both, aggregateOnException: true }',
    );
    assert.deepEqual([both.exception, both.body], [undefined, 'x and x']);
  });

  it('variableSend and variableReceive', async () => {
    const { body, headers, variables } = await sent(
      '- setVariable: { name: s, constant: var }\n- enrich: { constant: "direct:answer", variableSend: s, variableReceive: r }',
    );
    assert.deepEqual(
      [body, headers.get('h'), variables.get('r'), variables.get('header:r.h')],
      ['x', 'old', 're var', 'new'],
    );
  });

  it('ignoreInvalidEndpoint and allowedSchemes', async () => {
    assert.match(String((await sent('- enrich: { constant: "none:x" }')).exception), /NoSuchEndpointException/);
    assert.equal((await sent('- enrich: { constant: "none:x", ignoreInvalidEndpoint: true }')).body, 'x');
    assert.match(
      String((await sent('- enrich: { constant: "direct:answer", allowedSchemes: mock }')).exception),
      /is none of mock/,
    );
  });
});
