import { subscriptions, tasks } from '../../../src/engine/collections.js';
import { type Incident, incidents } from '../../../src/store/index.js';
import { bpmn, element, extended, flow, flows, line, timer } from '../../support/bpmn.js';
import { admin, ann, bob, EngineHarness, inputs } from '../../support/engine-harness.js';

/** An instance that waits, and how it goes on to its end. */
export interface Story {
  readonly model: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  /** What was done to it before it was stored. */
  readonly before?: (it: Told) => Promise<unknown>;
  /** What brings it to its end. */
  readonly after: (it: Told) => Promise<unknown>;
}

/** The instance of a story, in the engine. */
export class Told {
  readonly engine: EngineHarness;
  readonly id: string;

  constructor(engine: EngineHarness, id: string) {
    this.engine = engine;
    this.id = id;
  }

  async complete(elementId: string, variables: Readonly<Record<string, unknown>> = {}): Promise<void> {
    const taskId = this.task(elementId);
    await this.engine.run(this.engine.api.completeTask, { taskId, variables: inputs(variables) }, admin);
    await this.settle();
  }

  task(elementId: string): string {
    const [found] = this.engine.all(tasks).filter((it) => it.instanceId === this.id && it.elementId === elementId);
    if (found === undefined) throw new Error(`no task '${elementId}' of '${this.id}'`);
    return found.id;
  }

  /** What goes on by itself, and what is due within so many ms. */
  async settle(ms = 0): Promise<void> {
    await this.engine.settle();
    await this.engine.runDue(this.engine.now + ms);
  }

  async message(messageName: string, variables: Readonly<Record<string, unknown>> = {}): Promise<void> {
    const input = { messageName, processInstanceId: this.id, variables: inputs(variables) };
    await this.engine.run(this.engine.api.correlateMessage, input, admin);
    await this.settle();
  }

  async signal(signalName: string): Promise<void> {
    await this.engine.run(
      this.engine.api.publishSignal,
      { signalName, processInstanceId: this.id, variables: [] },
      admin,
    );
    await this.settle();
  }

  get incidents(): Incident[] {
    return this.engine.all(incidents).filter((it) => it.instanceId === this.id);
  }

  get waits(): string[] {
    return this.engine.all(subscriptions).flatMap((it) => (it.instanceId === this.id ? [it.eventName] : []));
  }
}

/** An engine in which the stories are told: its handlers, scripts and shares of a run. */
export function engineOfStories(): EngineHarness {
  const engine = new EngineHarness({
    stepsMax: 20,
    unwaitedStepsMax: 100,
    evaluators: { script: () => ({ result: 7, variables: { scripted: true } }) },
  });
  engine.handlers.register('worker', ({ variables }) => {
    if (variables.fails === true) throw Object.assign(new Error('it cannot be done'), { stack: undefined });
    return 'worked';
  });
  engine.handlers.register('inline', () => 'at once', { inline: true });
  return engine;
}

const HOUR = 3_600_000;
const input = (name: string, text: string) =>
  `<camunda:inputOutput><camunda:inputParameter name="${name}">${text}</camunda:inputParameter>` +
  `<camunda:outputParameter name="${name}Out">\${${name}}</camunda:outputParameter></camunda:inputOutput>`;
const onMessage = '<bpmn:messageEventDefinition messageRef="m"/>';
const onSignal = '<bpmn:signalEventDefinition signalRef="s"/>';
const catching = (id: string, event: string) => element('intermediateCatchEvent', id, {}, event);
const boundary = (id: string, on: string, event: string, attributes: Readonly<Record<string, string>> = {}) =>
  element('boundaryEvent', id, { attachedToRef: on, ...attributes }, event);
const model = (key: string, body: string) =>
  bpmn(body, {
    key,
    root: '<bpmn:message id="m" name="go"/><bpmn:signal id="s" name="now"/><bpmn:error id="e" errorCode="E"/>',
  });
