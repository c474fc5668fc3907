import assert from 'node:assert/strict';
import {
  decisionDefinitions,
  decisionInstances,
  decisionModels,
  processInstances,
  runs,
} from '../../../src/engine/collections.js';
import { DecisionThreads } from '../../../src/engine/decision/decision-threads.js';
import type { LongDecision } from '../../../src/engine/element/decision-task.js';
import { bpmn, element, extended, flow, flows, line } from '../../support/bpmn.js';
import { decision, dmn, literal, table } from '../../support/dmn.js';
import { admin, ann, bob, EngineHarness } from '../../support/engine-harness.js';

const discount = (rate: string, attributes = '') =>
  dmn(
    decision(
      'discount',
      table({
        inputs: { amount: 'integer' },
        outputs: { rate: 'double' },
        policy: 'hitPolicy="FIRST"',
        rules: [
          ['> 100', rate],
          ['-', '0'],
        ],
      }),
      {
        attributes,
      },
    ),
  );

const task = (attributes: Record<string, string> = {}, content = '') =>
  bpmn(
    line(
      ['d', 'wait'],
      element(
        'businessRuleTask',
        'd',
        { 'camunda:decisionRef': 'discount', 'camunda:resultVariable': 'r', ...attributes },
        content,
      ) + element('userTask', 'wait'),
    ),
  );

/** What takes long, and scripts, are evaluated in threads. */
const threads = new DecisionThreads();
after(() => threads.close());

function engine(): EngineHarness {
  const decision = (asked: unknown) => {
    const question = asked as LongDecision;
    const model = it.decisions.known(question.modelId) ?? assert.fail(`no model '${question.modelId}'`);
    return threads.answer({ kind: 'decision', question, model });
  };
  const it: EngineHarness = new EngineHarness({ evaluators: { decision } });
  return it;
}

function assertReplays(it: EngineHarness, id: string): void {
  const { stored, again } = it.replayed(id);
  assert.deepEqual(again, stored);
}

/** An engine with a decision and the process `p`. */
async function deployed(model = task(), decisions: readonly string[] = [discount('0.5')]): Promise<EngineHarness> {
  const it = engine();
  for (const content of decisions) await deployDmn(it, content);
  await it.deploy(model);
  return it;
}

const deployDmn = (it: EngineHarness, content: string, name = 'rules') =>
  it.run(it.api.deployProcess, { name, resources: [{ name: `${name}.dmn`, content }] }, admin);

const variable = (it: EngineHarness, id: string, name = 'r') =>
  it.get(processInstances, id)?.state.scopes[0]?.variables[name];

