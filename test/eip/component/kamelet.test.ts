import assert from 'node:assert/strict';
import { failureType } from '../../../src/expression/routes.js';
import { Routes } from '../support/routes.js';

/** A template with its parameters, as a Kamelet's file has it. */
const kamelet = (name: string, properties: string, template: string, required = '') => `
apiVersion: camel.apache.org/v1
kind: Kamelet
metadata: { name: ${name} }
spec:
  definition: { title: ${name}, type: object, required: [${required}], properties: { ${properties} } }
  template:
${template.replace(/^/gm, '    ')}
`;

const SHOUT = kamelet(
  'shout-action',
  'sign: { type: string, default: "!" }, word: { type: string }',
  `from:
  uri: kamelet:source
  steps:
    - setBody: { simple: "{{word}} \${body}{{sign}}" }`,
  'word',
);
const TICKS = kamelet(
  'tick-source',
  'message: { type: string }, period: { type: integer, default: 1000 }',
  `from:
  uri: timer:tick
  parameters: { period: "{{period}}", delay: 0 }
  steps:
    - setBody: { constant: "{{message}}" }
    - to: kamelet:sink`,
);
const WRAP = kamelet(
  'wrap-action',
  '',
  `from:
  uri: kamelet:source
  steps:
    - setHeader: { name: before, constant: yes }
    - to: kamelet:sink
    - setHeader: { name: after, simple: "\${body}" }`,
);

async function started(
  kamelets: readonly string[],
  yaml: string,
  properties: Record<string, string> = {},
): Promise<Routes> {
  const tested = new Routes(properties);
  for (const [index, text] of kamelets.entries()) tested.share(`${index}.kamelet.yaml`, text);
  return tested.start(yaml);
}
const route = (...steps: string[]) =>
  `- from: { uri: "direct:in", steps: [${steps.map((step) => `{ ${step} }`).join(', ')}] }`;
const body = async (tested: Routes, given: unknown = 'you') => (await tested.send('direct:in', given)).body;