const fork = (kind: 'parallel' | 'inclusive') =>
  `${element('startEvent', 'start')}${element(`${kind}Gateway`, 'fork')}${element(`${kind}Gateway`, 'join')}
  ${element('userTask', 'a')}${element('userTask', 'b')}${element('endEvent', 'end')}
  ${flows('start', 'fork')}${flow('fork', 'a', kind === 'parallel' ? undefined : '${true}')}
  ${flow('fork', 'b', kind === 'parallel' ? undefined : '${true}')}${flows('a', 'join', 'end')}${flows('b', 'join')}`;

const values = { text: 'T', whole: 7, broken: 1.5, yes: true, nothing: null, list: [1, { deep: 'x' }] };
const candidates = { 'camunda:candidateGroups': 'clerks', 'camunda:formKey': 'form' };
const count = element('serviceTask', 'count', {
  'camunda:expression': '${n + 1}',
  'camunda:resultVariable': 'n',
});

const TASKS: Readonly<Record<string, Story>> = {
  userTask: {
    model: model('userTask', line(['work'], element('userTask', 'work', candidates))),
    variables: { ...values, large: 'x'.repeat(2_000) },
    after: (it) => it.complete('work', { more: 1 }),
  },
  assigned: {
    model: model('assigned', line(['work'], element('userTask', 'work', candidates, extended(input('local', '1'))))),
    before: async ({ engine, ...it }) => {
      const taskId = new Told(engine, it.id).task('work');
      await engine.run(engine.api.setTaskAssignee, { taskId, assignee: ann.userId }, admin);
      await engine.run(engine.api.delegateTask, { taskId, assignee: bob.userId }, ann);
      await engine.run(engine.api.setTaskVariables, { taskId, variables: inputs({ own: 2 }), local: true }, admin);
    },
    after: async (it) => {
      await it.engine.run(it.engine.api.resolveTask, { taskId: it.task('work') }, bob);
      await it.complete('work');
    },
  },
  receiveTask: {
    model: model('receiveTask', line(['wait'], element('receiveTask', 'wait', { messageRef: 'm' }))),
    after: (it) => it.message('go', { told: 'yes' }),
  },
  call: {
    model: model(
      'call',
      line(['work'], element('serviceTask', 'work', { 'camunda:class': 'worker', 'camunda:resultVariable': 'r' })),
    ),
    after: (it) => it.settle(),
  },
  failed: {
    model: model('failed', line(['work'], element('serviceTask', 'work', { 'camunda:class': 'worker' }))),
    variables: { fails: true },
    before: async (it) => {
      for (let n = 0; n < 3; n++) await it.settle(HOUR);
      if (it.incidents.length !== 1) throw new Error(`expected an incident, found ${it.incidents.length}`);
    },
    after: ({ engine, id }) => engine.run(engine.api.cancelProcessInstance, { id, reason: 'in vain' }, admin),
  },
};

const EVENTS: Readonly<Record<string, Story>> = {
  messageCatch: {
    model: model('messageCatch', line(['wait'], catching('wait', onMessage))),
    after: (it) => it.message('go'),
  },
  signalCatch: {
    model: model('signalCatch', line(['wait'], catching('wait', onSignal))),
    after: (it) => it.signal('now'),
  },
  timerCatch: {
    model: model('timerCatch', line(['wait'], catching('wait', timer('duration', 'PT1H')))),
    after: (it) => it.settle(HOUR),
  },
  boundaries: {
    model: model(
      'boundaries',
      `${line(['work'], element('userTask', 'work'))}
      ${boundary('again', 'work', timer('cycle', 'R3/PT1H'), { cancelActivity: 'false' })}${element('task', 'remind')}
      ${boundary('told', 'work', onMessage)}${element('userTask', 'instead')}
      ${boundary('heard', 'work', onSignal, { cancelActivity: 'false' })}${element('task', 'note')}
      ${flows('again', 'remind')}${flows('told', 'instead')}${flows('heard', 'note')}`,
    ),
    before: (it) => it.settle(HOUR),
    after: async (it) => {
      await it.settle(HOUR);
      await it.signal('now');
      await it.message('go');
      await it.complete('instead');
    },
  },
  eventGateway: {
    model: model(
      'eventGateway',
      `${element('startEvent', 'start')}${element('eventBasedGateway', 'either')}${catching('told', onMessage)}
      ${catching('late', timer('duration', 'PT1H'))}${element('endEvent', 'end')}
      ${flows('start', 'either', 'told', 'end')}${flows('either', 'late', 'end')}`,
    ),
    after: (it) => it.message('go'),
  },
};

