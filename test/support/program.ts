import type {
  AdHoc,
  Condition,
  Element,
  ElementType,
  EventDefinition,
  Flow,
  Listener,
  Loop,
  MultiInstance,
  Program,
  UserTaskDefinition,
  VariableChange,
  WorkDefinition,
} from '../../src/engine/model/program.js';
import { withReach } from '../../src/engine/model/reach.js';

/** What a test says of an element; the rest is computed. */
export interface ElementSpec
  extends Partial<Omit<Element, 'parent' | 'attachedTo' | 'defaultFlow' | 'type' | 'compensation'>> {
  /** The id of its compensation handler. */
  readonly undo?: string;
  readonly type: ElementType;
  /** The id of the sub-process that holds it. */
  readonly in?: string;
  /** The id of the activity that a boundary event is attached to. */
  readonly on?: string;
}

/**
 * A program from its elements by id, and its flows as `a -> b`, `a -> b : ${condition}` or `a -> b : default`. `listeners`: of the process, or by
 * the flow's text.
 */
export function program(
  elements: Readonly<Record<string, ElementSpec>>,
  flows: readonly string[],
  listeners: {
    readonly process?: readonly Listener[];
    readonly flows?: Readonly<Record<string, readonly Listener[]>>;
  } = {},
): Program {
  const ids = ['process', ...Object.keys(elements)];
  const specs: readonly ElementSpec[] = [
    { type: 'process', listeners: listeners.process ?? [] },
    ...Object.values(elements),
  ];
  const indexOf = (id: string) => {
    const index = ids.indexOf(id);
    if (index < 0) throw new RangeError(`no element '${id}'`);
    return index;
  };
  const read = flows.map((text) => readFlow(text, indexOf, listeners.flows?.[text]));
  const built = specs.map((spec, index): Element => {
    const parts = (wanted: (other: ElementSpec) => boolean) =>
      specs.flatMap((other, at) => (wanted(other) ? [at] : []));
    const within = (other: ElementSpec) => (other.in === undefined ? 0 : indexOf(other.in)) === index;
    const flowsWhere = (wanted: (flow: ReadFlow) => boolean) => read.flatMap((flow, at) => (wanted(flow) ? [at] : []));
    const { in: parent, on, undo, ...given } = spec;
    return {
      ...NOTHING,
      id: ids[index] ?? '',
      activityType: spec.type,
      parent: index === 0 ? -1 : parent === undefined ? 0 : indexOf(parent),
      incoming: flowsWhere(({ flow }) => flow.target === index),
      outgoing: flowsWhere(({ flow }) => flow.source === index),
      defaultFlow: flowsWhere(({ flow, isDefault }) => isDefault && flow.source === index)[0] ?? null,
      startEvents: parts((other) => other.type === 'startEvent' && within(other)),
      ...(parts((other) => isTriggered(other) && within(other)).length > 0 && {
        eventSubProcesses: parts((other) => isTriggered(other) && within(other)),
      }),
      boundaries: parts((other) => other.on !== undefined && other.on === ids[index]),
      attachedTo: on === undefined ? null : indexOf(on),
      ...(undo !== undefined && { compensation: indexOf(undo) }),
      ...given,
    };
  });
  const plain = read.map(({ flow }) => flow);
  return { ...PROGRAM, elements: withReach(built, plain) ?? built, flows: plain };
}

const isTriggered = ({ triggeredByEvent }: ElementSpec) => triggeredByEvent === true;

// Short words for elements.
export const start = (more: Partial<ElementSpec> = {}): ElementSpec => ({ type: 'startEvent', ...more });
export const end = (more: Partial<ElementSpec> = {}): ElementSpec => ({ type: 'endEvent', ...more });
export const task = (more: Partial<ElementSpec> = {}): ElementSpec => ({ type: 'task', ...more });
export const gateway = (kind: 'exclusive' | 'parallel' | 'inclusive' | 'eventBased' | 'complex'): ElementSpec => ({
  type: `${kind}Gateway`,
});
export const userTask = (
  definition: Partial<UserTaskDefinition> = {},
  more: Partial<ElementSpec> = {},
): ElementSpec => ({
  type: 'userTask',
  userTask: { ...USER_TASK, ...definition },
  ...more,
});
export const service = (
  text: string,
  resultVariable: string | null = null,
  more: Partial<ElementSpec> = {},
): ElementSpec => ({
  type: 'serviceTask',
  work: { kind: 'expression', text, resultVariable },
  ...more,
});
export const script = (
  text: string,
  resultVariable: string | null = null,
  more: Partial<ElementSpec> = {},
): ElementSpec => ({
  type: 'scriptTask',
  work: { kind: 'script', language: 'javascript', text, resultVariable },
  ...more,
});
export const handled = (name: string, more: Partial<ElementSpec> = {}): ElementSpec => ({
  type: 'serviceTask',
  work: handler(name),
  ...more,
});
export const handler = (
  name: string,
  resultVariable: string | null = null,
  fields: Readonly<Record<string, string>> = {},
): WorkDefinition => ({ kind: 'handler', name, resultVariable, fields });
export const subProcess = (more: Partial<ElementSpec> = {}): ElementSpec => ({ type: 'subProcess', ...more });
/** An ad-hoc sub-process. */
export const adHoc = (rules: Partial<AdHoc> = {}, more: Partial<ElementSpec> = {}): ElementSpec => ({
  type: 'subProcess',
  adHoc: { sequential: false, completionCondition: null, cancelRemaining: true, ...rules },
  ...more,
});
/** An event sub-process; its start event says by `interrupting` what it does to the scope around. */
export const eventSubProcess = (more: Partial<ElementSpec> = {}): ElementSpec => ({
  type: 'subProcess',
  triggeredByEvent: true,
  ...more,
});
export const boundary = (on: string, event: EventDefinition, interrupting = true, more: Partial<ElementSpec> = {}) =>
  ({ type: 'boundaryEvent', on, event, interrupting, ...more }) satisfies ElementSpec;
