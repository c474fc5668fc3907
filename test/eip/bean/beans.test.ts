import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { OperatorBeans } from '../../../src/eip/bean/operator-beans.js';
import { type Exchange, failureType, languagesOf, RouteScripts } from '../../../src/expression/routes.js';
import { Routes } from '../support/routes.js';

/** What an operator may have written. */
class Greeter {
  greeting: string;
  calls = 0;
  language = 'en';

  constructor(greeting = 'Hello') {
    this.greeting = greeting;
  }

  static german(): Greeter {
    return new Greeter('Hallo');
  }

  setLanguage(language: string): void {
    this.language = language.toUpperCase();
  }

  greet(body: unknown): string {
    return `${this.greeting} ${String(body)} (${++this.calls})`;
  }
}

const operator = new OperatorBeans({
  Greeter,
  plain: (body: unknown) => `plain ${String(body)}`,
  later: async (body: unknown, headers: Map<string, unknown>) => `${String(body)} later ${String(headers.get('n'))}`,
  second: () => 1,
  processor: { process: async (exchange: Exchange) => void exchange.headers.set('seen', true) },
  join: { both: async (former: unknown, next: unknown) => `${String(former)}+${String(next)}` },
  default: { fromDefault: { answer: () => 42 } },
});

const started = (yaml: string, by = operator) =>
  new Routes({ word: 'Hi' }, {}, undefined, { operator: by }).start(yaml);
const body = async (tested: Routes, given: unknown = 'you', headers = {}) =>
  (await tested.send('direct:in', given, headers)).body;
const route = (...steps: string[]) =>
  `- from: { uri: "direct:in", steps: [${steps.map((step) => `{ ${step} }`).join(', ')}] }`;