describe('kamelet', () => {
  it('has its steps in the place of an endpoint, with parameters and their defaults', async () => {
    assert.equal(await body(await started([SHOUT], route('to: { uri: "kamelet:shout-action?word=Hi" }'))), 'Hi you!');
    const given = 'to: { uri: "kamelet:shout-action/mine", parameters: { word: "{{greeting}}", sign: "?" } }';
    assert.equal(await body(await started([SHOUT], route(given), { greeting: 'Good day' })), 'Good day you?');
    const twice = route(
      'to: { uri: "kamelet:shout-action?word=a" }',
      'toD: { uri: "kamelet:shout-action?word=${body}" }',
    );
    assert.equal(await body(await started([SHOUT], twice), 'x'), 'a x! a x!!');
  });

  it('takes parameters from properties where its caller gives none', async () => {
    const named = { 'camel.kamelet.shout-action.word': 'all', 'camel.kamelet.shout-action.mine.word': 'mine' };
    const of = (uri: string) => started([SHOUT], route(`to: { uri: "${uri}" }`), named).then((it) => body(it));
    assert.equal(await of('kamelet:shout-action'), 'all you!');
    assert.equal(await of('kamelet:shout-action/mine'), 'mine you!');
    assert.equal(await of('kamelet:shout-action/mine?word=own'), 'own you!');
  });

  it('is where a route begins, when its template begins elsewhere', async () => {
    const tested = await started(
      [TICKS],
      '- from: { uri: "kamelet:tick-source?message=hey&period=500", steps: [{ to: { uri: "mock:out" } }] }',
    );
    await tested.time.advance(1000);
    assert.deepEqual(tested.bodies('out'), ['hey', 'hey', 'hey']);
    await tested.runtime.stop('route1', { timeoutMs: 0 });
    await tested.time.advance(1000);
    assert.equal(tested.mock('out').counter, 3);
  });

  it('as a step has its block where the template says kamelet:sink, or nothing', async () => {
    const block = 'kamelet: { name: wrap-action, steps: [{ setBody: { simple: "<${body}>" } }] }';
    const { headers } = await (await started([WRAP], route(block))).send('direct:in', 'x');
    assert.deepEqual([headers.get('before'), headers.get('after')], ['yes', '<x>']);
    const empty = 'kamelet: { name: "shout-action", parameters: { word: Oh } }';
    assert.equal(await body(await started([SHOUT], route(empty))), 'Oh you!');
    const sink = await (await started([WRAP], route('to: { uri: "kamelet:wrap-action" }'))).send('direct:in');
    assert.equal(
      failureType(sink.exception),
      'org.apache.camel.component.kamelet.KameletConsumerNotAvailableException',
    );
  });

  it('calls other ones, but not itself', async () => {
    const outer = kamelet(
      'outer-action',
      '',
      'from: { uri: "kamelet:source", steps: [{ to: { uri: "kamelet:shout-action?word=in" } }] }',
    );
    assert.equal(await body(await started([SHOUT, outer], route('to: { uri: "kamelet:outer-action" }'))), 'in you!');
    const endless = kamelet(
      'endless-action',
      '',
      'from: { uri: "kamelet:source", steps: [{ to: { uri: "kamelet:endless-action" } }] }',
    );
    await assert.rejects(started([endless], route('to: { uri: "kamelet:endless-action" }')), /stands within itself/);
  });

  const FAILS = kamelet(
    'failing-action',
    '',
    `from:
  uri: kamelet:source
  steps:
    - to: mock:tried
    - throwException: { exceptionType: java.io.IOException, message: away }`,
  );
  const handler =
    '- errorHandler: { deadLetterChannel: { deadLetterUri: "mock:dead", redeliveryPolicy: { maximumRedeliveries: 2, redeliveryDelay: 10 } } }\n';

  it('has the error handling of its caller for each of its steps, or is tried again as a whole', async () => {
    for (const [uri, tries] of [
      ['kamelet:failing-action', 1],
      ['kamelet:failing-action?noErrorHandler=true', 3],
    ] as const) {
      const tested = await started([FAILS], handler + route(`to: { uri: "${uri}" }`, 'to: { uri: "mock:behind" }'));
      const sent = tested.send('direct:in');
      await tested.time.advance(1000);
      await sent;
      const counts = ['tried', 'dead', 'behind'].map((name) => tested.mock(name).counter);
      assert.deepEqual(counts, [tries, 1, 0], uri);
    }
  });

  it('keeps what it gathers for each use, and gives it out when its route stops', async () => {
    const gather = kamelet(
      'gather-action',
      'size: { type: integer, default: 2 }',
      `from:
  uri: kamelet:source
  steps:
    - aggregate:
        correlationExpression: { constant: all }
        completionSize: "{{size}}"
        forceCompletionOnStop: true
        aggregationStrategy: "#class:org.apache.camel.processor.aggregate.GroupedBodyAggregationStrategy"
        steps: [{ to: "mock:groups" }]`,
    );
    const tested = await started([gather], route('to: { uri: "kamelet:gather-action?size=3" }'));
    for (const given of ['a', 'b']) await tested.send('direct:in', given);
    assert.equal(tested.mock('groups').counter, 0);
    await tested.runtime.stop('route1', { timeoutMs: 0 });
    assert.deepEqual(tested.bodies('groups'), [['a', 'b']]);
  });

  it('has beans of its own for each use', async () => {
    const counting = `- routeTemplate:
    id: counting-action
    beans: [{ name: counter, type: java.util.concurrent.atomic.AtomicInteger }]
    from:
      uri: kamelet:source
      steps:
        - bean: { ref: "{{counter}}", method: incrementAndGet }
`;
    const uses = route(
      'to: { uri: "kamelet:counting-action" }',
      'setHeader: { name: one, simple: "${body}" }',
      'to: { uri: "kamelet:counting-action" }',
    );
    const tested = await started([], counting + uses);
    await tested.send('direct:in');
    const { body: other, headers } = await tested.send('direct:in');
    assert.deepEqual([headers.get('one'), other], [2, 2]);
  });

  it('that is not there, lacks a parameter, or begins elsewhere keeps its route from starting', async () => {
    const uri = (text: string) => started([SHOUT, TICKS], route(`to: { uri: "${text}" }`));
    await assert.rejects(uri('kamelet:nobody'), /KameletNotFoundException: Kamelet with id nobody not found/);
    await assert.rejects(uri('kamelet:shout-action'), /'shout-action' needs a value of its parameter 'word'/);
    await assert.rejects(uri('kamelet:shout-action?word=a&sing=b'), /'shout-action' has no parameter 'sing'/);
    await assert.rejects(uri('kamelet:tick-source?message=x'), /begins at timer:tick, not at kamelet:source/);
    const from = '- from: { uri: "kamelet:shout-action?word=a", steps: [{ log: a }] }';
    await assert.rejects(started([SHOUT], from), /no route can begin at kamelet:shout-action/);
  });
});
