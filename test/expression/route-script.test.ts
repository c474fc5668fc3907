import assert from 'node:assert/strict';
import { Asked, type Exchange, type ExchangeFailure } from '../../src/expression/routes.js';
import { js, RouteScripts } from '../../src/expression/script/route-script.js';
import { answerOf, exchangeOf, expressionModel, failureOf, failureTypes } from './exchange-support.js';

describe('js of routes', () => {
  let scripts: RouteScripts;
  before(() => {
    scripts = new RouteScripts({ timeoutMs: 2_000 });
  });
  after(() => scripts.close());

  const ask = (source: string, exchange: Exchange, options = {}) =>
    js(scripts, { convert: (value, type) => `${type}(${value})`, isTrue: (value) => value === true }).expression(
      expressionModel('js', source, options),
    )(exchange);
  const value = (source: string, exchange = exchangeOf(null)) => answerOf(ask(source, exchange));

  it('sees the message as Camel shows it, and gives the value of the last statement', async () => {
    const exchange = exchangeOf({ price: 3 }, { Name: 'rye' }, { properties: new Map([['p', 1]]) });
    exchange.variables.set('v', [1, 2]);
    const cases: readonly (readonly [source: string, value: unknown])[] = [
      ['body.price * 2', 6],
      ['message.getBody().price', 3],
      ['exchange.getMessage().getBody() === exchange.getIn().getBody()', true],
      ['headers.get("name") + headers.NAME + message.getHeader("Name")', 'ryeryerye'],
      ['message.getHeader("none", "else")', 'else'],
      ['headers.get("none")', null],
      ['exchange.getProperty("p") + properties.p', 2],
      ['variables.v.length + variable.get("v")[1]', 4],
      ['exchange.getVariable("v")', [1, 2]],
      ['context.getName() + exchange.getFromRouteId() + exchange.getPattern()', 'testroute1InOnly'],
      ['exchangeId === exchange.getExchangeId()', true],
      ['JSON.stringify(headers)', '{"Name":"rye"}'],
      ['"NAME" in headers && headers.containsKey("nAme") && headers.size()', 1],
      ['[...headers.keySet()].concat(Object.keys(properties))', ['Name', 'p']],
      ['let total = 0; for (const n of variables.v) total += n; total', 3],
      ['undefined', null],
      ['({ a: [1, { b: null }] })', { a: [1, { b: null }] }],
      ['10n ** 20n', 100000000000000000000n],
      ['new Date(5)', new Date(5)],
      ['new Map([["a", 1]])', new Map([['a', 1]])],
      ['0 / 0', Number.NaN],
      ['Date.now()', 0],
    ];
    for (const [source, expected] of cases) assert.deepEqual(await value(source, exchange), expected, source);
  });

  it('gives bytes with their text, and takes bytes back', async () => {
    const exchange = exchangeOf(Buffer.from('{"name":"Müller"}'));
    assert.equal(await value('JSON.parse(body).name', exchange), 'Müller');
    assert.equal(await value('body.length', exchange), 18);
    await value('message.setBody(Uint8Array.from([1, 255]))', exchange);
    assert.deepEqual(exchange.body, Buffer.from([1, 255]));
  });

  it('reads a stream for the script', async () => {
    const body = (async function* () {
      yield Buffer.from('hello ');
      yield 'mill';
    })();
    assert.equal(await value('body + "!"', exchangeOf(body)), 'hello mill!');
  });

  it('changes the message, and only when the value is taken', async () => {
    const exchange = exchangeOf('old', { A: 1, Gone: 2, CamelX: 3, CamelY: 4 }, { properties: new Map([['p', 1]]) });
    const asked = ask(
      `message.setBody('new'); headers.put('a', 5); headers.b = [1]; delete headers.gone; message.removeHeaders('Camel*');
       exchange.setProperty('q', { x: 1 }); exchange.removeProperty('p'); exchange.setVariable('v', 7); exchange.setVariable('global:g', 8); 'value'`,
      exchange,
    );
    assert.ok(asked instanceof Asked);
    const answer = await asked.answer;
    assert.equal(exchange.body, 'old');
    assert.equal(asked.taken(answer), 'value');
    assert.equal(exchange.body, 'new');
    assert.deepEqual(
      [...exchange.headers],
      [
        ['A', 5],
        ['b', [1]],
      ],
    );
    assert.deepEqual([...exchange.properties], [['q', { x: 1 }]]);
    assert.deepEqual([...exchange.variables], [['v', 7]]);
    assert.equal(exchange.context.globalVariables.get('g'), 8);
  });

  it('leaves alone what it did not touch, whatever that is, and keeps what it changed within', async () => {
    const [when, stream, same] = [new Date(3), async function* () {}, new Map([['1', 1]])];
    const exchange = exchangeOf({ list: [1] }, { when, stream: stream(), same, n: 2n ** 70n });
    const before = [...exchange.headers];
    await value('body.list.push(headers.n)', exchange);
    assert.deepEqual([...exchange.headers], before);
    assert.ok(exchange.headers.get('same') === same);
    assert.deepEqual(exchange.body, { list: [1, 2n ** 70n] });
  });

  it('does not change the message by an assignment to body', async () => {
    const exchange = exchangeOf('old');
    assert.equal(await value('body = "new"; body', exchange), 'new');
    assert.equal(exchange.body, 'old');
  });

  it('converts to the result type; is a predicate', async () => {
    assert.equal(await answerOf(ask('1 + 1', exchangeOf(null), { resultType: 'int' })), 'int(2)');
    const holds = js(scripts, { convert: (it) => it, isTrue: (it) => it === true }).predicate(
      expressionModel('js', 'body > 3'),
    );
    assert.equal(await answerOf(holds(exchangeOf(5))), true);
    assert.equal(await answerOf(holds(exchangeOf(1))), false);
  });

  it('fails one exchange alone: for what it throws, and where it is ended by time or memory', async () => {
    const [slow, fat, thrown, fine] = await Promise.all([
      failureOf(() => ask('for (;;);', exchangeOf(null))),
      failureOf(() => ask('const all = []; for (;;) all.push(new Array(10_000).fill(1))', exchangeOf(null))),
      failureOf(() => ask('\nnull.x', exchangeOf(null))),
      value('1'),
    ]);
    assert.deepEqual(failureTypes(slow), ['org.apache.camel.ExpressionEvaluationException']);
    assert.match(String(slow), /script took longer than 2000 ms/);
    assert.match(String(fat), /more than 64 MB of memory|script took longer/);
    assert.deepEqual(failureTypes(thrown), ['org.graalvm.polyglot.PolyglotException']);
    assert.match(String(thrown), /TypeError.*\(line 2 of the script\)/);
    assert.equal(fine, 1);
  });

  it('fails with a syntax error, and with a value that is too large or too deep', async () => {
    const message = async (source: string, exchange = exchangeOf(null)) =>
      ((await failureOf(() => ask(source, exchange))) as ExchangeFailure).message;
    assert.match(await message('let a = ;'), /SyntaxError/);
    assert.match(await message('"x".repeat(9_000_000)'), /at most 8388608 characters/);
    assert.match(await message('let a = []; for (let i = 0; i < 200; i++) a = [a]; a'), /at most 100 levels/);
    assert.match(await message('1', exchangeOf('x'.repeat(9_000_000))), /at most 8388608 characters of JSON/);
    let deep: unknown[] = [];
    for (let i = 0; i < 200; i++) deep = [deep];
    assert.match(await message('1', exchangeOf(deep)), /at most 100 levels/);
  });

  it('has no way to the host, and takes nothing on trust that a script makes of its world', async () => {
    for (const name of ['process', 'require', 'Java', 'fetch', 'globalThis.process']) {
      assert.equal(await value(`typeof ${name}`), 'undefined', name);
    }
    const exchange = exchangeOf('old');
    const thrown = await failureOf(() => ask('JSON.stringify = () => "{}"; 1', exchange));
    assert.match(String(thrown), /can be written as JSON/);
    const odd =
      'JSON.stringify = () => `{"result":1,"body":["x"],"headers":{"set":[["__proto__",{"@":["date","z"]}]],"removed":[7]},"properties":{"set":[],"removed":[]},"variables":{"set":[],"removed":[]}}`; 1';
    assert.equal(await value(odd, exchange), 1);
    assert.equal(exchange.body, 'x');
    assert.equal(({} as Record<string, unknown>).x, undefined);
  });

  it('refuses a script of a file by name', () => {
    assert.throws(() => ask('resource:classpath:a.js', exchangeOf(null)), /js in line 1: scripts of files/);
  });
});
