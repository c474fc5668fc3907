import assert from 'node:assert/strict';
import { bpmn, element, extended, flows, line, timer } from '../../support/bpmn.js';
import { elementOf, idsOf, programOf } from '../../support/model.js';

describe('compiled continuations and starts', () => {
  it('say where a run is cut, and how often it is tried again', async () => {
    const program = await programOf(
      bpmn(
        line(
          ['a', 'b', 'c'],
          element('task', 'a', { 'camunda:asyncBefore': 'true', 'camunda:exclusive': 'false' }) +
            element('task', 'b', { 'camunda:async': 'true' }) +
            element(
              'task',
              'c',
              { 'camunda:asyncAfter': 'true' },
              extended('<camunda:failedJobRetryTimeCycle>R3/PT5M</camunda:failedJobRetryTimeCycle>'),
            ),
        ),
      ),
    );
    const of = (id: string) => {
      const { asyncBefore, asyncAfter, exclusive, retryCycle } = elementOf(program, id);
      return { asyncBefore, asyncAfter, exclusive, retryCycle };
    };
    assert.deepEqual(of('a'), { asyncBefore: true, asyncAfter: false, exclusive: false, retryCycle: null });
    assert.deepEqual(of('b'), { asyncBefore: true, asyncAfter: false, exclusive: true, retryCycle: null });
    assert.deepEqual(of('c'), { asyncBefore: false, asyncAfter: true, exclusive: true, retryCycle: 'R3/PT5M' });
  });

  it('know the initiator and the form of a start event', async () => {
    const program = await programOf(
      bpmn(element('startEvent', 'start', { 'camunda:initiator': 'starter', 'camunda:formKey': 'new-order' })),
    );
    const start = elementOf(program, 'start');
    assert.equal(start.initiator, 'starter');
    assert.equal(start.startFormKey, 'new-order');
  });

  it('start by a message or a signal whose name is an expression of constants: it is evaluated', async () => {
    for (const kind of ['message', 'signal'] as const) {
      const name = "alert-${'foo'}-${1 + 1}";
      const body = element('startEvent', 'start', {}, `<bpmn:${kind}EventDefinition ${kind}Ref="r"/>`);
      const { event } = elementOf(
        await programOf(bpmn(body, { root: `<bpmn:${kind} id="r" name="${name}"/>` })),
        'start',
      );
      assert.equal(event?.kind === kind && event.name, 'alert-foo-2');
    }
  });

  it('wait within an instance for a message whose name is an expression', async () => {
    const body = line(['a'], element('receiveTask', 'a', { messageRef: 'r' }));
    const program = await programOf(bpmn(body, { root: '<bpmn:message id="r" name="order-${key}"/>' }));
    assert.deepEqual(elementOf(program, 'a').event, { kind: 'message', name: 'order-${key}', work: null });
  });

  it('refuse to start by a message whose name is nothing, or needs an instance', async () => {
    for (const name of ['${null}', "${''}", '${now()}', '${key}']) {
      const body = element('startEvent', 'start', {}, '<bpmn:messageEventDefinition messageRef="r"/>');
      await assert.rejects(programOf(bpmn(body, { root: `<bpmn:message id="r" name="${name}"/>` })), /constants alone/);
    }
  });

  it('start by messages, signals and timers beside one none start event', async () => {
    const root = '<bpmn:message id="m" name="Ordered"/><bpmn:signal id="s" name="Morning"/>';
    const program = await programOf(
      bpmn(
        element('startEvent', 'none') +
          element('startEvent', 'message', {}, '<bpmn:messageEventDefinition messageRef="m"/>') +
          element('startEvent', 'signal', {}, '<bpmn:signalEventDefinition signalRef="s"/>') +
          element('startEvent', 'daily', {}, timer('cycle', '0 0 6 * * ?')) +
          element('startEvent', 'once', {}, timer('date', '2026-05-01T12:00:00Z')),
        { root },
      ),
    );
    assert.deepEqual(idsOf(program, elementOf(program, 'p').startEvents), [
      'none',
      'message',
      'signal',
      'daily',
      'once',
    ]);
    assert.deepEqual(elementOf(program, 'daily').event, { kind: 'timer', timer: 'cycle', text: '0 0 6 * * ?' });
    assert.deepEqual(elementOf(program, 'signal').event, { kind: 'signal', name: 'Morning' });
  });

  it('attach boundary events to their activity', async () => {
    const boundary = (id: string, attributes: Record<string, string>, definition: string) =>
      element('boundaryEvent', id, { attachedToRef: 'work', ...attributes }, definition);
    const error =
      '<bpmn:errorEventDefinition errorRef="e" camunda:errorCodeVariable="code" camunda:errorMessageVariable="text"/>';
    const program = await programOf(
      bpmn(
        line(
          ['work'],
          element('task', 'work') +
            boundary('late', { cancelActivity: 'false' }, timer('duration', 'PT1H')) +
            boundary('failed', { cancelActivity: 'false' }, error) +
            boundary('ended', {}, timer('duration', 'PT2H')),
        ),
        { root: '<bpmn:error id="e" name="Declined" errorCode="DECLINED"/>' },
      ),
    );
    assert.deepEqual(idsOf(program, elementOf(program, 'work').boundaries), ['late', 'failed', 'ended']);
    assert.equal(elementOf(program, 'late').interrupting, false);
    assert.equal(elementOf(program, 'ended').interrupting, true);
    const failed = elementOf(program, 'failed');
    assert.equal(failed.interrupting, true, 'an error always is');
    assert.deepEqual(idsOf(program, [failed.attachedTo ?? -1]), ['work']);
    assert.deepEqual(failed.event, {
      kind: 'error',
      code: 'DECLINED',
      codeVariable: 'code',
      messageVariable: 'text',
      message: null,
    });
  });

  it('end with an error that has its message', async () => {
    const program = await programOf(
      bpmn(
        `${element('startEvent', 'start')}${element('endEvent', 'end', {}, '<bpmn:errorEventDefinition errorRef="e"/>')}${flows('start', 'end')}`,
        { root: '<bpmn:error id="e" errorCode="E${n}" camunda:errorMessage="Sorry, ${name}"/>' },
      ),
    );
    const { event } = elementOf(program, 'end');
    assert.equal(event?.kind === 'error' && event.code, 'E${n}');
    assert.equal(event?.kind === 'error' && event.message, 'Sorry, ${name}');
  });

  it('take durations for dates and dates for durations, as Camunda does', async () => {
    for (const definition of [timer('date', 'PT10M'), timer('duration', '2026-05-01T12:00:00Z')]) {
      const program = await programOf(bpmn(line(['a'], element('intermediateCatchEvent', 'a', {}, definition))));
      assert.equal(elementOf(program, 'a').activityType, 'intermediateTimer');
    }
  });

  it('follow references by qualified name', async () => {
    const xml = bpmn(line(['wait'], element('receiveTask', 'wait', { messageRef: 'own:m' })), {
      root: '<bpmn:message id="m" name="Paid"/>',
    }).replace('id="definitions"', 'id="definitions" xmlns:own="http://example.org/test"');
    assert.deepEqual(elementOf(await programOf(xml), 'wait').event, { kind: 'message', name: 'Paid', work: null });
  });
});
