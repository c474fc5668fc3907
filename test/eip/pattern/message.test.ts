import assert from 'node:assert/strict';
import { Asked, type Exchange } from '../../../src/expression/routes.js';
import { routes } from '../support/routes.js';
import { boom, steps } from '../support/steps.js';

describe('steps that change the message', () => {
  it('setBody and transform put what the expression gives, and keep the headers', async () => {
    const tested = await steps(`
- setBody: { constant: one }
- to: { uri: "mock:a" }
- transform: { header: h }
- to: { uri: "mock:b" }`);
    await tested.send('direct:in', 'x', { h: 'two' });
    assert.deepEqual(tested.bodies('a'), ['one']);
    assert.deepEqual(tested.bodies('b'), ['two']);
    assert.equal(tested.mock('b').exchanges[0]?.headers.get('H'), 'two');
  });

  it('setHeader keeps the letter case that was first', async () => {
    const tested = await steps(`
- setHeader: { name: Content-Type, constant: a }
- setHeader: { name: content-type, simple: "\${header.CONTENT-TYPE}b" }`);
    assert.deepEqual([...(await tested.send('direct:in')).headers], [['Content-Type', 'ab']]);
  });

  it('setHeaders sets one after the other, and each sees those before it', async () => {
    const tested = await steps(`
- setHeaders:
    headers:
      - { name: a, constant: "1" }
      - { name: b, simple: "\${header.a}2" }`);
    assert.deepEqual(Object.fromEntries((await tested.send('direct:in')).headers), { a: '1', b: '12' });
  });

  it('setProperty to null takes it away', async () => {
    const tested = await steps(`
- setProperty: { name: p, constant: v }
- setProperty: { name: q, constant: v }
- setProperty: { name: q, header: none }`);
    const { properties } = await tested.send('direct:in');
    assert.equal(properties.get('p'), 'v');
    assert.equal(properties.has('q'), false);
  });

  it('setVariable has three scopes: the exchange, a route, all routes', async () => {
    const tested = await steps(`
- setVariable: { name: own, constant: a }
- setVariable: { name: "global:all", constant: b }
- setVariable: { name: "route:other:key", constant: c }
- setVariable: { name: "route:key", constant: d }
- setVariables: { variables: [{ name: x, constant: "1" }, { name: y, constant: "2" }] }`);
    const { variables } = await tested.send('direct:in');
    assert.deepEqual(Object.fromEntries(variables), { own: 'a', x: '1', y: '2' });
    assert.equal(tested.context.globalVariables.get('all'), 'b');
    assert.equal(tested.context.routeVariables('other').get('key'), 'c');
    assert.equal(tested.context.routeVariables('route1').get('key'), 'd');
  });

  it('a scope that is none is refused when the route is loaded', async () => {
    await assert.rejects(steps('- setVariable: { name: "galaxy:x", constant: a }'), /galaxy/);
  });

  it('removeHeader and removeHeaders take a name, a beginning or a regular expression, and leave what is excluded', async () => {
    const headers = { Accept: 1, CamelA: 2, CamelB: 3, camelC: 4, other: 5 };
    const left = async (yaml: string) => {
      const tested = await steps(yaml);
      return [...(await tested.send('direct:in', null, headers)).headers.names()];
    };
    assert.deepEqual(await left('- removeHeader: { name: ACCEPT }'), ['CamelA', 'CamelB', 'camelC', 'other']);
    assert.deepEqual(await left('- removeHeaders: { pattern: "Camel*" }'), ['Accept', 'other']);
    assert.deepEqual(await left('- removeHeaders: { pattern: "(Accept|other)" }'), ['CamelA', 'CamelB', 'camelC']);
    assert.deepEqual(await left('- removeHeaders: { pattern: "*", excludePattern: "CamelB" }'), ['CamelB']);
    assert.deepEqual(await left('- removeHeaders: { pattern: "*", excludePattern: "CamelB,oth*" }'), [
      'CamelB',
      'other',
    ]);
  });

  it('removeProperty, removeProperties and removeVariable do so with theirs', async () => {
    const tested = await steps(`
- setProperty: { name: a, constant: "1" }
- setProperty: { name: bb, constant: "2" }
- setProperty: { name: bc, constant: "3" }
- removeProperty: { name: a }
- removeProperties: { pattern: "b*", excludePattern: bc }
- setVariables: { variables: [{ name: x, constant: "1" }, { name: "global:x", constant: "2" }, { name: y, constant: "3" }] }
- removeVariable: { name: x }
- removeVariable: { name: "global:x" }`);
    const { properties, variables } = await tested.send('direct:in');
    assert.deepEqual(Object.fromEntries(properties), { bc: '3' });
    assert.deepEqual(Object.fromEntries(variables), { y: '3' });
    assert.equal(tested.context.globalVariables.size, 0);
  });

  it('setExchangePattern says whether an answer is wanted', async () => {
    const tested = await steps('- setExchangePattern: { pattern: InOnly }');
    assert.equal((await tested.send('direct:in')).pattern, 'InOnly');
  });

  it('sort puts the list into the body: by its natural order, of its expression, by a comparator', async () => {
    const descending = (one: number, other: number) => other - one;
    const tested = await steps(
      `
- sort: { simple: "\${body}" }
- to: { uri: "mock:natural" }
- sort: { simple: "\${body}", comparator: "#desc" }
- to: { uri: "mock:desc" }
`,
      { desc: descending },
    );
    await tested.send('direct:in', [10, 9, 11]);
    assert.deepEqual(tested.bodies('natural'), [[9, 10, 11]]);
    assert.deepEqual(tested.bodies('desc'), [[11, 10, 9]]);
    assert.match(
      String((await tested.send('direct:in', 'b,a,c')).exception),
      /NullPointerException: sort: expected a list/,
    );
  });

  it('what cannot be compared cannot be sorted', async () => {
    const tested = await steps('- sort: { simple: "${body}" }');
    assert.equal((await tested.send('direct:in', ['a', 1])).exception?.toString().includes('ClassCastException'), true);
  });

  it('script evaluates, and leaves the message', async () => {
    const tested = await steps('- script: { constant: other }');
    assert.equal((await tested.send('direct:in', 'x')).body, 'x');
  });

  it('process runs a bean: a function, or its method process, and waits for what it asks', async () => {
    const tested = await steps('- process: { ref: "#now" }\n- process: { ref: later }', {
      now: (exchange: Exchange) => {
        exchange.body = `${String(exchange.body)} now`;
      },
      later: {
        process: (exchange: Exchange) =>
          new Asked(
            Promise.resolve().then(() => {
              exchange.body = `${String(exchange.body)} later`;
            }),
          ),
      },
    });
    assert.equal((await tested.send('direct:in', 'x')).body, 'x now later');
    await assert.rejects(steps('- process: { ref: nobody }'), /No bean could be found in the registry for: nobody/);
  });

  it('validate fails with the predicate where it does not hold', async () => {
    const tested = await steps(`- validate: { simple: "\${body} == 'yes'" }\n- to: { uri: "mock:out" }`);
    await tested.send('direct:in', 'yes');
    const { exception } = await tested.send('direct:in', 'no');
    assert.deepEqual(tested.bodies('out'), ['yes']);
    assert.match(
      String(exception),
      /PredicateValidationException: Validation failed for Predicate\[\$\{body\} == 'yes'\]. Exchange\[exchange-\d+\]/,
    );
  });

  it('log writes with level, logger and marker, and the route is the logger else', async () => {
    const tested = await steps(`
- log: "got \${body}"
- log: { message: "\${body}", loggingLevel: WARN, logName: shop, marker: "M" }
- log: { message: "h", logLanguage: header }
- log: { message: "never", loggingLevel: "OFF" }`);
    await tested.send('direct:in', 'x', { h: 'of header' });
    assert.deepEqual(
      tested.logged.map(({ level, logger, message, marker }) => [level, logger, message, marker]),
      [
        ['INFO', 'route1', 'got x', undefined],
        ['WARN', 'shop', 'x', 'M'],
        ['INFO', 'route1', 'of header', undefined],
      ],
    );
  });

  it('pipeline and step take their steps as they stand', async () => {
    const tested = await steps(`
- pipeline: { steps: [{ setBody: { constant: a } }] }
- step: { steps: [{ setHeader: { name: h, constant: b } }] }`);
    const { body, headers } = await tested.send('direct:in');
    assert.deepEqual([body, headers.get('h')], ['a', 'b']);
  });

  it('stepId is the id of the step that it is within', async () => {
    const tested = await steps(`
- step:
    id: outer
    steps:
      - step: { id: inner, steps: [{ setHeader: { name: a, simple: "\${stepId}" } }] }
      - setHeader: { name: b, simple: "\${stepId}" }
- setHeader: { name: c, simple: "\${stepId}" }`);
    const { headers } = await tested.send('direct:in');
    assert.deepEqual(
      ['a', 'b', 'c'].map((it) => headers.get(it)),
      ['inner', 'outer', null],
    );
  });

  it('names with ${…} are computed for each exchange', async () => {
    const tested = await steps(`
- setHeaders: { headers: [{ name: "h-\${body}", constant: 1 }] }
- setProperty: { name: "p-\${body}", constant: 2 }
- setVariable: { name: "v-\${body}", constant: 3 }
- convertHeaderTo: { name: "h-\${body}", type: int, toName: "i-\${body}" }
- convertVariableTo: { name: "v-\${body}", type: int }
- setVariable: { name: w-x, constant: 4 }
- removeVariable: { name: "w-\${body}" }`);
    const { headers, properties, variables } = await tested.send('direct:in', 'x');
    assert.deepEqual(
      [...headers],
      [
        ['h-x', '1'],
        ['i-x', 1],
      ],
    );
    assert.deepEqual([properties.get('p-x'), ...variables], ['2', ['v-x', 3]]);
  });
});