describe('decisions that are deployed', () => {
  it('have versions by their keys, of which the newest is the latest', async () => {
    const it = engine();
    await deployDmn(it, discount('0.5', 'camunda:versionTag="a"'));
    const second = await deployDmn(it, discount('0.6'));
    const found = it.all(decisionDefinitions).sort((a, b) => a.version - b.version);
    assert.deepEqual(
      found.map(({ key, version, latest, versionTag }) => [key, version, latest, versionTag]),
      [
        ['discount', 1, false, 'a'],
        ['discount', 2, true, null],
      ],
    );
    await it.run(it.api.deleteDeployment, { id: second }, admin);
    await it.settle();
    assert.deepEqual(
      it.all(decisionDefinitions).map(({ version, latest }) => [version, latest]),
      [[1, true]],
    );
    assert.equal(it.all(decisionModels).length, 1);
  });

  it('are refused with line, column and element; nothing is deployed', async () => {
    const it = engine();
    await assert.rejects(deployDmn(it, dmn(decision('k', literal('a +')))), {
      code: 'BAD_REQUEST',
      message: /resource 'rules.dmn': line \d+, column \d+: decision 'k' has invalid an expression/,
    });
    const twice = [1, 2].map((n) => ({ name: `${n}.dmn`, content: discount('0.5') }));
    await assert.rejects(it.run(it.api.deployProcess, { name: 'x', resources: twice }, admin), {
      message: /decisions with keys of their own.*'discount'/,
    });
    assert.deepEqual(it.all(decisionDefinitions), []);
  });

  it('are evaluated for whoever asks, and kept', async () => {
    const it = engine();
    await deployDmn(it, discount('0.5'));
    const id = await it.run(
      it.api.evaluateDecision,
      { key: 'discount', variables: [{ name: 'amount', value: 200 }] },
      bob,
    );
    const kept = it.get(decisionInstances, id);
    assert.deepEqual(kept?.result, { type: 'Double', value: 0.5 });
    assert.deepEqual(
      [kept?.userId, kept?.instanceId, kept?.definitionKey, kept?.shortened],
      ['bob', null, 'discount', false],
    );
    assert.deepEqual(
      kept?.evaluated[0]?.table?.rules.map(({ number }) => number),
      [1],
    );
    const byId = it.all(decisionDefinitions)[0]?.id ?? '';
    await it.run(it.api.evaluateDecision, { id: byId }, bob);
    await assert.rejects(it.run(it.api.evaluateDecision, { key: 'discuont' }, bob), {
      code: 'NOT_FOUND',
      message: /the nearest is 'discount'/,
    });
    await assert.rejects(it.run(it.api.evaluateDecision, { id: 'x' }, bob), { code: 'NOT_FOUND' });
    await assert.rejects(it.run(it.api.evaluateDecision, {}, bob), { code: 'BAD_REQUEST' });
    await assert.rejects(
      it.run(it.api.evaluateDecision, { key: 'discount', variables: [{ name: 'amount', value: 'x' }] }, bob),
      {
        code: 'EXECUTION_FAILED',
        message: /input 1 of decision 'discount', but expected a value of type 'integer', but found 'x'/,
      },
    );
  });

  it('leave large values out of the history, and the result in', async () => {
    const it = engine();
    await deployDmn(it, dmn(decision('k', table({ inputs: { text: '' }, rules: [['-', 'string length(text)']] }))));
    const id = await it.run(
      it.api.evaluateDecision,
      { key: 'k', variables: [{ name: 'text', value: 'x'.repeat(5_000) }] },
      ann,
    );
    const kept = it.get(decisionInstances, id);
    assert.deepEqual(
      [kept?.result.value, kept?.evaluated[0]?.table?.inputs[0]?.value, kept?.shortened],
      [5_000, { type: 'Null', value: null }, true],
    );
    await deployDmn(it, dmn(decision('k', literal('for i in 1..9000 return "some text"'))));
    await assert.rejects(it.run(it.api.evaluateDecision, { key: 'k' }, ann), { code: 'LIMIT_EXCEEDED' });
  });
});