const FLOW: Readonly<Record<string, Story>> = {
  parallelJoin: {
    model: model('parallelJoin', fork('parallel')),
    before: (it) => it.complete('a'),
    after: (it) => it.complete('b'),
  },
  inclusiveJoin: {
    model: model('inclusiveJoin', fork('inclusive')),
    before: (it) => it.complete('a'),
    after: (it) => it.complete('b'),
  },
  subProcess: {
    model: model(
      'subProcess',
      line(
        ['outer'],
        element(
          'subProcess',
          'outer',
          {},
          `${extended(input('local', '${n}'))}${element('startEvent', 'begin')}
          ${element('subProcess', 'inner', {}, line(['work'], element('userTask', 'work')).replaceAll(/"(start|end)/g, '"inner-$1'))}
          <bpmn:endEvent id="fails"><bpmn:errorEventDefinition errorRef="e"/></bpmn:endEvent>${flows('begin', 'inner', 'fails')}`,
        ),
      ) +
        boundary('caught', 'outer', '<bpmn:errorEventDefinition errorRef="e"/>') +
        element('userTask', 'mend') +
        flows('caught', 'mend'),
    ),
    variables: { n: 5 },
    after: async (it) => {
      await it.complete('work', { local: 6 });
      await it.complete('mend');
    },
  },
  asyncBefore: {
    model: model('asyncBefore', line(['work'], element('task', 'work', { 'camunda:asyncBefore': 'true' }))),
    after: (it) => it.settle(),
  },
  asyncAfter: {
    model: model(
      'asyncAfter',
      line(['work'], element('task', 'work', { 'camunda:asyncAfter': 'true' })) +
        element('userTask', 'other') +
        flow('work', 'other', '${n == 1}'),
    ),
    variables: { n: 1 },
    after: async (it) => {
      await it.engine.runDue();
      await it.complete('other');
    },
  },
  asked: {
    model: model(
      'asked',
      line(
        ['script', 'handled', 'work'],
        element(
          'scriptTask',
          'script',
          { scriptFormat: 'javascript', 'camunda:resultVariable': 'seven' },
          '<bpmn:script>7</bpmn:script>',
        ) +
          element('serviceTask', 'handled', { 'camunda:class': 'inline', 'camunda:resultVariable': 'how' }) +
          element('userTask', 'work'),
      ),
    ),
    after: (it) => it.complete('work'),
  },
  listened: {
    model: model(
      'listened',
      line(
        ['work'],
        element(
          'userTask',
          'work',
          {},
          extended(
            '<camunda:executionListener event="start" class="inline"/><camunda:executionListener event="end" class="inline"/><camunda:taskListener event="create" class="inline"/>',
          ),
        ),
      ),
    ),
    after: (it) => it.complete('work'),
  },
};

const looping = (key: string) =>
  model(
    key,
    `${element('startEvent', 'start')}${element('exclusiveGateway', 'again')}${count}${element('userTask', 'work')}
    ${element('endEvent', 'end')}${element('exclusiveGateway', 'more', { default: 'more-work' })}
    ${flows('start', 'again', 'count', 'more', 'work', 'end')}${flow('more', 'again', '${n < size}')}`,
  );