describe('convertBodyTo, convertHeaderTo and convertVariableTo', () => {
  it('convert the body, a header, a variable; into another one, where toName says so', async () => {
    const tested = await steps(`
- convertBodyTo: { type: int }
- convertHeaderTo: { name: h, type: Boolean }
- convertHeaderTo: { name: n, type: java.lang.Long, toName: m }
- setVariable: { name: v, constant: "2.5" }
- convertVariableTo: { name: v, type: double, toName: "global:w" }`);
    const { body, headers } = await tested.send('direct:in', '42', { h: 'true', n: '7' });
    assert.deepEqual([body, ...headers], [42, ['h', true], ['n', '7'], ['m', 7]]);
    assert.equal(tested.context.globalVariables.get('w'), 2.5);
  });

  it('charset says what bytes are in', async () => {
    const tested = await steps(
      '- convertBodyTo: { type: "byte[]", charset: ISO-8859-1 }\n- to: { uri: "mock:out" }\n- convertBodyTo: { type: String, charset: iso-8859-1 }',
    );
    const { body } = await tested.send('direct:in', 'ä');
    assert.deepEqual([Buffer.from(tested.bodies('out')[0] as Uint8Array).length, body], [1, 'ä']);
    await assert.rejects(steps('- convertBodyTo: { type: String, charset: EBCDIC }'), /expected charset to be one of/);
  });

  it('what cannot be converted fails; with mandatory: false it is null; where there is nothing, nothing happens', async () => {
    const tested = await steps('- convertBodyTo: { type: "java.util.Date" }');
    const failed = (await tested.send('direct:in', true)).exception;
    assert.match(
      String(failed),
      /InvalidPayloadException: No body available of type: java.util.Date but has type: java.lang.Boolean/,
    );
    assert.match(String((failed as Error).cause), /NoTypeConversionAvailableException/);
    const header = await steps('- convertHeaderTo: { name: h, type: int }');
    assert.match(String((await header.send('direct:in', 'x', { h: 'x' })).exception), /TypeConversionException/);
    assert.equal((await tested.send('direct:in', null)).exception, undefined);
    const lenient = await steps('- convertBodyTo: { type: "java.util.Date", mandatory: false }');
    const { body, exception } = await lenient.send('direct:in', true);
    assert.deepEqual([body, exception], [null, undefined]);
  });

  it('a type that is none is refused when the route is loaded', async () => {
    await assert.rejects(steps('- convertBodyTo: { type: com.acme.Order }'), /com\.acme\.Order/);
  });
});