describe('a business rule task', () => {
  it('keeps the rows of its decision, and the history knows where it was made', async () => {
    const it = await deployed();
    const id = await it.start({ amount: 200 });
    assert.deepEqual(variable(it, id), { type: 'Json', value: [{ rate: 0.5 }] });
    const [kept] = it.all(decisionInstances);
    assert.deepEqual(
      [kept?.instanceId, kept?.activityId, kept?.startUserId, kept?.result.value],
      [id, 'd', 'ann', 0.5],
    );
    assertReplays(it, id);
  });

  it('maps the result as the model says', async () => {
    for (const [map, expected] of [
      ['singleEntry', { type: 'Double', value: 0.5 }],
      ['singleResult', { type: 'Json', value: { rate: 0.5 } }],
      ['collectEntries', { type: 'Json', value: [0.5] }],
      ['resultList', { type: 'Json', value: [{ rate: 0.5 }] }],
    ] as const) {
      const it = await deployed(task({ 'camunda:mapDecisionResult': map }));
      assert.deepEqual(variable(it, await it.start({ amount: 200 })), expected, map);
    }
  });

  it('without a result is null, or an empty list', async () => {
    const none = dmn(decision('discount', table({ inputs: { amount: '' }, rules: [['> 100', '1']] })));
    for (const [map, expected] of [
      ['singleEntry', { type: 'Null', value: null }],
      ['singleResult', { type: 'Null', value: null }],
      ['collectEntries', { type: 'Json', value: [] }],
      ['resultList', { type: 'Json', value: [] }],
    ] as const) {
      const it = await deployed(task({ 'camunda:mapDecisionResult': map }), [none]);
      assert.deepEqual(variable(it, await it.start({ amount: 1 })), expected, map);
    }
  });

  it('refuses a result that cannot be mapped so', async () => {
    const many = dmn(
      decision(
        'discount',
        table({
          outputs: { a: '', b: '' },
          policy: 'hitPolicy="COLLECT"',
          rules: [
            ['1', '2'],
            ['3', '4'],
          ],
        }),
      ),
    );
    for (const [map, expected] of [
      ['singleEntry', /at most one result of the decision, for its singleEntry, of element 'd', but it has 2 results/],
      ['singleResult', /for its singleResult/],
      ['collectEntries', /one value in each result of the decision of element 'd', but it has 'a', 'b'/],
    ] as const) {
      const it = await deployed(task({ 'camunda:mapDecisionResult': map }), [many]);
      await assert.rejects(it.start(), { code: 'EXECUTION_FAILED', message: expected }, map);
      assert.deepEqual(it.all(decisionInstances), []);
    }
  });

  it('is bound to the latest, a version, a tag, or its own deployment', async () => {
    const versions = [discount('0.1', 'camunda:versionTag="one"'), discount('0.2')];
    const rateOf = async (attributes: Record<string, string>) => {
      const it = await deployed(task({ 'camunda:mapDecisionResult': 'singleEntry', ...attributes }), versions);
      const id = await it.start({ amount: 200, wanted: 1, ref: 'discount' });
      return variable(it, id)?.value;
    };
    assert.equal(await rateOf({}), 0.2);
    assert.equal(await rateOf({ 'camunda:decisionRef': '${ref}' }), 0.2);
    assert.equal(await rateOf({ 'camunda:decisionRef': '= ref' }), 0.2);
    assert.equal(await rateOf({ 'camunda:decisionRefBinding': 'version', 'camunda:decisionRefVersion': '1' }), 0.1);
    assert.equal(
      await rateOf({ 'camunda:decisionRefBinding': 'version', 'camunda:decisionRefVersion': '${wanted}' }),
      0.1,
    );
    assert.equal(
      await rateOf({ 'camunda:decisionRefBinding': 'versionTag', 'camunda:decisionRefVersionTag': 'one' }),
      0.1,
    );
    await assert.rejects(rateOf({ 'camunda:decisionRefBinding': 'deployment' }), {
      message: /decision with key 'discount' in the deployment of its process/,
    });
    await assert.rejects(rateOf({ 'camunda:decisionRefBinding': 'version', 'camunda:decisionRefVersion': '7' }), {
      message: /in version 7/,
    });
    await assert.rejects(rateOf({ 'camunda:decisionRef': 'lost' }), {
      code: 'EXECUTION_FAILED',
      message: /of element 'd', but expected a decision with key 'lost'/,
    });

    const it = engine();
    const own = task({ 'camunda:decisionRefBinding': 'deployment', 'camunda:mapDecisionResult': 'singleEntry' });
    const resources = [
      { name: 'p.bpmn', content: own },
      { name: 'd.dmn', content: discount('0.1') },
    ];
    await it.run(it.api.deployProcess, { name: 'both', resources }, admin);
    await deployDmn(it, discount('0.2'));
    assert.equal(variable(it, await it.start({ amount: 200 }))?.value, 0.1);
  });

  it('offers the result to its own outputs and listeners as `decisionResult`', async () => {
    const outputs =
      extended(`<camunda:inputOutput><camunda:outputParameter name="one">\${decisionResult.singleEntry}</camunda:outputParameter>
      <camunda:outputParameter name="first">\${decisionResult.getFirstResult().rate}</camunda:outputParameter>
      <camunda:outputParameter name="size">\${decisionResult.size()}</camunda:outputParameter></camunda:inputOutput>
      <camunda:executionListener event="end" expression="\${execution.setVariable('told', decisionResult.collectEntries('rate'))}"/>`);
    const it = await deployed(task({}, outputs));
    const id = await it.start({ amount: 200 });
    assert.deepEqual(
      ['one', 'first', 'size', 'told'].map((name) => variable(it, id, name)?.value),
      [0.5, 0.5, 1, [0.5]],
    );
    assertReplays(it, id);
  });

  it('is asked in a thread where the decision takes long, and replays', async () => {
    const long = dmn(
      decision(
        'discount',
        table({ inputs: { name: '' }, outputs: { rate: '' }, rules: [['matches(?, "^a+$")', 'split(name, "")[1]']] }),
      ),
    );
    const it = await deployed(task({ 'camunda:mapDecisionResult': 'singleEntry' }), [long]);
    const id = await it.start({ name: 'aaa' });
    assert.equal(variable(it, id)?.value, 'a');
    const [run] = it.all(runs);
    assert.deepEqual(
      run?.command?.answers?.map(({ ask }) => ask.kind),
      ['decision'],
    );
    assert.equal(it.all(decisionInstances)[0]?.evaluated[0]?.table?.rules.length, 1);
    assertReplays(it, id);
  });

  it('is evaluated a thousand times in a loop, run by run, and replays', async () => {
    const loop = bpmn(
      element('startEvent', 's') +
        element('exclusiveGateway', 'again') +
        element('businessRuleTask', 'd', {
          'camunda:decisionRef': 'next',
          'camunda:mapDecisionResult': 'singleEntry',
          'camunda:resultVariable': 'n',
        }) +
        element('exclusiveGateway', 'enough', { default: 'enough-again' }) +
        element('userTask', 'wait') +
        flows('s', 'again', 'd', 'enough', 'again') +
        flow('enough', 'wait', '${n >= 1000}'),
    );
    const it = await deployed(loop, [
      dmn(decision('next', table({ inputs: { n: 'integer' }, outputs: { r: 'integer' }, rules: [['>= 0', 'n + 1']] }))),
    ]);
    const id = await it.start({ n: 0 });
    await it.settle();
    assert.equal(variable(it, id, 'n')?.value, 1000);
    assert.equal(it.all(decisionInstances).length, 1000);
    assert.ok(it.all(runs).length > 1);
    assertReplays(it, id);
  }).timeout(20_000);

  it('runs JavaScript in a decision', async () => {
    const script = dmn(
      decision('discount', literal('amount * 2', 'expressionLanguage="javascript"'), { variable: 'v' }),
    );
    const it = await deployed(task({ 'camunda:mapDecisionResult': 'singleEntry' }), [script]);
    assert.deepEqual(variable(it, await it.start({ amount: 21 })), { type: 'Integer', value: 42 });
  });

  it('is refused at deployment for a binding or mapping that is none', async () => {
    const it = engine();
    for (const [attributes, expected] of [
      [
        { 'camunda:decisionRefBinding': 'best' },
        /'best' as camunda:decisionRefBinding, but expected one of latest, deployment/,
      ],
      [
        { 'camunda:decisionRefBinding': 'version' },
        /binds its decision by version, but has no camunda:decisionRefVersion/,
      ],
      [{ 'camunda:decisionRefBinding': 'versionTag' }, /has no camunda:decisionRefVersionTag/],
      [{ 'camunda:decisionRefBinding': 'version', 'camunda:decisionRefVersion': 'x' }, /expected a whole number/],
      [{ 'camunda:mapDecisionResult': 'all' }, /'all' as camunda:mapDecisionResult/],
    ] as const) {
      await assert.rejects(it.deploy(task(attributes as unknown as Record<string, string>)), {
        code: 'BAD_REQUEST',
        message: expected,
      });
    }
  });

  it('is kept for as long as the decision says, where no process instance keeps it', async () => {
    const DAY_MS = 86_400_000;
    for (const [text, days] of [
      ['5', 5],
      ['P2D', 2],
      ['', 30],
    ] as const) {
      const it = new EngineHarness();
      const content = dmn(decision('kept', literal('1'), { attributes: `camunda:historyTimeToLive="${text}"` }));
      await it.run(it.api.deployProcess, { name: 'd', resources: [{ name: 'd.dmn', content }] }, admin);
      await it.run(it.api.evaluateDecision, { key: 'kept' }, ann);
      const begun = it.now;
      const isKept = async (after: number) => {
        it.now = begun + after * DAY_MS;
        const endedBefore = it.now - 30 * DAY_MS;
        while (await it.run(it.engine.jobs.cleanHistory, { endedBefore }, admin));
        return it.all(decisionInstances).length === 1;
      };
      assert.equal(await isKept(days - 0.1), true, text);
      assert.equal(await isKept(days + 0.1), false, text);
    }
  });

  it('goes with its history', async () => {
    const it = await deployed();
    const id = await it.start({ amount: 200 });
    await it.run(it.api.deleteProcessInstance, { id }, admin);
    await it.run(it.api.evaluateDecision, { key: 'discount' }, ann);
    it.now += 1000;
    while (await it.run(it.engine.jobs.cleanHistory, { endedBefore: it.now }, admin));
    assert.deepEqual(it.all(decisionInstances), []);
  });
});