const LIFE: Readonly<Record<string, Story>> = {
  cut: {
    model: looping('cut'),
    variables: { n: 0, size: 15 },
    after: async (it) => {
      await it.settle();
      await it.complete('work');
    },
  },
  stalled: {
    model: looping('stalled'),
    variables: { n: 0, size: 40 },
    before: async (it) => {
      await it.settle();
      if (it.incidents.length !== 1) throw new Error(`expected an incident, found ${it.incidents.length}`);
    },
    after: async (it) => {
      const [incident] = it.incidents;
      await it.engine.run(it.engine.api.setJobRetries, { incidentId: incident?.id ?? '', retries: 1 }, admin);
      await it.settle();
      await it.complete('work');
    },
  },
  suspended: {
    model: model('suspended', line(['work', 'wait'], element('userTask', 'work') + catching('wait', onMessage))),
    before: ({ engine, id }) => engine.run(engine.api.suspendProcessInstance, { id }, admin),
    after: async (it) => {
      await it.engine.run(it.engine.api.activateProcessInstance, { id: it.id }, admin);
      await it.complete('work');
      await it.message('go');
    },
  },
  swept: {
    model: model('swept', line(['work'], element('userTask', 'work'))),
    before: async (it) => {
      const { definitionId } = it.engine.instance(it.id);
      const input = { id: definitionId, includeInstances: true };
      await it.engine.run(it.engine.api.suspendProcessDefinition, input, admin);
    },
    after: async (it) => {
      await it.settle();
      const { definitionId } = it.engine.instance(it.id);
      const input = { id: definitionId, includeInstances: true };
      await it.engine.run(it.engine.api.activateProcessDefinition, input, admin);
      await it.settle();
      await it.complete('work');
    },
  },
  ended: { model: model('ended', line(['pass'], element('task', 'pass'))), after: (it) => it.settle() },
};

/** Of a loop: its characteristics, behind the task's own content. */
const repeated = (attributes: string, cardinality: number) =>
  `<bpmn:multiInstanceLoopCharacteristics ${attributes}><bpmn:loopCardinality>${cardinality}</bpmn:loopCardinality></bpmn:multiInstanceLoopCharacteristics>`;

const MANY: Readonly<Record<string, Story>> = {
  // Up to the rules 7 each of its instances counted as steps without a wait.
  largeBody: {
    model: model('largeBody', line(['work'], element('userTask', 'work', {}, repeated('isSequential="false"', 60)))),
    before: (it) => it.settle(),
    after: async (it) => {
      const [incident] = it.incidents;
      if (incident !== undefined) {
        await it.engine.run(it.engine.api.setJobRetries, { incidentId: incident.id, retries: 1 }, admin);
        await it.settle();
      }
      for (let n = 0; n < 60; n++) await it.complete('work');
    },
  },
  // What has completed was all kept in its scope.
  compensated: {
    model: model(
      'compensated',
      `${line(
        ['pay', 'work', 'undo'],
        element(
          'serviceTask',
          'pay',
          { 'camunda:expression': '${loopCounter}' },
          repeated('isSequential="false"', 31),
        ) +
          element('userTask', 'work') +
          element('intermediateThrowEvent', 'undo', {}, '<bpmn:compensateEventDefinition/>'),
      )}
      ${boundary('undone', 'pay', '<bpmn:compensateEventDefinition/>')}
      ${element('serviceTask', 'refund', { 'camunda:expression': '${loopCounter}', isForCompensation: 'true' })}
      <bpmn:association id="undone-refund" associationDirection="One" sourceRef="undone" targetRef="refund"/>`,
    ),
    before: (it) => it.settle(),
    after: async (it) => {
      await it.complete('work');
      await it.settle();
    },
  },
  // What a listener of a task sets as the task's own was the activity's.
  ownOfTask: {
    model: model(
      'ownOfTask',
      line(
        ['work', 'then'],
        element(
          'userTask',
          'work',
          {},
          extended('<camunda:taskListener event="create" expression="${task.setVariableLocal(\'own\', 1)}"/>'),
        ) + element('userTask', 'then'),
      ),
    ),
    after: async (it) => {
      await it.complete('work', { own: 2 });
      await it.complete('then');
    },
  },
};

/** By the key of their process. */
export const STORIES: Readonly<Record<string, Story>> = { ...TASKS, ...EVENTS, ...FLOW, ...LIFE, ...MANY };