describe('to', () => {
  const ANSWER =
    '\n- from: { uri: "direct:answer", steps: [{ setBody: { simple: "re ${body}" } }, { setHeader: { name: h, constant: new } }] }';

  it('goes on with what the endpoint made of it', async () => {
    const tested = await steps('- to: { uri: "direct:answer" }', {}, ANSWER);
    assert.equal((await tested.send('direct:in', 'x')).body, 're x');
  });

  it('variableSend sends the variable as the body', async () => {
    const tested = await steps(
      '- setVariable: { name: v, constant: var }\n- to: { uri: "direct:answer", variableSend: v }',
      {},
      ANSWER,
    );
    assert.equal((await tested.send('direct:in', 'x')).body, 're var');
  });

  it('variableReceive puts the answer with its headers there, and the message stays', async () => {
    const tested = await steps('- to: { uri: "direct:answer", variableReceive: "global:v" }', {}, ANSWER);
    const { body, headers } = await tested.send('direct:in', 'x', { h: 'old' });
    assert.deepEqual([body, headers.get('h')], ['x', 'old']);
    assert.deepEqual(Object.fromEntries(tested.context.globalVariables), { v: 're x', 'header:v.h': 'new' });
  });

  it('pattern holds for that endpoint alone', async () => {
    const tested = await steps('- to: { uri: "mock:out", pattern: InOnly }');
    assert.equal((await tested.send('direct:in')).pattern, 'InOut');
    assert.equal(tested.mock('out').exchanges[0]?.pattern, 'InOnly');
  });
});