describe('beans', () => {
  it('are functions and objects of the operator’s module, which may take their time', async () => {
    assert.equal(await body(await started(route('to: { uri: "bean:plain" }'))), 'plain you');
    assert.equal(await body(await started(route('to: { uri: "bean:later" }')), 'x', { n: 7 }), 'x later 7');
    assert.equal(await body(await started(route('to: { uri: "bean:fromDefault?method=answer" }'))), 42);
    assert.equal(await body(await started(route('setBody: { method: { ref: plain } }'))), 'plain you');
    const processed = await (await started(route('process: { ref: processor }'))).send('direct:in');
    assert.equal(processed.headers.get('seen'), true);
  });

  it('are instances of its classes, with what their constructors and properties are given', async () => {
    const declared = (more: string, type = 'Greeter') =>
      `- beans: [{ name: greeter, type: "${type}", ${more} }]\n${route('to: { uri: "bean:greeter?method=greet" }')}`;
    const tested = await started(declared('constructors: { "0": "{{word}}" }, properties: { language: de }'));
    assert.deepEqual([await body(tested), await body(tested)], ['Hi you (1)', 'Hi you (2)']);
    assert.equal((tested.context.bean('greeter') as Greeter).language, 'DE');
    assert.equal(await body(await started(declared('factoryMethod: german'))), 'Hallo you (1)');
    assert.equal(await body(await started(declared('initMethod: greet', "#class:Greeter('Oh')"))), 'Oh you (2)');
    const other = `- beans: [{ name: one, type: Greeter }, { name: greeter, type: "#bean:one" }]\n`;
    const shared = await started(`${other}${route('to: { uri: "bean:greeter?method=greet" }')}`);
    assert.equal(await body(shared), 'Hello you (1)');
    assert.equal(shared.context.bean('one'), shared.context.bean('#type:Greeter') && shared.context.bean('greeter'));
  });

  it('are made once for an endpoint, for each exchange or for each call', async () => {
    const calls = (scope: string) =>
      route(
        `to: { uri: "class:Greeter?method=greet&scope=${scope}&bean.greeting=A" }`,
        `to: { uri: "class:Greeter?method=greet&scope=${scope}&bean.greeting=A" }`,
      );
    const singleton = await started(calls('Singleton'));
    await body(singleton);
    assert.equal(await body(singleton), 'A A you (3) (4)');
    const request = await started(calls('Request'));
    await body(request);
    assert.equal(await body(request), 'A A you (1) (2)');
    assert.equal(await body(await started(calls('Prototype'))), 'A A you (1) (1)');
  });

  it('are called by the method that is written, or by that of the message, with values that are written', async () => {
    const written = route('to: { uri: "bean:greeter?method=greet(${header.who})" }');
    const declared = '- beans: [{ name: greeter, type: Greeter }]\n';
    assert.equal(await body(await started(declared + written), 'x', { who: 'Ann' }), 'Hello Ann (1)');
    const named = await started(`${declared}${route('to: { uri: "bean:greeter" }')}`);
    const sent = await named.send('direct:in', 'x', { CamelBeanMethodName: 'greet' });
    assert.deepEqual([sent.body, sent.headers.get('CamelBeanMethodName')], ['Hello x (1)', undefined]);
  });

  it('of well-known classes of Java and Camel are there', async () => {
    const counter = '- beans: [{ name: counter, type: java.util.concurrent.atomic.AtomicInteger }]\n';
    const counting = await started(
      `${counter}${route('bean: { ref: counter, method: incrementAndGet }', 'bean: { ref: counter, method: incrementAndGet }')}`,
    );
    assert.equal(await body(counting), 2);
    assert.equal(await body(await started(route('bean: { beanType: Greeter, method: greet }'))), 'Hello you (1)');
    assert.equal(
      await body(await started(route('setBody: { method: { beanType: Greeter, method: greet } }'))),
      'Hello you (1)',
    );
    const failing = '- beans: [{ name: away, type: java.io.IOException, constructors: { "0": away } }]\n';
    const { exception } = await (await started(`${failing}${route('throwException: { ref: away }')}`)).send(
      'direct:in',
    );
    assert.deepEqual([failureType(exception), (exception as Error).message], ['java.io.IOException', 'away']);
  });

  it('put exchanges together, and balance between steps', async () => {
    const joined = route(
      'split: { simple: "${body}", aggregationStrategy: "#bean:join", aggregationStrategyMethodName: both, steps: [{ log: a }] }',
    );
    assert.equal(await body(await started(joined), 'a,b,c'), 'a+b+c');
    const memory = `- beans: [{ name: memory, type: org.apache.camel.processor.aggregate.MemoryAggregationRepository }]\n`;
    const grouped = `aggregate: { correlationExpression: { constant: 1 }, completionSize: 1, aggregationRepository: "#memory", aggregationStrategy: "#class:org.apache.camel.processor.aggregate.GroupedBodyAggregationStrategy", steps: [{ to: { uri: "mock:group" } }] }`;
    const group = await started(memory + route(grouped));
    await group.send('direct:in', 'a');
    assert.deepEqual(group.bodies('group'), [['a']]);
    const balanced = (ref: string) =>
      route(
        `loadBalance: { customLoadBalancer: { ref: "${ref}" }, steps: [{ setBody: { constant: first } }, { setBody: { constant: second } }] }`,
      );
    assert.equal(await body(await started(balanced('second'))), 'second');
    const turns = await started(balanced('#class:org.apache.camel.processor.loadbalancer.RoundRobinLoadBalancer'));
    assert.deepEqual([await body(turns), await body(turns)], ['first', 'second']);
  });

  it('are error handlers and redelivery policies', async () => {
    const bean = `- beans:
    - name: dead
      type: org.apache.camel.builder.DeadLetterChannelBuilder
      properties: { deadLetterUri: "mock:dead", redeliveryPolicy.maximumRedeliveries: 2, redeliveryPolicy.redeliveryDelay: 0 }
`;
    const failing =
      'steps: [{ to: { uri: "mock:tried" } }, { throwException: { exceptionType: java.io.IOException, message: x } }]';
    for (const routes of [
      `- errorHandler: { refErrorHandler: { ref: dead } }\n- from: { uri: "direct:in", ${failing} }`,
      `- route: { errorHandlerRef: dead, from: { uri: "direct:in", ${failing} } }`,
    ]) {
      const tested = await started(bean + routes);
      await tested.send('direct:in', 'x');
      await tested.time.advance(1000);
      assert.deepEqual([tested.mock('dead').counter, tested.mock('tried').counter], [1, 1], routes);
    }
  });

  it('that are not there keep their route from starting, with what there is', async () => {
    await assert.rejects(started(route('to: { uri: "bean:nobody" }')), /NoSuchBeanException.*nobody/);
    await assert.rejects(
      started(route('to: { uri: "class:com.acme.Thing" }')),
      /ClassNotFoundException: the class com\.acme\.Thing does not exist here.*GroupedBodyAggregationStrategy.*MILLRACE_BEANS/,
    );
    const itself = '- beans: [{ name: a, type: "#bean:b" }, { name: b, type: "#bean:a" }]\n';
    await assert.rejects(started(itself + route('to: { uri: "bean:a" }')), /made of itself/);
    const broken = new OperatorBeans({}, 'Unexpected token');
    await assert.rejects(started(route('to: { uri: "bean:plain" }'), broken), /MILLRACE_BEANS.*Unexpected token/);
  });
});

