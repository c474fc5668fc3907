import assert from 'node:assert/strict';
import type { Effect } from '../../../src/engine/element/instance-state.js';
import { compileModel } from '../../../src/engine/model/compile-model.js';
import { definitions, element, extended, flows } from '../../support/bpmn.js';
import { instance } from '../../support/instance.js';
import { problemsOf, programOf, warningsOf } from '../../support/model.js';

const message = (ref = '', content = '') =>
  `<bpmn:messageEventDefinition${ref && ` messageRef="${ref}"`}>${content}</bpmn:messageEventDefinition>`;
const drawn = (...ends: readonly (readonly [source: string, target: string, attributes?: string])[]) =>
  `<bpmn:collaboration id="c"><bpmn:participant id="bank"/>
  ${ends.map(([source, target, attributes = ''], at) => `<bpmn:messageFlow id="m${at}" sourceRef="${source}" targetRef="${target}" ${attributes}/>`).join('')}</bpmn:collaboration>`;
const process = (key: string, body: string) => `<bpmn:process id="${key}" isExecutable="true">${body}</bpmn:process>`;

const buyer = (order: string) =>
  process(
    'buyer',
    `${element('startEvent', 's')}${order}${element('receiveTask', 'answer')}${flows('s', 'order', 'answer')}`,
  );
const seller = (asked: string, reply: string) =>
  process(
    'seller',
    `${element('startEvent', 'asked', {}, asked)}${element('userTask', 'u')}${reply}${flows('asked', 'u', 'reply')}`,
  );
const throwing = (id: string, content: string) => element('intermediateThrowEvent', id, {}, content);

const thrown = (effects: readonly Effect[]) => effects.filter(({ type }) => type === 'throwMessage');

describe('a message flow between two pools', () => {
  it('gives one name to what is thrown and what is awaited, where neither names a message', async () => {
    const model = definitions(
      drawn(['order', 'asked', 'name="Order"'], ['reply', 'answer']) +
        buyer(throwing('order', message())) +
        seller(message(), element('sendTask', 'reply')),
    );
    const { programs, problems, warnings } = await compileModel(model);
    assert.deepEqual([problems, warnings], [[], []]);
    const names = programs.flatMap(({ elements }) =>
      elements.flatMap(({ id, event }) => (event?.kind === 'message' ? `${id} ${event.name}` : [])),
    );
    assert.deepEqual(names, ['order Order', 'answer buyer.m1', 'asked Order', 'reply buyer.m1']);
  });

  it('takes the name of its message, else that of the end that has one', async () => {
    const root = '<bpmn:message id="x" name="X"/><bpmn:message id="y" name="Y"/>';
    const model = definitions(
      root +
        drawn(['order', 'asked', 'messageRef="x"'], ['reply', 'answer', 'name="Reply"']) +
        buyer(throwing('order', message())) +
        seller(message(), element('endEvent', 'reply', {}, message('y'))),
    );
    const { programs } = await compileModel(model);
    const names = programs.flatMap(({ elements }) =>
      elements.flatMap(({ event }) => (event?.kind === 'message' ? event.name : [])),
    );
    assert.deepEqual(names, ['X', 'Y', 'X', 'Y']);
  });

  it('from a pool that is not in the model names what awaits it, with a warning', async () => {
    const model = definitions(
      drawn(['bank', 'paid', 'name="Paid"']) +
        process(
          'p',
          `${element('startEvent', 's')}${element('intermediateCatchEvent', 'paid', {}, message())}${flows('s', 'paid')}`,
        ),
    );
    assert.deepEqual(await warningsOf(model), [
      "intermediate catch event 'paid' has no message (messageRef), so it waits for one with the name 'Paid', as its message flow says",
    ]);
    const it = instance(await programOf(model)).start();
    assert.deepEqual(
      [...it.subscriptions.values()].map(({ eventName }) => eventName),
      ['Paid'],
    );
  });

  it('warns where its ends name different messages', async () => {
    const root = '<bpmn:message id="x" name="X"/><bpmn:message id="y" name="Y"/>';
    const model = definitions(
      root +
        drawn(['order', 'asked']) +
        buyer(throwing('order', message('x'))) +
        seller(message('y'), element('endEvent', 'reply')),
    );
    assert.match(
      (await warningsOf(model)).join(),
      /'order' throws message 'X', but 'asked' awaits 'Y', to which message flow 'm0' leads/,
    );
  });

  it('does nothing for what it leads to beside events and tasks of messages', async () => {
    const model = definitions(
      drawn(['u', 'bank'], ['bank', 'u'], ['e', 'bank', 'name="Bye"']) +
        process(
          'buyer',
          `${element('startEvent', 's')}${element('userTask', 'u')}${element('endEvent', 'e', {}, message())}${flows('s', 'u', 'e')}`,
        ),
    );
    assert.match((await warningsOf(model)).join(), /'e' names no message and no implementation, so it throws nothing/);
    assert.ok(
      instance(await programOf(model))
        .start()
        .complete('u').isCompleted,
    );
  });
});

describe('a send task', () => {
  const root = '<bpmn:message id="x" name="X-${n}"/>';
  const sending = (attributes: Readonly<Record<string, string>>, content = '') =>
    definitions(
      root +
        process('p', `${element('startEvent', 's')}${element('sendTask', 't', attributes, content)}${flows('s', 't')}`),
    );

  it('without an implementation throws its message, with what it takes along', async () => {
    const given = '<camunda:in source="n" target="m"/><camunda:in businessKey="K${n}"/>';
    const it = instance(await programOf(sending({ messageRef: 'x' }, extended(given)))).start({ n: 7 });
    assert.ok(it.isCompleted);
    const [effect] = thrown(it.effects);
    assert.ok(effect?.type === 'throwMessage');
    assert.deepEqual([effect.name, effect.businessKey, effect.variables?.m?.value], ['X-7', 'K7', 7]);
  });

  it('does what its implementation says, where it has one', async () => {
    const it = instance(await programOf(sending({ messageRef: 'x', 'camunda:expression': '${1}' }))).start({ n: 7 });
    assert.deepEqual([it.isCompleted, thrown(it.effects)], [true, []]);
  });

  it('that says neither is refused', async () => {
    assert.match(
      (await problemsOf(sending({}))).join(),
      /send task 't' needs a message \(messageRef\), or an implementation: camunda:class/,
    );
  });
});

describe('a message that is thrown', () => {
  it('takes along what camunda:in says, to an event of its own instance, too', async () => {
    const given = message('x', extended('<camunda:in source="n" target="m"/>'));
    const model = definitions(
      `<bpmn:message id="x" name="X"/>${process(
        'p',
        `${element('startEvent', 's')}${element('parallelGateway', 'f')}${element('intermediateCatchEvent', 'c', {}, message('x'))}${throwing('t', given)}
        ${flows('s', 'f', 'c')}${flows('f', 't')}`,
      )}`,
    );
    const it = instance(await programOf(model)).start({ n: 7 });
    assert.deepEqual([it.isCompleted, it.variables], [true, { n: 7, m: 7 }]);
  });

  it('is told that it takes nothing along where it is caught, or done by an implementation', async () => {
    const given = message('x', extended('<camunda:in source="n" target="m"/>'));
    const model = definitions(
      `<bpmn:message id="x" name="X"/>${process(
        'p',
        `${element('startEvent', 's')}${element('intermediateCatchEvent', 'c', {}, given)}${flows('s', 'c')}`,
      )}`,
    );
    assert.match((await warningsOf(model)).join(), /'c' has a camunda:in for its message, but only one that is thrown/);
  });
});
