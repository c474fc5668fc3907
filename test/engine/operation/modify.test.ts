import assert from 'node:assert/strict';
import { jobs, runs, type Task, tasks } from '../../../src/engine/collections.js';
import type { GivenInstruction } from '../../../src/engine/rule/given-instruction.js';
import { tokenVariables } from '../../../src/engine/run/seen-variables.js';
import { activityInstances } from '../../../src/engine/view/activity-instances.js';
import { bpmn, element, flows, line, timer } from '../../support/bpmn.js';
import { admin, ann, EngineHarness, inputs, refusalOf } from '../../support/engine-harness.js';

const task = (id: string, attributes: Readonly<Record<string, string>> = {}) => element('userTask', id, attributes);
const two = bpmn(line(['A', 'B'], task('A') + task('B')));
const sub = bpmn(
  line(
    ['A', 'S', 'C'],
    task('A') +
      task('C') +
      element(
        'subProcess',
        'S',
        {},
        line(['I', 'J'], task('I') + task('J'))
          .replaceAll('"start', '"s')
          .replaceAll('"end', '"e')
          .replaceAll('-end"', '-e"')
          .replaceAll('Ref="end', 'Ref="e'),
      ),
  ),
);
const parallel = bpmn(
  `${element('startEvent', 'start')}${element('parallelGateway', 'fork')}${task('A')}${task('B')}${element('parallelGateway', 'join')}${task('C')}${element('endEvent', 'end')}
   ${flows('start', 'fork', 'A', 'join', 'C', 'end')}${flows('fork', 'B', 'join')}`,
);
const many = (sequential: boolean) =>
  bpmn(
    line(
      ['A', 'M', 'C'],
      task('A') +
        task('C') +
        element(
          'userTask',
          'M',
          {},
          `<bpmn:multiInstanceLoopCharacteristics isSequential="${sequential}" camunda:collection="list" camunda:elementVariable="el"/>`,
        ),
    ),
  );
const boundary = bpmn(
  `${line(['A', 'C'], task('A') + task('C'))}${task('B')}${task('D')}
   <bpmn:boundaryEvent id="bi" attachedToRef="A">${timer('duration', 'PT1H')}</bpmn:boundaryEvent>
   <bpmn:boundaryEvent id="bn" attachedToRef="A" cancelActivity="false">${timer('duration', 'PT1H')}</bpmn:boundaryEvent>
   ${flows('bi', 'B')}${flows('bn', 'D')}`,
);
const events = (isInterrupting: boolean) =>
  bpmn(
    `${line(['A'], task('A'))}<bpmn:subProcess id="E" triggeredByEvent="true">
      <bpmn:startEvent id="es" isInterrupting="${isInterrupting}"><bpmn:messageEventDefinition messageRef="m"/></bpmn:startEvent>${task('X')}${element('endEvent', 'ee')}${flows('es', 'X', 'ee')}</bpmn:subProcess>`,
    { root: '<bpmn:message id="m" name="m"/>' },
  );

/** Steps as they are written here: `+A` begins before, `A+` after, `>f` on the flow, `-A` cancels; `A|l=2` with a local, `A|g:1` with a global variable. */
function steps(text: string): GivenInstruction[] {
  return text.split(' ').map((step) => {
    const [what = '', ...set] = step.split('|');
    const values = (sign: string) =>
      inputs(Object.fromEntries(set.filter((each) => each.includes(sign)).map((each) => each.split(sign))));
    const more = { variables: values(':'), localVariables: values('=') };
    if (what.startsWith('-')) return { type: 'cancel', activityId: what.slice(1) };
    if (what.startsWith('>')) return { type: 'startTransition', transitionId: what.slice(1), ...more };
    if (what.endsWith('+')) return { type: 'startAfterActivity', activityId: what.slice(0, -1), ...more };
    return { type: 'startBeforeActivity', activityId: what.slice(1), ...more };
  });
}