describe('beans that are JavaScript', () => {
  const scripts = new RouteScripts();
  after(() => scripts.close());
  const scripted = (script: string, ...steps: string[]) => {
    const bean = `- beans: [{ name: it, type: "java.lang.Object", scriptLanguage: js, script: ${JSON.stringify(script)} }]\n`;
    return new Routes({}, {}, undefined, { language: languagesOf(scripts) }).start(bean + route(...steps));
  };

  it('are objects with methods, functions, or their value', async () => {
    const object =
      '({ twice: (body) => body * 2, of: (a, b) => a + "/" + b, head: (it, headers) => headers.get("n") })';
    assert.equal(await body(await scripted(object, 'bean: { ref: it, method: twice }'), 21), 42);
    const given = await scripted(object, 'setBody: { method: { ref: it, method: "of(${body}, 5)" } }');
    assert.equal(await body(given, 'x'), 'x/5');
    assert.equal(await body(await scripted(object, 'to: { uri: "bean:it?method=head" }'), 'x', { n: 3 }), 3);
    assert.equal(await body(await scripted('(body) => body + "!"', 'to: { uri: "bean:it" }'), 'x'), 'x!');
    assert.equal(await body(await scripted('body + "?"', 'to: { uri: "bean:it" }'), 'x'), 'x?');
  });

  it('change the exchange that they process, and put bodies together', async () => {
    const processing = await scripted('headers.put("seen", body.length)', 'process: { ref: it }');
    const sent = await processing.send('direct:in', 'abc');
    assert.deepEqual([sent.headers.get('seen'), sent.body, [...sent.properties.keys()]], [3, 'abc', []]);
    const split = 'split: { simple: "${body}", aggregationStrategy: "#it", steps: [{ log: a }] }';
    assert.equal(await body(await scripted('(former, next) => former + "+" + next', split), 'a,b,c'), 'a+b+c');
    assert.equal(await body(await scripted('body.former + body.next', split), 'a,b,c'), 'abc');
  });

  it('are called as the documentation shows it', async () => {
    const [, example = ''] = /## Beans.*?```yaml\n(.*?)```/s.exec(readFileSync('docs/routes.md', 'utf8')) ?? [];
    const tested = await new Routes({}, {}, undefined, { language: languagesOf(scripts) }).start(example);
    const { body: greeted, headers } = await tested.send('direct:greet', 'Ann');
    assert.deepEqual([greeted, headers.get('loud')], ['Hello Ann', 'HELLO ANN']);
  });

  it('fail where there is no such method', async () => {
    const tested = await scripted('({ a: () => 1, b: () => 2 })', 'bean: { ref: it, method: c }');
    assert.match(String((await tested.send('direct:in')).exception), /expected a method c, but the bean has a, b/);
  });
});