describe('toD', () => {
  it('sends to the endpoint that the expression in its URI gives', async () => {
    const tested = await steps('- toD: { uri: "mock:${header.to}" }');
    await tested.send('direct:in', 1, { to: 'a' });
    await tested.send('direct:in', 2, { to: 'b' });
    assert.deepEqual([tested.bodies('a'), tested.bodies('b')], [[1], [2]]);
  });

  it('takes parameters, variables and a pattern as to does', async () => {
    const tested = await steps(
      '- toD: { uri: "mock:${header.to}", parameters: { retainFirst: 1 }, pattern: InOnly, variableReceive: v }',
    );
    const { variables } = await tested.send('direct:in', 'x', { to: 'a' });
    assert.deepEqual(
      [...variables],
      [
        ['v', 'x'],
        ['header:v.to', 'a'],
      ],
    );
    assert.equal(tested.mock('a').exchanges[0]?.pattern, 'InOnly');
  });

  it('an endpoint that is none fails the exchange, or is ignored', async () => {
    const fails = await steps('- toD: { uri: "nonsense:${header.to}" }');
    assert.match(String((await fails.send('direct:in')).exception), /ResolveEndpointFailedException/);
    const ignores = await steps('- toD: { uri: "nonsense:${header.to}", ignoreInvalidEndpoint: true }');
    assert.equal((await ignores.send('direct:in')).exception, undefined);
  });

  it('allowedSchemes keeps it from others', async () => {
    const tested = await steps('- toD: { uri: "${body}", allowedSchemes: "mock,direct" }');
    assert.equal((await tested.send('direct:in', 'mock:a')).exception, undefined);
    assert.match(
      String((await tested.send('direct:in', 'file:/etc')).exception),
      /the scheme file is none of mock, direct/,
    );
  });
});

describe('filter and choice', () => {
  it('filter tells by the property that it names whether it matched, and what follows is reached in both cases', async () => {
    const tested = await steps(`
- filter: { simple: "\${body} == 'a'", statusPropertyName: was, steps: [{ to: { uri: "mock:in" } }] }
- to: { uri: "mock:out" }`);
    await tested.send('direct:in', 'a');
    await tested.send('direct:in', 'b');
    assert.deepEqual([tested.bodies('in'), tested.bodies('out')], [['a'], ['a', 'b']]);
    const status = tested
      .mock('out')
      .exchanges.map(({ properties }) => [properties.get('was'), properties.get('CamelFilterMatched')]);
    assert.deepEqual(status, [
      [true, undefined],
      [false, undefined],
    ]);
  });

  it('a choice without a branch that holds goes on', async () => {
    const tested = await steps(
      `- choice: { when: [{ simple: "\${body} == 'a'", steps: [{ setBody: { constant: b } }] }] }`,
    );
    assert.equal((await tested.send('direct:in', 'x')).body, 'x');
  });

  it('precondition decides when the route is loaded, and the others are not even compiled', async () => {
    const tested = await routes(
      `
- from:
    uri: direct:in
    steps:
      - choice:
          precondition: true
          when:
            - { constant: "{{red}}", steps: [{ process: { ref: nobody } }] }
            - { constant: "{{blue}}", steps: [{ setBody: { constant: blue } }] }
          otherwise: { steps: [{ setBody: { constant: other } }] }`,
      { red: 'false', blue: 'true' },
    );
    assert.equal((await tested.send('direct:in')).body, 'blue');
  });
});

