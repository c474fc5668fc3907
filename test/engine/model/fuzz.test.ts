import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compileModel } from '../../../src/engine/model/compile-model.js';
import { ServiceError } from '../../../src/shared/errors.js';
import { bpmn, element, extended, flow, flows, timer } from '../../support/bpmn.js';

const model = bpmn(
  `${element('startEvent', 'start')}${element('userTask', 'ask', { 'camunda:assignee': '${who}', name: 'Ask' }, extended('<camunda:inputOutput><camunda:inputParameter name="x">${1}</camunda:inputParameter></camunda:inputOutput>'))}
  ${element('boundaryEvent', 'late', { attachedToRef: 'ask' }, timer('duration', 'PT1H'))}
  ${element('exclusiveGateway', 'split', { default: 'split-end' })}${element('inclusiveGateway', 'join')}
  ${element('scriptTask', 'do', { scriptFormat: 'javascript' }, '<bpmn:script><![CDATA[a < b]]></bpmn:script>')}
  ${element('endEvent', 'end', {}, '<bpmn:errorEventDefinition errorRef="e"/>')}
  ${flows('start', 'ask', 'split', 'end')}${flow('split', 'do', '${x > 1}')}${flows('do', 'join', 'end')}${flows('late', 'join')}`,
  { root: '<bpmn:error id="e" errorCode="E"/>' },
);

/** Pieces that matter to one reader or another. */
const PIECES = [
  '<',
  '>',
  '/>',
  '</',
  '"',
  "'",
  '&',
  ';',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<?',
  'xmlns:a="b"',
  ' id="ask"',
  ' id=""',
  '${',
  '}',
  '\0',
  '\uFEFF',
  '😀',
  'bpmn:',
  'camunda:',
  '__proto__',
  'bpmn:subProcess',
  '=',
  '\n',
];

const mutation = fc.record({
  at: fc.nat(model.length),
  remove: fc.oneof(fc.constant(0), fc.nat(30)),
  insert: fc.oneof(
    fc.constantFrom(...PIECES, ''),
    fc.string({ maxLength: 6 }),
    fc.nat(model.length).map((n) => model.slice(n, n + 40)),
  ),
});

describe('any text', () => {
  it('is a model or is refused, and never breaks the compiler', async () => {
    assert.deepEqual((await compileModel(model)).problems, []);
    await fc.assert(
      fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 4 }), async (mutations) => {
        let xml = model;
        for (const { at, remove, insert } of mutations) xml = xml.slice(0, at) + insert + xml.slice(at + remove);
        try {
          const { programs, problems, warnings } = await compileModel(xml);
          const isNone =
            problems.length > 0 || warnings.some(({ message }) => message.includes('nothing can be started'));
          assert.equal(programs.length === 0, isNone);
          for (const { message } of problems) assert.ok(message.length < 2_000, message.slice(0, 300));
        } catch (thrown) {
          assert.ok(thrown instanceof ServiceError, String((thrown as Error).stack));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is refused when it is random', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (xml) => {
        const answer = await compileModel(xml).catch((thrown: unknown) => thrown);
        assert.ok(answer instanceof ServiceError || (answer as { problems: [] }).problems.length > 0);
      }),
    );
  });
});
