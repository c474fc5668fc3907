import assert from 'node:assert/strict';
import { method, ref } from '../../src/expression/bean/bean-call.js';
import { Asked, type Exchange, type Language } from '../../src/expression/routes.js';
import { answerOf, exchangeContext, exchangeOf, expressionModel, failureOf, failureTypes } from './exchange-support.js';

/** Knows `${body}` and `${header.name}` alone. */
const simple: Language = {
  expression: ({ text }) => {
    const value = (part: string, exchange: Exchange): unknown =>
      part === 'body' ? exchange.body : (exchange.headers.get(part.replace('header.', '')) ?? null);
    const whole = /^\$\{([\w.]+)\}$/.exec(text);
    if (whole !== null) return (exchange) => value(whole[1] ?? '', exchange);
    return (exchange) => text.replace(/\$\{([\w.]+)\}/g, (_, part: string) => String(value(part, exchange)));
  },
  predicate: () => () => true,
};
const parts = {
  simple,
  convert: (value: unknown, type: string) => `${type}(${value})`,
  isTrue: (value: unknown) => value === true,
};

class Greeter {
  #greeting = 'hello';

  hello(name: unknown): string {
    return `${this.#greeting} ${name}`;
  }
}

const beans: Record<string, unknown> = {
  one: new Greeter(),
  two: { a: (s: string) => `a:${s}`, b: (s: string) => `b:${s}` },
  mixed: { now: () => 'now', hello: (s: string) => `h:${s}` },
  clocks: { now: () => 'now', later: () => 'later' },
  named: {
    all: (body: string, headers: Exchange['headers'], exchange: Exchange, other: unknown) => [
      body,
      headers.get('x'),
      exchange.body,
      other,
    ],
  },
  calc: {
    add: (a: number, b: number) => a + b,
    getName: () => 'nm',
    size: 3,
    nothing: () => undefined,
    nil: () => null,
    later: async (body: string) => `later ${body}`,
  },
  shout: (body: string) => `${body}!`,
  map: new Map([['k', 'v']]),
  step: {
    process: (exchange: Exchange) => {
      exchange.body = `proc:${exchange.body}`;
    },
    other: (x: string) => x,
  },
  failing: {
    go: () => {
      throw new Error('no luck');
    },
  },
};
const exchangeWith = (body: unknown, headers = {}) => exchangeOf(body, headers, {}, exchangeContext(beans));
const ask = (text: string, body: unknown = 'x', options = {}, headers = { x: 'X' }) =>
  method(parts).expression(expressionModel('method', text, options))(exchangeWith(body, headers));

describe('method: calls of beans', () => {
  const cases: readonly (readonly [text: string, value: unknown])[] = [
    ['one', 'hello x'],
    ['one.hello', 'hello x'],
    ['one?method=hello', 'hello x'],
    ['one::hello', 'hello x'],
    ["one.hello('a.b')", 'hello a.b'],
    ['one.hello(${header.x})', 'hello X'],
    ['one.hello(*)', 'hello x'],
    ['one.hello(null)', 'hello null'],
    ['one.hello(5)', 'hello 5'],
    ['one.hello(true)', 'hello true'],
    ['one.hello(unquoted)', 'hello unquoted'],
    ['one.hello(a,b)', 'hello a'],
    ["one.hello('a, (b')", 'hello a, (b'],
    ['one.hello("dq")', 'hello dq'],
    ["one.hello('a ${body} b')", 'hello a x b'],
    ['two.a', 'a:x'],
    ['mixed', 'h:x'],
    ['mixed.now', 'now'],
    ['named.all', ['x', 'X', 'x', null]],
    ["named.all('b', *, *, 'o')", ['b', 'X', 'x', 'o']],
    ['calc.add(1,2)', 3],
    ['calc.name', 'nm'],
    ['calc.size', 3],
    ['calc.getSize', 3],
    ['calc.nothing', null],
    ['shout', 'x!'],
    ["map.get('k')", 'v'],
    ['map.size', 1],
  ];
  for (const [text, value] of cases) it(text, () => assert.deepEqual(ask(text), value));

  it('takes ref and method, and converts to the result type', () => {
    assert.equal(ask('', 'x', { ref: 'two', method: 'b(${body})' }), 'b:x');
    assert.equal(ask('', 'x', { ref: 'one', resultType: 'int' }), 'int(hello x)');
  });

  it('waits for what a function gives later', async () => {
    const asked = ask('calc.later');
    assert.ok(asked instanceof Asked);
    assert.equal(await answerOf(asked), 'later x');
  });

  it('calls process with the exchange, where the bean is a processor', () => {
    const exchange = exchangeWith('x');
    method(parts).expression(expressionModel('method', 'step'))(exchange);
    assert.equal(exchange.body, 'proc:x');
  });

  const failures: readonly (readonly [text: string, type: string])[] = [
    ['none.x', 'org.apache.camel.NoSuchBeanException'],
    ['one.none', 'org.apache.camel.component.bean.MethodNotFoundException'],
    ['one.hello()', 'org.apache.camel.component.bean.MethodNotFoundException'],
    ['one.constructor', 'org.apache.camel.component.bean.MethodNotFoundException'],
    ['one.__proto__', 'org.apache.camel.component.bean.MethodNotFoundException'],
    ['two', 'org.apache.camel.component.bean.AmbiguousMethodCallException'],
    ['clocks', 'java.lang.IllegalStateException'],
    ["one.hello('a", 'org.apache.camel.ExpressionIllegalSyntaxException'],
    ["one.hello('a)", 'org.apache.camel.ExpressionIllegalSyntaxException'],
    ['.x', 'org.apache.camel.ExpressionIllegalSyntaxException'],
  ];
  for (const [text, type] of failures) {
    it(`${text} fails`, async () => assert.deepEqual(failureTypes(await failureOf(() => ask(text))), [type]));
  }

  it('passes on what a bean throws, and refuses classes that are not there by name', async () => {
    assert.match(String(await failureOf(() => ask('failing'))), /no luck/);
    const thrown = await failureOf(() => ask('', 'x', { beanType: 'com.acme.Foo' }));
    assert.match(String(thrown), /NoSuchBeanException.*com\.acme\.Foo/);
  });

  it('is a predicate', () => {
    const holds = method(parts).predicate(expressionModel('method', 'pred'));
    const yes = exchangeOf('yes', {}, {}, exchangeContext({ pred: (body: string) => body === 'yes' }));
    assert.equal(holds(yes), true);
  });
});

describe('ref: expressions of the registry', () => {
  it('are functions of the exchange, or have one that evaluates', async () => {
    const context = exchangeContext({ f: (exchange: Exchange) => exchange.body, e: { evaluate: () => 7 }, n: 5 });
    const value = (name: string) =>
      ref(parts).expression(expressionModel('ref', name))(exchangeOf('x', {}, {}, context));
    assert.equal(value('f'), 'x');
    assert.equal(value(' e '), 7);
    for (const name of ['n', 'none']) {
      assert.deepEqual(failureTypes(await failureOf(() => value(name))), ['java.lang.IllegalArgumentException']);
    }
  });
});
