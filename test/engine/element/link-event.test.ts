import assert from 'node:assert/strict';
import { bpmn, element, flow, flows } from '../../support/bpmn.js';
import { instance } from '../../support/instance.js';
import { programOf, warningsOf } from '../../support/model.js';

const link = '<bpmn:linkEventDefinition name="L"/>';
const throws = (id: string) => element('intermediateThrowEvent', id, {}, link);
const catches = (id: string, content = '') => element('intermediateCatchEvent', id, {}, content + link);

describe('a link', () => {
  it('leads from each of its throw events to the one that catches it, and nobody is seen at either', async () => {
    const model = bpmn(
      `${element('startEvent', 's')}${element('parallelGateway', 'f')}${throws('t1')}${throws('t2')}
      ${catches('c')}${element('userTask', 'u')}${flow('s', 'f')}${flows('f', 't1')}${flows('f', 't2')}${flows('c', 'u')}`,
    );
    const it = instance(await programOf(model)).start();
    assert.deepEqual(it.trail, ['s', 'f', 'u?', 'u?']);
    assert.deepEqual(await warningsOf(model), []);
  });

  it('is a loop, where it leads back', async () => {
    const model = await programOf(
      bpmn(
        `${element('startEvent', 's')}${catches('c')}${element('userTask', 'u')}
        ${element('exclusiveGateway', 'x', { default: 'x-t' })}${throws('t')}${element('endEvent', 'e')}
        ${flows('s', 'u', 'x')}${flow('x', 'e', '${done}')}${flow('x', 't')}${flow('c', 'u')}`,
      ),
    );
    const it = instance(model).start().complete('u', { done: false }).complete('u', { done: true });
    assert.deepEqual([it.isCompleted, it.trail], [true, ['s', 'u', 'x', 'u', 'x', 'e']]);
  });

  it('has names of its own in each sub-process', async () => {
    const inner = `${element('startEvent', 'is')}${throws('it')}${catches('ic')}${element('userTask', 'iu')}${flow('is', 'it')}${flow('ic', 'iu')}`;
    const model = await programOf(
      bpmn(
        `${element('startEvent', 's')}${element('subProcess', 'sub', {}, inner)}${throws('t')}${catches('c')}${element('userTask', 'u')}
        ${flows('s', 'sub', 't')}${flow('c', 'u')}`,
      ),
    );
    const it = instance(model).start();
    assert.deepEqual(it.active, ['iu']);
    assert.deepEqual(it.complete('iu').active, ['u']);
  });

  it('is what an inclusive join waits for', async () => {
    const model = await programOf(
      bpmn(
        `${element('startEvent', 's')}${element('inclusiveGateway', 'f')}${element('userTask', 'a')}${element('userTask', 'b')}
        ${throws('t')}${catches('c')}${element('inclusiveGateway', 'j')}${element('userTask', 'u')}
        ${flows('s', 'f', 'a', 'j', 'u')}${flows('f', 'b', 't')}${flow('c', 'j')}`,
      ),
    );
    const it = instance(model).start().complete('a');
    assert.deepEqual(it.active.sort(), ['b', 'j']);
    assert.deepEqual(it.complete('b').active, ['u']);
  });

  it('warns of what cannot happen at its ends', async () => {
    const heard =
      '<bpmn:extensionElements><camunda:executionListener event="start" expression="${1}"/></bpmn:extensionElements>';
    const body = (first: string, last: string) =>
      bpmn(`${element('startEvent', 's')}${first}${last}${element('task', 'd')}${flow('c', 'd')}`);
    const told =
      element('intermediateThrowEvent', 't', { 'camunda:asyncBefore': 'true' }, heard + link) + flow('s', 't');
    assert.match(
      (await warningsOf(body(told, catches('c')))).join(),
      /'t' has listeners, mappings or continuations, which have no effect/,
    );
    assert.match(
      (await warningsOf(body('', catches('c')))).join(),
      /'c' is the target of link 'L', which nothing throws/,
    );
  });
});
