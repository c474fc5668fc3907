/**
 * A process, compiled: an immutable table that the interpreter walks. Plain JSON, made once per deployment. Elements and flows are named by
 * their position; element 0 is the process itself, the outermost scope.
 */
export interface Program {
  /** Written by every compiler; the interpreter refuses a newer one. */
  readonly format: 1;
  readonly key: string;
  readonly name: string | null;
  readonly documentation: string | null;
  readonly versionTag: string | null;
  readonly category: string | null;
  /** `camunda:historyTimeToLive`, as written. */
  readonly historyTimeToLive: string | null;
  readonly candidateStarterUsers: readonly string[];
  readonly candidateStarterGroups: readonly string[];
  readonly elements: readonly Element[];
  readonly flows: readonly Flow[];
}

export interface Flow {
  readonly id: string;
  readonly name: string | null;
  readonly source: number;
  readonly target: number;
  readonly condition: Condition | null;
}

/** BPMN's element names with a small first letter, as the API shows them (`ActivityInstance.activityType` distinguishes events further). */
export type ElementType =
  | 'process'
  | 'subProcess'
  | 'task'
  | 'userTask'
  | 'serviceTask'
  | 'sendTask'
  | 'receiveTask'
  | 'scriptTask'
  | 'manualTask'
  | 'businessRuleTask'
  | 'startEvent'
  | 'intermediateCatchEvent'
  | 'intermediateThrowEvent'
  | 'boundaryEvent'
  | 'endEvent'
  | 'exclusiveGateway'
  | 'parallelGateway'
  | 'inclusiveGateway'
  | 'eventBasedGateway';

export interface Element {
  readonly id: string;
  readonly name: string | null;
  readonly type: ElementType;
  /** The history's word: `noneEndEvent`, `boundaryTimer`, `userTask` … as Camunda writes it. */
  readonly activityType: string;
  /** The scope that holds it; -1 for the process. */
  readonly parent: number;
  readonly incoming: readonly number[];
  readonly outgoing: readonly number[];
  readonly defaultFlow: number | null;
  /** The start events of a scope (process, sub-process), in document order. */
  readonly startEvents: readonly number[];
  /** The boundary events attached to this activity. */
  readonly boundaries: readonly number[];
  /** The activity that a boundary event is attached to. */
  readonly attachedTo: number | null;
  /** `cancelActivity` of a boundary event, `isInterrupting` of a start event of an event sub-process. */
  readonly interrupting: boolean;
  readonly event: EventDefinition | null;
  readonly asyncBefore: boolean;
  readonly asyncAfter: boolean;
  readonly exclusive: boolean;
  /** `camunda:failedJobRetryTimeCycle`, as written. */
  readonly retryCycle: string | null;
  readonly userTask: UserTaskDefinition | null;
  readonly work: WorkDefinition | null;
  /** `camunda:inputOutput` of an activity. */
  readonly io: { readonly inputs: readonly Mapping[]; readonly outputs: readonly Mapping[] } | null;
  readonly listeners: readonly Listener[];
  /** The flows from which a token can still reach this inclusive gateway, per element: bit i of the hex text is element i. Null elsewhere. */
  readonly reachedFrom: string | null;
  readonly documentation: string | null;
}

/** A value given as literal text, `${…}` expression or script. */
export type Source =
  | { readonly kind: 'expression'; readonly text: string }
  | { readonly kind: 'script'; readonly language: string; readonly text: string };

export type Condition = Source;

export type MappingValue =
  | Source
  | { readonly kind: 'list'; readonly items: readonly MappingValue[] }
  | { readonly kind: 'map'; readonly entries: readonly { readonly key: string; readonly value: MappingValue }[] }
  | { readonly kind: 'null' };

export interface Mapping {
  readonly name: string;
  readonly value: MappingValue;
}

/** `camunda:executionListener` and `camunda:taskListener` with an expression, a script or a registered handler. */
export interface Listener {
  readonly on: 'execution' | 'task';
  /** start, end, take | create, assignment, complete, delete, update, timeout */
  readonly event: string;
  readonly source: Source | { readonly kind: 'handler'; readonly name: string };
}

export type EventDefinition =
  | { readonly kind: 'timer'; readonly timer: 'date' | 'duration' | 'cycle'; readonly text: string }
  | { readonly kind: 'message'; readonly name: string; readonly work: WorkDefinition | null }
  | { readonly kind: 'signal'; readonly name: string }
  | {
      readonly kind: 'error';
      readonly code: string | null;
      readonly codeVariable: string | null;
      readonly messageVariable: string | null;
      readonly message: string | null;
    }
  | { readonly kind: 'terminate' };

export interface UserTaskDefinition {
  readonly assignee: string | null;
  readonly owner: string | null;
  /** Comma lists, as Camunda reads them: each entry literal or expression. */
  readonly candidateUsers: readonly string[];
  readonly candidateGroups: readonly string[];
  readonly dueDate: string | null;
  readonly followUpDate: string | null;
  readonly priority: string | null;
  readonly formKey: string | null;
}

/** What a service-like task does. */
export type WorkDefinition =
  | { readonly kind: 'expression'; readonly text: string; readonly resultVariable: string | null }
  | {
      readonly kind: 'script';
      readonly language: string;
      readonly text: string;
      readonly resultVariable: string | null;
    }
  /** `camunda:delegateExpression`, `camunda:class` or `camunda:topic`: the name of a registered handler. */
  | {
      readonly kind: 'handler';
      readonly name: string;
      readonly resultVariable: string | null;
      readonly fields: Readonly<Record<string, string>>;
    };