export const catching = (event: EventDefinition, more: Partial<ElementSpec> = {}): ElementSpec => ({
  type: 'intermediateCatchEvent',
  event,
  ...more,
});
export const throwing = (event: EventDefinition | null, more: Partial<ElementSpec> = {}): ElementSpec => ({
  type: 'intermediateThrowEvent',
  event,
  ...more,
});

export const timer = (kind: 'date' | 'duration' | 'cycle', text: string): EventDefinition => ({
  kind: 'timer',
  timer: kind,
  text,
});
export const message = (name: string, work: WorkDefinition | null = null): EventDefinition => ({
  kind: 'message',
  name,
  work,
});
export const signal = (name: string): EventDefinition => ({ kind: 'signal', name });
export const escalation = (code: string | null, codeVariable: string | null = null): EventDefinition => ({
  kind: 'escalation',
  code,
  codeVariable,
});
export const condition = (
  text: string,
  variable: string | null = null,
  changes: readonly VariableChange[] = [],
): EventDefinition => ({ kind: 'conditional', condition: { kind: 'expression', text }, variable, changes });
/** Any of the events, or (`together`) all of them. */
export const compensate = (activity: string | null = null, wait = true): EventDefinition => ({
  kind: 'compensate',
  activity,
  wait,
});
export const anyOf = (...parts: EventDefinition[]): EventDefinition => ({ kind: 'multiple', parallel: false, parts });
export const together = (...parts: EventDefinition[]): EventDefinition => ({ kind: 'multiple', parallel: true, parts });
export const error = (
  code: string | null,
  more: Partial<Extract<EventDefinition, { kind: 'error' }>> = {},
): EventDefinition => ({
  kind: 'error',
  code,
  codeVariable: null,
  messageVariable: null,
  message: null,
  ...more,
});
export const listener = (event: string, text: string, on: 'execution' | 'task' = 'execution'): Listener => ({
  on,
  event,
  source: { kind: 'expression', text },
});

/** A multi-instance of so many instances, or with an item of the variable `list` each. */
export const multi = (count: number | 'list', more: Partial<MultiInstance> = {}): Loop => ({
  kind: 'multiInstance',
  sequential: false,
  cardinality: count === 'list' ? null : { kind: 'expression', text: `\${${count}}` },
  collection: count === 'list' ? { kind: 'variable', name: count } : null,
  elementVariable: null,
  completionCondition: null,
  ...more,
});
export const when = (text: string): Condition => ({ kind: 'expression', text });

interface ReadFlow {
  readonly flow: Flow;
  readonly isDefault: boolean;
}

function readFlow(text: string, indexOf: (id: string) => number, listeners: readonly Listener[] | undefined): ReadFlow {
  const [, source = '', target = '', rest] = /^(\w+) -> (\w+)(?: : (.*))?$/.exec(text) ?? [];
  const isDefault = rest === 'default';
  const condition = rest === undefined || isDefault ? null : ({ kind: 'expression', text: rest } as const);
  return {
    isDefault,
    flow: {
      id: text,
      name: null,
      source: indexOf(source),
      target: indexOf(target),
      condition,
      ...(listeners !== undefined && { listeners }),
    },
  };
}

const USER_TASK: UserTaskDefinition = {
  assignee: null,
  owner: null,
  candidateUsers: [],
  candidateGroups: [],
  dueDate: null,
  followUpDate: null,
  priority: null,
  formKey: null,
};

const NOTHING = {
  name: null,
  documentation: null,
  interrupting: false,
  event: null,
  asyncBefore: false,
  asyncAfter: false,
  exclusive: true,
  retryCycle: null,
  userTask: null,
  work: null,
  io: null,
  listeners: [],
  reachedFrom: null,
} as const;

const PROGRAM = {
  format: 1,
  key: 'process',
  name: null,
  documentation: null,
  versionTag: null,
  category: null,
  historyTimeToLive: null,
  candidateStarterUsers: [],
  candidateStarterGroups: [],
} as const;