describe('modifyProcessInstance', () => {
  let engine: EngineHarness;
  beforeEach(() => {
    engine = new EngineHarness();
  });

  const begin = async (model: string, variables: Readonly<Record<string, unknown>> = { list: ['x', 'y', 'z'] }) => {
    await engine.deploy(model);
    return engine.start(variables);
  };
  const modify = (id: string, what: string | readonly GivenInstruction[], more: object = {}) =>
    engine.run(
      engine.api.modifyProcessInstance,
      { processInstanceId: id, instructions: typeof what === 'string' ? steps(what) : what, ...more },
      admin,
    );
  const history = (id: string) =>
    activityInstances(
      engine.all(runs).filter((run) => run.instanceId === id),
      (definitionId) => engine.programs.of(engine.state(), definitionId),
    );
  /** What happened, but starts and ends: `A✗` was cancelled, `A…` is there. */
  const path = (id: string): string =>
    history(id)
      .filter(({ activityType }) => !['startEvent', 'noneEndEvent'].includes(activityType))
      .map(({ activityId, canceled, endTime }) => activityId + (canceled ? '✗' : endTime === null ? '…' : ''))
      .join(' ');
  const stateOf = (id: string) => engine.instance(id).actor.value;
  const complete = async (elementId: string) => {
    const open = tasksOf(elementId);
    await engine.run(engine.api.completeTask, { taskId: open[0]?.id ?? '', variables: [] }, admin);
  };
  const tasksOf = (elementId: string) => engine.all(tasks).filter((each) => each.elementId === elementId);
  const visibleTo = (open: Task | undefined): Record<string, unknown> => {
    if (open === undefined) throw new Error('there is no such task');
    const seen = tokenVariables(engine.state(), engine.instance(open.instanceId), open).visible;
    return Object.fromEntries(Object.entries(seen).map(([name, { value }]) => [name, value]));
  };
  const visible = (elementId: string) => visibleTo(tasksOf(elementId)[0]);
  const numbersOf = (id: string, activityId: string) =>
    history(id)
      .filter((each) => each.activityId === activityId && each.endTime === null)
      .map((each) => each.id);
  afterEach(() => {
    for (const id of new Set(engine.all(runs).map(({ instanceId }) => instanceId))) {
      const { stored, again } = engine.replayed(id);
      assert.deepEqual(again, stored);
    }
  });

  // As Camunda 7.23 does.
  const CASES: readonly (readonly [model: string, what: string, becomes: string])[] = [
    [two, '+B -A', 'A✗ B…'],
    [two, '-A +B', 'A✗ B…'],
    [two, '-A', 'A✗ cancelled'],
    [two, '-A +end', 'A✗ completed'],
    [two, '+end -A', 'A✗ cancelled'],
    [two, 'A+ -A', 'A✗ B…'],
    [two, '>A-B', 'A… B…'],
    [two, '+start', 'A… A…'],
    [two, '-B', 'A…'],
    [sub, '+J', 'A… S… J…'],
    [sub, '+I +J -I', 'A… S… I✗ J…'],
    [sub, '+S', 'A… S… I…'],
    [sub, '+I -I +J', 'A… S✗ I✗ S… J…'],
    [sub, '+e -A', 'A✗ S C…'],
    [sub, 'J+', 'A… S C…'],
    [parallel, '-A +join', 'fork A✗ B… join…'],
    [parallel, '+join +join', 'fork A… B… join join C…'],
    [parallel, '-A >A-join', 'fork A✗ B… join…'],
    [many(false), '+M', 'A… M#multiInstanceBody… M…'],
    [many(false), '+M#multiInstanceBody -A', 'A✗ M#multiInstanceBody… M… M… M…'],
    [many(false), '+M#multiInstanceBody +M', 'A… M#multiInstanceBody… M… M… M… M…'],
    [many(false), '+M#multiInstanceBody -M', 'A… M#multiInstanceBody✗ M✗ M✗ M✗'],
    [many(false), 'M#multiInstanceBody+', 'A… C…'],
    [many(true), '+M', 'A… M#multiInstanceBody… M…'],
    [many(true), '+M#multiInstanceBody -M', 'A… M#multiInstanceBody✗ M✗'],
    [boundary, '+bi', 'A✗ bi B…'],
    [boundary, '+bn', 'A… bn D…'],
    [boundary, '+C -A +bi', 'A✗ C… bi B…'],
    [boundary, 'bi+', 'A… B…'],
    [events(true), '+es', 'A✗ E… es X…'],
    [events(true), '+E', 'A✗ E… es X…'],
    [events(true), '+X', 'A… E… X…'],
    [events(false), '+es', 'A… E… es X…'],
  ];
  for (const [model, what, becomes] of CASES) {
    it(`does '${what}', and it is ${becomes}`, async () => {
      const id = await begin(model);
      await modify(id, what);
      const ended = stateOf(id) === 'active' ? '' : ` ${stateOf(id)}`;
      assert.equal(path(id) + ended, becomes);
    });
  }

  it('goes on as what was begun says', async () => {
    const id = await begin(parallel);
    await modify(id, '-A +join');
    await complete('B');
    assert.equal(path(id), 'fork A✗ B join join C…');
    await complete('C');
    assert.equal(stateOf(id), 'completed');
  });

  it('sets variables where they are known, else on the process, and those of its own on what begins', async () => {
    const id = await begin(sub, { known: 0 });
    await modify(id, '+J|l=2|g:1|known:3');
    assert.deepEqual(engine.variables(id), { known: '3', g: '1' });
    assert.deepEqual(visible('J'), { known: '3', g: '1', l: '2' });
    await complete('J');
    assert.deepEqual(engine.variables(id), { known: '3', g: '1' });
    await modify(id, 'A+|l=7');
    const [own] = tasksOf('I');
    assert.equal(own?.elementId, 'I');
    assert.deepEqual(visible('I').l, '7');
  });

  it('adds an instance to those of a parallel multi-instance, and takes one away', async () => {
    const id = await begin(many(false));
    await modify(id, '+M#multiInstanceBody -A');
    await modify(id, '+M|el=own');
    const counters = () => {
      const body = engine.instance(id).state.scopes.find(({ repeats }) => repeats !== undefined);
      const { nrOfInstances, nrOfActiveInstances, nrOfCompletedInstances } = body?.variables ?? {};
      return [nrOfInstances, nrOfActiveInstances, nrOfCompletedInstances].map((each) => each?.value);
    };
    assert.deepEqual(counters(), [4, 4, 0]);
    const [, , , added] = tasksOf('M');
    assert.deepEqual(visibleTo(added), { ...visibleTo(added), el: 'own', loopCounter: 3 });
    const [first = ''] = numbersOf(id, 'M');
    await modify(id, [{ type: 'cancel', activityInstanceId: first }]);
    assert.deepEqual(counters(), [4, 3, 0]);
    for (let n = 0; n < 3; n++) await complete('M');
    assert.match(path(id), /C…$/);
  });

  it('begins in the ancestor that is named, where there are several', async () => {
    const id = await begin(sub);
    await modify(id, '+S +S');
    const [first = '', second = ''] = numbersOf(id, 'S');
    const refusal = await refusalOf(modify(id, '+J'));
    assert.match(refusal, /^BAD_REQUEST: expected which of these 'J' begins in: /);
    assert.ok(refusal.includes(`'${first}', '${second}'`));
    await modify(id, [{ type: 'startBeforeActivity', activityId: 'J', ancestorActivityInstanceId: second }]);
    const [begun] = history(id).filter(({ activityId }) => activityId === 'J');
    assert.equal(begun?.parentActivityInstanceId, second);
    await modify(id, [{ type: 'startBeforeActivity', activityId: 'J', ancestorActivityInstanceId: id }]);
    assert.equal(numbersOf(id, 'S').length, 3);
    const [a = ''] = numbersOf(id, 'A');
    const within = [{ type: 'startBeforeActivity', activityId: 'J', ancestorActivityInstanceId: a } as const];
    assert.match(await refusalOf(modify(id, within)), /^BAD_REQUEST: .*that is active and can hold 'J'/);
  });

  it('cancels what waits for its transaction, by the id of its token', async () => {
    const id = await begin(bpmn(line(['A', 'B'], task('A') + task('B', { 'camunda:asyncBefore': 'true' }))));
    await modify(id, '+B');
    assert.equal(engine.all(jobs).length, 1);
    const token = engine.instance(id).state.tokens.find(({ wait }) => wait?.kind === 'job');
    await modify(id, [{ type: 'cancel', transitionInstanceId: `${id}:${token?.id}` }]);
    assert.deepEqual([engine.all(jobs), path(id)], [[], 'A…']);
    await modify(id, '+B -B');
    assert.deepEqual([engine.all(jobs), path(id)], [[], 'A…']);
  });

  it('carries out an instruction when the one before has come to rest, also where the run is cut in between', async () => {
    engine = new EngineHarness({ stepsMax: 1 });
    const work = ['a', 'b', 'c'];
    const id = await begin(
      bpmn(line(['A', ...work, 'T'], task('A') + work.map((each) => element('task', each)).join('') + task('T'))),
    );
    await modify(id, '+a -T +T');
    await engine.settle();
    assert.equal(path(id), 'A… a b c T✗ T…');
    assert.equal(engine.instance(id).state.modifying, undefined);
  });

  it('keeps the process while instructions are to come, and lets what is in it end as the last one says', async () => {
    const id = await begin(two);
    await modify(id, [
      { type: 'cancel', activityInstanceId: id },
      { type: 'startBeforeActivity', activityId: 'B' },
    ]);
    assert.equal(path(id), 'A✗ B…');
    await modify(id, [{ type: 'cancel', activityInstanceId: id }]);
    assert.equal(stateOf(id), 'cancelled');
    assert.equal(engine.instance(id).deleteReason, 'modified by admin');
    assert.deepEqual(tasksOf('B'), []);
  });

  it('cancels what was active at an activity before, where that is said, and not what has come there by it', async () => {
    const id = await begin(two);
    const current = (activityId: string) =>
      ({ type: 'cancel', activityId, cancelCurrentActiveActivityInstances: true }) as const;
    await modify(id, [{ type: 'startBeforeActivity', activityId: 'A' }, current('A')]);
    assert.equal(path(id), 'A✗ A…');
    await modify(id, [...steps('+A'), current('A'), ...steps('+B -A')]);
    assert.equal(path(id), 'A✗ A✗ A✗ B…');
  });

  it('tells the listeners of a process that ends by it at what it has ended, and that it is cancelled where nothing is left', async () => {
    const tell = (name: string) =>
      `<camunda:executionListener event="end" expression="\${execution.setVariable('${name}', execution.${name})}"/>`;
    const told = `<bpmn:extensionElements>${tell('currentActivityId')}${tell('canceled')}</bpmn:extensionElements>`;
    const model = bpmn(told + line(['A', 'B'], task('A') + task('B')));
    const id = await begin(model, {});
    await modify(id, '-A +end');
    assert.deepEqual([stateOf(id), engine.variables(id)], ['completed', { currentActivityId: 'end', canceled: false }]);
    const other = await engine.start();
    await modify(other, '-A');
    assert.deepEqual(
      [stateOf(other), engine.variables(other)],
      ['cancelled', { currentActivityId: null, canceled: true }],
    );
  });

  it('tells listeners and maps inputs and outputs, unless it is to skip them', async () => {
    const listener = `<bpmn:extensionElements><camunda:executionListener event="start" expression="\${execution.setVariable('told', 'yes')}"/>
      <camunda:inputOutput><camunda:inputParameter name="in">1</camunda:inputParameter></camunda:inputOutput></bpmn:extensionElements>`;
    const id = await begin(bpmn(line(['A', 'B'], task('A') + element('userTask', 'B', {}, listener))), {});
    await modify(id, '+B -A', { skipCustomListeners: true, skipIoMappings: true });
    assert.deepEqual(visible('B'), {});
    await modify(id, '-B +B');
    assert.deepEqual(visible('B'), { told: 'yes', in: '1' });
  });

  it('is refused for what the model or the instance does not have, and changes nothing', async () => {
    const id = await begin(two);
    const refused = (what: Parameters<typeof modify>[1]) => refusalOf(modify(id, what));
    assert.match(
      await refused('+A +Bb'),
      /^BAD_REQUEST: expected an activity of process 'p', such as 'B' as 'activityId', but found 'Bb'/,
    );
    assert.match(await refused('-Bb'), /^BAD_REQUEST: expected an activity/);
    assert.match(
      await refused('>A-C'),
      /^BAD_REQUEST: expected a sequence flow of process 'p', such as 'A-B' as 'transitionId'/,
    );
    assert.match(
      await refused('end+'),
      /^BAD_REQUEST: expected an activity with one outgoing sequence flow, or a transitionId/,
    );
    assert.match(await refused([]), /^BAD_REQUEST: expected at least one instruction/);
    assert.equal(
      await refused([{ type: 'startBeforeActivity', activityId: 'B', transitionId: 'A-B' }]),
      "BAD_REQUEST: expected nothing beside 'activityId' of an instruction 'startBeforeActivity' as 'transitionId', but found 'A-B'",
    );
    for (const given of ['variables', 'localVariables'])
      assert.equal(
        await refused([{ type: 'startBeforeActivity', activityId: 'B', [given]: inputs({ nrOfInstances: 5 }) }]),
        `BAD_REQUEST: expected no counter of a multi-instance, which has as many instances as are begun and cancelled in it as '${given}', but found 'nrOfInstances'`,
      );
    assert.match(await refused([{ type: 'cancel' }]), /^BAD_REQUEST: expected an instruction 'cancel' with one of/);
    assert.match(
      await refused([{ type: 'cancel', activityInstanceId: `${id}:999` }]),
      /^BAD_REQUEST: expected an activity instance that is active/,
    );
    assert.match(
      await refused([{ type: 'cancel', activityInstanceId: 'other:1' }]),
      /^BAD_REQUEST: expected the id of something in process instance/,
    );
    assert.equal(path(id), 'A…');
    const as = { processInstanceId: id, instructions: steps('+B') };
    assert.match(await refusalOf(engine.run(engine.api.modifyProcessInstance, as, ann)), /^FORBIDDEN/);
    assert.match(await refusalOf(modify('nobody', '+B')), /^NOT_FOUND/);
    await modify(id, '-A');
    assert.match(await refusalOf(modify(id, '+B')), /^CONFLICT: .*is cancelled/);
  });

  it('is refused for more of a sequential multi-instance, and for one of two that a boundary event could interrupt', async () => {
    const id = await begin(many(true));
    await modify(id, '+M#multiInstanceBody');
    assert.match(
      await refusalOf(modify(id, '+M')),
      /^BAD_REQUEST: expected an activity whose instances go on together/,
    );
    const other = await engine.deploy(boundary).then(() => engine.start());
    assert.match(await refusalOf(modify(other, '+A +bi')), /^BAD_REQUEST: expected which of these 'bi' begins in/);
  });

  it('cancels the compensation of a sub-process by the number that it had, with what compensates in it', async () => {
    const event = '<bpmn:compensateEventDefinition/>';
    const undoable = `${element('startEvent', 's')}${task('I')}${element('boundaryEvent', 'b', { attachedToRef: 'I' }, event)}
      ${task('H', { isForCompensation: 'true' })}<bpmn:association id="as" sourceRef="b" targetRef="H" associationDirection="One"/>${flows('s', 'I')}`;
    const throws = element('intermediateThrowEvent', 'T', {}, event);
    const id = await begin(bpmn(line(['S', 'T', 'C'], element('subProcess', 'S', {}, undoable) + throws + task('C'))));
    const [subProcess = null] = numbersOf(id, 'S');
    await complete('I');
    assert.equal(path(id), 'S I T… H…');
    await modify(id, [{ type: 'cancel', activityInstanceId: subProcess }]);
    assert.equal(path(id), 'S I T H✗ C…');
  });

  it('is refused for a compensation event at an activity, to which no token comes', async () => {
    const handled = `${element('boundaryEvent', 'c', { attachedToRef: 'A' }, '<bpmn:compensateEventDefinition/>')}${task('h', { isForCompensation: 'true' })}<bpmn:association id="as" sourceRef="c" targetRef="h"/>`;
    const id = await begin(bpmn(line(['A'], task('A')) + handled));
    const wanted = /^BAD_REQUEST: expected something to which tokens come.*compensation boundary event 'c'/;
    assert.match(await refusalOf(modify(id, '+c')), wanted);
    assert.equal(path(id), 'A…');
  });

  it('begins nothing while the instance is suspended, and may cancel', async () => {
    const id = await begin(two);
    await modify(id, '+B');
    await engine.run(engine.api.suspendProcessInstance, { id }, admin);
    assert.match(await refusalOf(modify(id, '+B')), /^CONFLICT: .*is suspended/);
    await modify(id, '-B');
    assert.equal(path(id), 'A… B✗');
    await modify(id, '-A');
    assert.equal(stateOf(id), 'cancelled');
  });
});