describe('loop', () => {
  const COUNT = '{ setBody: { simple: "${body}${exchangeProperty.CamelLoopIndex}" } }';

  it('goes round so often, and tells the index and the size', async () => {
    const tested = await steps(`- loop: { constant: "3", steps: [${COUNT}] }`);
    const { body, properties } = await tested.send('direct:in', 'x');
    assert.deepEqual([body, properties.get('CamelLoopSize')], ['x012', 3]);
  });

  it('copy begins each round with the message as it was before', async () => {
    const tested = await steps(`- loop: { constant: "3", copy: true, steps: [${COUNT}, { to: { uri: "mock:out" } }] }`);
    assert.equal((await tested.send('direct:in', 'x')).body, 'x2');
    assert.deepEqual(tested.bodies('out'), ['x0', 'x1', 'x2']);
  });

  it('doWhile goes on while the predicate holds', async () => {
    const tested = await steps(
      `- loop: { simple: "\${body} < 3", doWhile: true, steps: [{ process: { ref: more } }] }`,
      {
        more: (exchange: Exchange) => {
          exchange.body = Number(exchange.body) + 1;
        },
      },
    );
    assert.equal((await tested.send('direct:in', 0)).body, 3);
  });

  it('goes round a hundred thousand times without growing the stack, also where it waits', async () => {
    const tested = await steps('- loop: { constant: "100000", steps: [{ setHeader: { name: h, constant: x } }] }');
    assert.equal((await tested.send('direct:in')).properties.get('CamelLoopIndex'), 99_999);
    const waiting = await steps('- loop: { constant: "300", steps: [{ delay: { constant: "1000" } }] }');
    const sent = waiting.send('direct:in');
    await waiting.time.advance(300_000);
    assert.equal((await sent).properties.get('CamelLoopIndex'), 299);
  });

  it('onPrepare changes each round', async () => {
    const tested = await steps('- loop: { constant: "2", onPrepare: "#p", steps: [{ to: { uri: "mock:out" } }] }', {
      p: (exchange: Exchange) => {
        exchange.body = `${String(exchange.body)}!`;
      },
    });
    await tested.send('direct:in', 'x');
    assert.deepEqual(tested.bodies('out'), ['x!', 'x!!']);
  });

  it('a count that is none fails', async () => {
    const tested = await steps('- loop: { constant: "many", steps: [{ setBody: { constant: x } }] }');
    assert.match(
      String((await tested.send('direct:in')).exception),
      /TypeConversionException: .*java\.lang\.Integer with value many/,
    );
  });

  it('ends with what a round throws', async () => {
    const tested = await steps(
      '- loop: { constant: "3", copy: true, steps: [{ to: { uri: "mock:out" } }, { process: { ref: boom } }] }',
      { boom },
    );
    assert.match(String((await tested.send('direct:in', 'x')).exception), /boom x/);
    assert.equal(tested.mock('out').counter, 1);
  });
});

describe('delay', () => {
  it('goes on after so many ms of the domain clock, and at once where that is not above 0', async () => {
    const tested = await steps('- delay: { header: ms, asyncDelayed: true }\n- to: { uri: "mock:out" }');
    await tested.send('direct:in', 'none');
    await tested.send('direct:in', 'zero', { ms: 0 });
    const late = tested.send('direct:in', 'late', { ms: '1500' });
    await tested.time.advance(1499);
    assert.deepEqual(tested.bodies('out'), ['none', 'zero']);
    await tested.time.advance(1);
    await late;
    assert.deepEqual(tested.bodies('out'), ['none', 'zero', 'late']);
  });
});
