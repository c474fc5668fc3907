import assert from 'node:assert/strict';
import { readYaml } from '../../../src/eip/model/read-routes.js';
import type { RouteModel } from '../../../src/eip/model/route-model.js';

const fileOf = (yaml: string) => {
  const { file, errors } = readYaml(yaml, { name: 'orders' });
  assert.deepEqual(errors, []);
  assert.ok(file);
  return file;
};
const routeOf = (yaml: string): RouteModel => fileOf(yaml).routes[0] ?? assert.fail('no route');
/** A route of these steps. */
const stepsOf = (steps: string) => routeOf(`- from:\n    uri: direct:a\n    steps:\n${indented(steps)}`).steps;
const indented = (text: string) => text.replace(/^(?=.)/gm, '      ');
const stepOf = (step: string) => stepsOf(step)[0] ?? assert.fail('no step');
const expression = (step: string, name = 'expression') => {
  const { language, text, options } = stepOf(step).expressions[name] ?? assert.fail('no expression');
  return { language, text, ...options };
};

describe('routes in YAML', () => {
  it('have an id, options, a beginning and steps', () => {
    const route = routeOf(`
- route:
    id: in
    autoStartup: false
    startupOrder: "{{order}}"
    from:
      uri: timer:tick
      parameters: { period: 1000 }
      steps:
        - to: mock:a
`);
    const { at, steps, from, scoped, ...rest } = route;
    assert.deepEqual(rest, { id: 'in', isIdGiven: true, options: { autoStartup: false, startupOrder: '{{order}}' } });
    assert.deepEqual(at, { line: 2, column: 3 });
    assert.deepEqual(from, {
      at: { line: 6, column: 5 },
      uri: 'timer:tick',
      parameters: { period: 1000 },
      options: {},
    });
    assert.deepEqual(
      steps.map(({ kind, id, at: place }) => [kind, id, place.line]),
      [['to', 'to1', 10]],
    );
    assert.equal(scoped.errorHandler, undefined);
  });

  it('are named by file and place, where they have no id', () => {
    const { routes } = fileOf(
      '- from: {uri: direct:a, steps: []}\n- route: {id: b, from: {uri: direct:b, steps: []}}\n- from: {uri: direct:c, steps: []}',
    );
    assert.deepEqual(
      routes.map(({ id, isIdGiven }) => [id, isIdGiven]),
      [
        ['orders-1', false],
        ['b', true],
        ['orders-3', false],
      ],
    );
  });

  it('have steps with ids of their kind and number, in the order of the file', () => {
    const [first, choice, last] = stepsOf(`
- to: mock:a
- choice:
    when:
      - simple: "\${body} == 'a'"
        steps: [{ to: mock:b }]
      - header: b
        steps: [{ to: { id: mine, uri: mock:c } }]
    otherwise:
      steps: [{ to: mock:d }]
- to: mock:e
`);
    assert.deepEqual([first?.id, choice?.id, last?.id], ['to1', 'choice1', 'to4']);
    const branches = [...(choice?.parts.when ?? []), ...(choice?.parts.otherwise ?? [])];
    assert.deepEqual(
      branches.map(({ kind, id, expressions, steps }) => [kind, id, expressions.expression?.text, steps[0]?.id]),
      [
        ['when', 'when1', "${body} == 'a'", 'to2'],
        ['when', 'when2', 'b', 'mine'],
        ['otherwise', 'otherwise1', undefined, 'to3'],
      ],
    );
  });

  const expressions: [step: string, expected: Record<string, unknown>, name?: string][] = [
    ['- setBody: {simple: hi}', { language: 'simple', text: 'hi' }],
    ['- setBody: {expression: {simple: hi}}', { language: 'simple', text: 'hi' }],
    ['- setBody: {simple: {expression: hi, trim: false}}', { language: 'simple', text: 'hi', trim: false }],
    ['- setBody: {constant: 1.0}', { language: 'constant', text: '1.0' }],
    ['- setBody: {exchange-property: a}', { language: 'exchangeProperty', text: 'a' }],
    ['- set-body: {language: {language: jq, expression: .a}}', { language: 'jq', text: '.a' }],
    ['- setBody: {method: {ref: b, method: go}}', { language: 'method', text: 'b', ref: 'b', method: 'go' }],
    [
      '- split: {tokenize: {token: ",", trim: "false"}, steps: [{stop: {}}]}',
      { language: 'tokenize', text: ',', token: ',', trim: false },
    ],
    [
      '- throttle: {constant: 5, correlationExpression: {header: a}}',
      { language: 'header', text: 'a' },
      'correlationExpression',
    ],
    [
      '- loadBalance: {stickyLoadBalancer: {correlationExpression: {header: a}}, steps: []}',
      { language: 'header', text: 'a' },
      'stickyLoadBalancer.correlationExpression',
    ],
  ];
  for (const [step, expected, name] of expressions)
    it(`have the expression of ${step}`, () => assert.deepEqual(expression(step, name), expected));

  const options: [step: string, expected: unknown][] = [
    ['- to: direct:b', { uri: 'direct:b' }],
    ['- to: {uri: log, parameters: {showAll: true, x: 007}}', { uri: 'log', parameters: { showAll: true, x: 7 } }],
    ['- log: hi', { message: 'hi' }],
    ['- log: {message: hi, loggingLevel: warn}', { message: 'hi', loggingLevel: 'WARN' }],
    ['- removeHeaders: "*"', { pattern: '*' }],
    ['- stop', {}],
    ['- stop:', {}],
    ['- marshal: {json: {}}', { json: {} }],
    ['- unmarshal: {csv: {useMaps: "true"}}', { csv: { useMaps: true } }],
    ['- delay: {constant: 1, asyncDelayed: "{{async}}"}', { asyncDelayed: '{{async}}' }],
    ['- threads: {poolSize: "5", maxPoolSize: 7}', { poolSize: 5, maxPoolSize: 7 }],
  ];
  for (const [step, expected] of options)
    it(`have the options of ${step}`, () => {
      assert.deepEqual(stepOf(step).options, expected);
    });

  it('take the steps behind a block without steps as its own', () => {
    const [filter, ...others] = stepsOf('- filter: {simple: a}\n- to: mock:a\n- split: {simple: b}\n- to: mock:b');
    assert.equal(others.length, 0);
    assert.deepEqual(
      filter?.steps.map(({ kind, steps }) => [kind, steps.length]),
      [
        ['to', 0],
        ['split', 1],
      ],
    );
  });

  it('catch what fails, each part with its steps', () => {
    const step = stepOf(`
- doTry:
    steps: [{ to: mock:a }]
    doCatch:
      - exception: [java.io.IOException, java.lang.IllegalStateException]
        onWhen: { simple: "\${header.a}" }
        steps: [{ to: mock:b }]
    doFinally:
      steps: [{ to: mock:c }]
`);
    const [caught] = step.parts.doCatch ?? [];
    assert.deepEqual(caught?.options.exception, ['java.io.IOException', 'java.lang.IllegalStateException']);
    assert.equal(caught?.expressions.onWhen?.text, '${header.a}');
    assert.deepEqual(
      [step.steps[0]?.id, caught?.steps[0]?.id, step.parts.doFinally?.[0]?.steps[0]?.id],
      ['to1', 'to2', 'to3'],
    );
  });

  it('have headers, each with its expression', () => {
    const step = stepOf('- setHeaders: {headers: [{name: a, constant: 1}, {name: b, simple: "${body}"}]}');
    assert.deepEqual(
      step.parts.headers?.map(({ kind, options, expressions }) => [kind, options.name, expressions.expression?.text]),
      [
        ['setHeader', 'a', '1'],
        ['setHeader', 'b', '${body}'],
      ],
    );
  });

  it('have what holds for the whole file, a configuration or one route', () => {
    const file = fileOf(`
- errorHandler: { deadLetterChannel: { deadLetterUri: mock:dead, redeliveryPolicy: { maximumRedeliveries: 3 } } }
- onException: { exception: [java.lang.Exception], handled: { constant: true }, steps: [{ to: mock:a }] }
- interceptFrom: "direct:*"
- routeConfiguration:
    id: quiet
    errorHandler: { noErrorHandler: {} }
    onCompletion: [{ onCompletion: { mode: BeforeConsumer, steps: [] } }]
- route: { errorHandler: { deadLetterChannel: { deadLetterUri: mine } }, from: { uri: direct:a, steps: [] } }
`);
    const { errorHandler, onException, interceptFrom } = file.scoped;
    assert.deepEqual(errorHandler?.options, {
      deadLetterUri: 'mock:dead',
      redeliveryPolicy: { maximumRedeliveries: 3 },
    });
    assert.equal(onException[0]?.expressions.handled?.text, 'true');
    assert.equal(interceptFrom[0]?.options.uri, 'direct:*');
    const [configuration] = file.configurations;
    assert.deepEqual([configuration?.id, configuration?.scoped.errorHandler?.kind], ['quiet', 'noErrorHandler']);
    assert.equal(configuration?.scoped.onCompletion[0]?.options.mode, 'BeforeConsumer');
    assert.deepEqual(file.routes[0]?.scoped.errorHandler?.options, { deadLetterUri: 'mine' });
  });

  it('have templates, what is made of them, rests, beans and data formats', () => {
    const file = fileOf(`
- routeTemplate:
    id: tick
    parameters: [{ name: period, defaultValue: 5 }, { name: name }, { name: x, required: false }]
    beans: [{ name: b, type: "#class:a.B", properties: { c: { d: 1 } } }]
    from: { uri: "timer:{{name}}?period={{period}}", steps: [{ to: mock:a }] }
- templatedRoute: { routeTemplateRef: tick, routeId: one, parameters: [{ name: name, value: n }] }
- rest: { path: /a, get: [{ path: /b, to: direct:b }], post: [{ to: { uri: direct:c } }] }
- restConfiguration: { bindingMode: json }
- beans: [{ name: d, type: a.C, scriptLanguage: js, script: "1" }]
- dataFormats: [{ json: { id: j, library: Jackson } }]
`);
    const [template] = file.templates;
    assert.deepEqual(template?.parameters, [
      { name: 'period', required: false, defaultValue: '5' },
      { name: 'name', required: true },
      { name: 'x', required: false },
    ]);
    assert.deepEqual(template?.beans[0]?.options, { name: 'b', type: '#class:a.B', properties: { c: { d: 1 } } });
    assert.equal(template?.route.from.uri, 'timer:{{name}}?period={{period}}');
    assert.deepEqual(file.templatedRoutes[0]?.parameters, { name: 'n' });
    assert.deepEqual(file.rests[0]?.options, {
      path: '/a',
      get: [{ path: '/b', to: { uri: 'direct:b' } }],
      post: [{ to: { uri: 'direct:c' } }],
    });
    assert.deepEqual(file.restConfiguration?.options, { bindingMode: 'json' });
    assert.equal(file.beans[0]?.options.script, '1');
    assert.deepEqual(file.dataFormats[0], {
      kind: 'json',
      at: { line: 11, column: 19 },
      options: { id: 'j', library: 'Jackson' },
      expressions: {},
    });
  });

  it('are found in what Kubernetes wraps them in', () => {
    const kamelet = fileOf(`
apiVersion: camel.apache.org/v1
kind: Kamelet
metadata: { name: log-sink }
spec:
  definition:
    required: [level]
    properties: { level: { type: string }, size: { type: integer, default: 5, description: How much } }
  template:
    from: { uri: "kamelet:source", steps: [{ to: "log:a?level={{level}}" }] }
`);
    assert.deepEqual(kamelet.templates[0]?.id, 'log-sink');
    assert.deepEqual(kamelet.templates[0]?.parameters, [
      { name: 'level', required: true },
      { name: 'size', required: false, defaultValue: '5', description: 'How much' },
    ]);
    const integration = fileOf('kind: Integration\nspec: { flows: [{ from: { uri: direct:a, steps: [] } }] }');
    assert.equal(integration.routes.length, 1);
  });

  it('may have their steps beside their beginning', () => {
    const route = routeOf('- route: {from: {uri: direct:a}, steps: [{to: mock:a}]}');
    assert.deepEqual(
      route.steps.map(({ id }) => id),
      ['to1'],
    );
  });

  it('may repeat what an anchor names', () =>
    assert.deepEqual(
      stepsOf('- to: &there {uri: mock:a}\n- to: *there').map(({ options }) => options.uri),
      ['mock:a', 'mock:a'],
    ));
});
