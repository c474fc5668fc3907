import assert from 'node:assert/strict';
import { compileDecisions } from '../../../src/engine/decision/compile-decisions.js';
import { decision, dmn, literal, table } from '../../support/dmn.js';
import { problemsOf, rowsOf } from './support.js';

const simple = decision('k', table({ inputs: { x: '' }, rules: [['-', '1']] }));

describe('a DMN file', () => {
  it('is read in every version from 1.1 to 1.5', async () => {
    for (const namespace of [
      'http://www.omg.org/spec/DMN/20151101/dmn.xsd',
      'http://www.omg.org/spec/DMN/20151101/dmn11.xsd',
      'http://www.omg.org/spec/DMN/20180521/MODEL/',
      'https://www.omg.org/spec/DMN/20191111/MODEL/',
      'https://www.omg.org/spec/DMN/20211108/MODEL/',
      'https://www.omg.org/spec/DMN/20230324/MODEL/',
    ]) {
      assert.deepEqual(await rowsOf(dmn(simple, namespace)), [{ r: 1 }], namespace);
    }
  });

  it('is read without a service that decides nothing, which is told of', async () => {
    const xml = dmn(`${simple}<decisionService id="s" name="idle"/>`);
    const { model, warnings } = await compileDecisions(xml);
    assert.deepEqual(model?.services, []);
    assert.deepEqual(
      warnings.map(({ elementId, message }) => [elementId, message]),
      [['s', "decision service 's' is passed over, for it needs an output decision"]],
    );
    assert.deepEqual(await rowsOf(xml), [{ r: 1 }]);
  });

  it('is read whatever prefix it has', async () => {
    const prefixed = dmn(simple)
      .replace('xmlns=', 'xmlns:d=')
      .replace(/<(\/?)(?!\?|!)(?=[a-zA-Z])/g, '<$1d:');
    assert.deepEqual(await rowsOf(prefixed), [{ r: 1 }]);
  });

  it('has versions tags and times to live, and its drawing changes nothing', async () => {
    const drawing = `<dmndi:DMNDI xmlns:dmndi="https://www.omg.org/spec/DMN/20191111/DMNDI/" xmlns:dc="http://www.omg.org/spec/DMN/20180521/DC/"><dmndi:DMNDiagram><dmndi:DMNShape dmnElementRef="k"><dc:Bounds height="80" width="180" x="1" y="1"/></dmndi:DMNShape></dmndi:DMNDiagram></dmndi:DMNDI>`;
    const attributes = 'camunda:versionTag="v1" camunda:historyTimeToLive="P30D"';
    const { model, warnings } = await compileDecisions(dmn(decision('k', literal('1'), { attributes }) + drawing));
    assert.deepEqual(
      [model?.decisions[0]?.versionTag, model?.decisions[0]?.historyTimeToLive, warnings],
      ['v1', 'P30D', []],
    );
  });

  it('is refused for a time to live that cannot be read, at its decision', async () => {
    for (const [wrong, expected] of [
      ['for ever', "has 'for ever' as camunda:historyTimeToLive, but expected days or a duration such as P180D"],
      ['P1', 'has an invalid camunda:historyTimeToLive: expected a duration of ISO 8601'],
    ] as const) {
      const attributes = `camunda:historyTimeToLive="${wrong}"`;
      const { problems, model } = await compileDecisions(dmn(`\n${decision('k', literal('1'), { attributes })}`));
      assert.deepEqual([model, problems.length, problems[0]?.line, problems[0]?.elementId], [null, 1, 4, 'k']);
      assert.ok(problems[0]?.message.startsWith(`decision 'k' ${expected}`), problems[0]?.message);
    }
  });

  it('is refused with line, column and element', async () => {
    const { problems, model } = await compileDecisions(dmn(`\n${decision('k', literal('a +'))}`));
    assert.equal(model, null);
    const [{ line, column, elementId, message } = assert.fail('expected a problem')] = problems;
    assert.deepEqual([line, column, elementId], [4, 1, 'k']);
    assert.match(message, /^decision 'k' has invalid an expression: expected .* at column 4 of expression 'a \+'/);
  });

  it('is refused for what is wrong in it', async () => {
    const inTable = (policy: string) => decision('k', table({ policy, rules: [['1']] }));
    for (const [body, expected] of [
      [decision('a', literal('1')) + decision('a', literal('2')), /id 'a' is used more than once/],
      ['<decision name="x"/>', /'x' needs an id/],
      [decision('a:b', literal('1')), /has an id with a colon/],
      [
        decision('k', literal('1'), { requires: ['lost'] }),
        /refers to '#lost', but there is no element with that id in this file/,
      ],
      [
        decision('k', literal('1'), { requires: ['a'] }) + decision('a', literal('1'), { requires: ['k'] }),
        /'k' requires itself/,
      ],
      [inTable('hitPolicy="BEST"'), /hit policy 'BEST', but expected one of UNIQUE, FIRST/],
      [inTable('hitPolicy="COLLECT" aggregation="MEAN"'), /aggregates by 'MEAN', but expected one of SUM/],
      [inTable('hitPolicy="FIRST" aggregation="SUM"'), /only the hit policy COLLECT/],
      [
        decision(
          'k',
          table({ outputs: { a: '', b: '' }, policy: 'hitPolicy="COLLECT" aggregation="SUM"', rules: [['1', '2']] }),
        ),
        /takes exactly one output/,
      ],
      [decision('k', table({ outputs: {}, rules: [] })), /needs an output/],
      [
        decision('k', table({ inputs: { x: '' }, rules: [['1']] })),
        /rule 'rule1' has 0 output entries, but the table has 1 outputs/,
      ],
      [decision('k', table({ inputs: { x: '' }, rules: [['> +', '1']] })), /invalid an input entry: .* column/],
      [decision('k', literal('${a', 'expressionLanguage="juel"')), /invalid an expression/],
      [decision('k', literal('a = (', 'expressionLanguage="javascript"')), /invalid an expression: SyntaxError/],
      [decision('k', literal('1', 'expressionLanguage="groovy"')), /in 'groovy', but only feel, juel and javascript/],
      [
        `<businessKnowledgeModel id="f" name="f"><encapsulatedLogic kind="Java"/></businessKnowledgeModel>${decision('k', literal('1'))}`,
        /is a function in Java, but only FEEL/,
      ],
      [`<import namespace="urn:x" importType="x"/>${simple}`, /imports 'urn:x', but each file is deployed by itself/],
      ['<decision id="k"><decisionTabel/></decision>', /cannot be read: unknown type <dmn:DecisionTabel>/],
    ] as const) {
      const problems = await problemsOf(dmn(body));
      assert.match(problems.join('; '), expected, body);
    }
  });

  it('is refused where it is no DMN, or no XML', async () => {
    assert.match((await problemsOf('<a/>')).join(), /cannot be read as DMN|expected definitions/);
    assert.match((await problemsOf('<definitions')).join(), /cannot be read as DMN/);
    await assert.rejects(compileDecisions('<!DOCTYPE a><a/>'), { code: 'BAD_REQUEST' });
  });

  it('may say who decides, and what is measured by', async () => {
    const context =
      '<performanceIndicator id="pi" name="profit"><impactingDecision href="#k"/></performanceIndicator><organizationUnit id="ou" name="board"><decisionMade href="#k"/><decisionOwned href="#k"/></organizationUnit>';
    const { problems, warnings } = await compileDecisions(dmn(simple + context));
    assert.deepEqual([problems, warnings], [[], []]);
  });

  it('without a decision is warned of', async () => {
    const { warnings, problems } = await compileDecisions(dmn('<inputData id="i" name="i"/>'));
    assert.deepEqual([problems, warnings.map(({ message }) => message)], [[], ["definitions 'file' has no decision"]]);
  });
});
