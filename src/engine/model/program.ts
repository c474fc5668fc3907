import type { CallDefinition, Given } from './call-definition.js';
import type { FormSource } from './form.js';
import type { Condition, DataDeclaration, Mapping, Source } from './source.js';
import type { Fields, WorkDefinition } from './work-definition.js';

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
  /** `camunda:isStartableInTasklist`. Absent: true. */
  readonly isStartableInTasklist?: false;
  /** The time zone whose clocks and days count where a time names none. Absent: UTC. */
  readonly timeZone?: string;
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
  /** Null: always taken. A default flow, and flows from parallel and event-based gateways, never have one. */
  readonly condition: Condition | null;
  /** `take` listeners, in document order; absent where there is none. */
  readonly listeners?: readonly Listener[];
}

/** BPMN's element names with a small first letter, as the API shows them (`ActivityInstance.activityType` distinguishes events further). */
export type ElementType =
  | 'process'
  | 'subProcess'
  | 'task'
  | 'userTask'
  | 'callActivity'
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
  | 'complexGateway'
  | 'eventBasedGateway';

export interface Element {
  readonly id: string;
  readonly name: string | null;
  readonly type: ElementType;
  /** The history's word: `noneEndEvent`, `boundaryTimer`, `userTask` … as Camunda writes it. */
  readonly activityType: string;
  /** The scope that holds it; -1 for the process. Elements stand in document order, so a scope comes before what it holds. */
  readonly parent: number;
  /** The names of the lanes that it is drawn in, from the outermost on. Absent: those of what holds it. */
  readonly lanes?: readonly string[];
  readonly incoming: readonly number[];
  readonly outgoing: readonly number[];
  readonly defaultFlow: number | null;
  /** The start events of a scope (process, sub-process), in document order; of a process also receive tasks and event-based gateways that start it. */
  readonly startEvents: readonly number[];
  /** The event sub-processes of a scope, in document order. Absent: none. */
  readonly eventSubProcesses?: readonly number[];
  /** Of an event-based gateway that starts instances: it waits for all events behind it. */
  readonly parallelEvents?: true;
  /** Of a complex gateway that waits for tokens: with which of them it goes on. */
  readonly activationCondition?: Condition;
  /** How many tokens an activity takes to begin, and gives when it is done. Absent: 1. */
  readonly startQuantity?: number;
  readonly completionQuantity?: number;
  /** Of a transaction: it can be cancelled. */
  readonly transaction?: true;
  /** Of an activity with a compensation boundary event: its handler. */
  readonly compensation?: number;
  /** Of a compensation handler. */
  readonly isForCompensation?: true;
  /** Of an ad-hoc sub-process. */
  readonly adHoc?: AdHoc;
  /** Of an event sub-process, which begins by its start event alone. */
  readonly triggeredByEvent?: true;
  /** The boundary events attached to this activity. */
  readonly boundaries: readonly number[];
  /** The activity that a boundary event is attached to. */
  readonly attachedTo: number | null;
  /** `cancelActivity` of a boundary event, `isInterrupting` of a start event of an event sub-process; false elsewhere. An error interrupts. */
  readonly interrupting: boolean;
  readonly event: EventDefinition | null;
  readonly asyncBefore: boolean;
  readonly asyncAfter: boolean;
  readonly exclusive: boolean;
  /** `camunda:failedJobRetryTimeCycle`, as written. */
  readonly retryCycle: string | null;
  /** `camunda:jobPriority`, as written; of the process: of all elements that say nothing. Absent: 0. */
  readonly jobPriority?: string;
  readonly userTask: UserTaskDefinition | null;
  readonly work: WorkDefinition | null;
  /** Of a call activity. */
  readonly call?: CallDefinition | null;
  /**
   * `camunda:inputOutput` of an activity. `keeps`, as Camunda 8 has it: what it is given as it ends (results, variables of workers, messages and errors) is its own, its
   * outputs alone leave it, and none do where it is interrupted.
   */
  readonly io: {
    readonly inputs: readonly Mapping[];
    readonly outputs: readonly Mapping[];
    readonly keeps?: true;
  } | null;
  /** The variables that the element's scope begins with, and their types: its data objects, properties, inputs and outputs. Absent: it declares none. */
  readonly data?: readonly DataDeclaration[];
  readonly listeners: readonly Listener[];
  /**
   * Of an inclusive gateway with more than one incoming flow, and of a complex one that waits for tokens; null elsewhere. Entry i belongs to `incoming[i]`: the set of elements from
   * which a token can still reach that flow without visiting this gateway, read with `canReach(set, element)` of reach.ts.
   *
   * Bits are set for the elements of the gateway's own scope and for everything inside of their sub-processes (a token in there counts as
   * one in the sub-process); an activity reaches what its boundary events reach; a flow's source reaches the flow. The gateway itself is in
   * no set.
   *
   * BPMN 2.0 §13.4.3, table 13.3: the gateway that has a token is activated when no token elsewhere *in its scope instance* (those of the
   * scopes within included), at element e, is waited for. A token at e is waited for when e is in the set of at least one empty incoming
   * flow and in none of the sets of the incoming flows that have a token.
   */
  readonly reachedFrom: readonly string[] | null;
  readonly documentation: string | null;
  /** `camunda:initiator` of a start event: the variable that gets the id of the user who starts the instance. Absent: none. */
  readonly initiator?: string;
  /** The form of a start event. Absent: none. */
  readonly startForm?: FormSource;
  /** `camunda:formKey` of a start event. Absent: none. */
  readonly startFormKey?: string;
  /** How the activity is repeated. Absent: it is not. What the element says itself is said of each of its instances, but for its boundary events, asyncBefore and asyncAfter: those are of the whole. */
  readonly loop?: Loop;
}

/** BPMN's `loopCharacteristics` of an activity. */
export type Loop = MultiInstance | StandardLoop;

export interface MultiInstance {
  readonly kind: 'multiInstance';
  readonly sequential: boolean;
  /** How many instances; null: as many as the collection has items. One of both is there. */
  readonly cardinality: Source | null;
  /** A variable's name, or an expression. */
  readonly collection: { readonly kind: 'variable'; readonly name: string } | Source | null;
  /** The variable that has an instance's item; null: none. */
  readonly elementVariable: string | null;
  /** The variable in which the instances' outputs are gathered, and the one that each has its own in, or how it is made. Absent: nothing is gathered. */
  readonly output?: {
    readonly list: string;
    readonly item: string | Source;
    /** The variable that each has of its own, where `item` is made of one. Absent: none. */
    readonly own?: string;
  };
  /** The `loopCounter` of the first instance. Absent: 0. */
  readonly first?: 1;
  /** Evaluated when an instance has completed. */
  readonly completionCondition: Condition | null;
  /** Events that are thrown when an instance has completed, those of conditions in their order. Absent: none. */
  readonly throws?: readonly LoopEvent[];
  /** Of each instance. Absent: as of an element that says nothing. */
  readonly each?: Pick<Element, 'asyncBefore' | 'asyncAfter' | 'exclusive' | 'retryCycle'>;
}

/** A sub-process whose activities are chosen, one by one. */
export interface AdHoc {
  /** Whether another one is chosen only when nothing in it runs any more. */
  readonly sequential: boolean;
  /** Evaluated when an activity in it has completed. null: it is complete when nothing runs any more, once something did. */
  readonly completionCondition: Condition | null;
  /** Whether what still runs is cancelled when the condition holds. */
  readonly cancelRemaining: boolean;
  /** Gives the ids of what begins with it. Absent: nothing does. */
  readonly first?: Source;
}

/** An event that a multi-instance throws: for each instance that completes, for the first one, or where the condition holds. */
export interface LoopEvent {
  readonly when: 'each' | 'first' | Condition;
  readonly event: EventDefinition;
}

export interface StandardLoop {
  readonly kind: 'standard';
  readonly testBefore: boolean;
  readonly maximum: number | null;
  readonly condition: Condition | null;
}

/** `camunda:executionListener` and `camunda:taskListener` with an expression, a script or a registered handler. */
export interface Listener {
  readonly on: 'execution' | 'task';
  /** start, end, take | create, assignment, complete, delete, update, timeout */
  readonly event: string;
  readonly source: Source | { readonly kind: 'handler'; readonly name: string; readonly fields?: Fields };
  /** Of `timeout`: when it is told. */
  readonly timer?: TimerEvent;
  /** Of `timeout`: by what a migration knows it again. Absent also in programs of former versions. */
  readonly id?: string;
}

export type EventDefinition =
  /**
   * Literal ISO 8601 text (checked), Quartz cron (cycle; six or seven fields, checked) or an expression that gives one. As in Camunda, a date
   * may be given as a duration and a duration as a date. `cron`: of what the expression gives days of the week have the numbers of Spring, as in Camunda 8.
   */
  | {
      readonly kind: 'timer';
      readonly timer: 'date' | 'duration' | 'cycle';
      readonly text: string;
      readonly cron?: 'spring';
    }
  /**
   * Catch: a subscription by name (of a receive task without a message: its id). Throw and end: `work` is done if there is one, else whatever waits for the name is correlated. The name is
   * literal or an expression (a start event's is literal).
   */
  | { readonly kind: 'message'; readonly name: string; readonly work: WorkDefinition | null; readonly given?: Given }
  /** The name as of a message; `given`, of one that is thrown: what it takes along. */
  | { readonly kind: 'signal'; readonly name: string; readonly given?: Given }
  /** Boundary: code null catches every error. End: a literal or an expression, never null; so is `message` (`camunda:errorMessage`). */
  | {
      readonly kind: 'error';
      readonly code: string | null;
      readonly codeVariable: string | null;
      readonly messageVariable: string | null;
      readonly message: string | null;
    }
  | { readonly kind: 'terminate' }
  /** Boundary and start: code null catches every escalation. Throw and end: a literal or an expression, never null. */
  | { readonly kind: 'escalation'; readonly code: string | null; readonly codeVariable: string | null }
  /**
   * Looked at when a variable that it reads has changed, and when it begins to be waited for. `variable`, `changes`: only then, and only when that one
   * was created, updated or deleted (`camunda:variableName`, `camunda:variableEvents`). null, empty: whatever it reads, and any change.
   */
  | {
      readonly kind: 'conditional';
      readonly condition: Condition;
      readonly variable: string | null;
      readonly changes: readonly VariableChange[];
    }
  /**
   * Throw and end: compensates what has completed in its scope, or only the activity of this id; `wait`: goes on when that is done. Boundary: its
   * handler is its activity's `compensation`. Start: of an event sub-process that compensates what holds it.
   */
  | { readonly kind: 'compensate'; readonly activity: string | null; readonly wait: boolean }
  /** End: cancels its transaction. Boundary: where a transaction goes on that was cancelled. */
  | { readonly kind: 'cancel' }
  /** Catch: where the tokens of the throw events of this name go on. The flows into those lead here. */
  | { readonly kind: 'link'; readonly name: string }
  /** Catch: any of the parts, or (`parallel`) each of them once. Throw and end: all parts, in their order. A part is never `multiple` or `link`. */
  | { readonly kind: 'multiple'; readonly parallel: boolean; readonly parts: readonly EventDefinition[] };

export type TimerEvent = Extract<EventDefinition, { kind: 'timer' }>;
export type * from './call-definition.js';
export type * from './source.js';
export type * from './work-definition.js';

/** Change of a variable that a conditional event looks at. */
export type VariableChange = 'create' | 'update' | 'delete';

export type ConditionalEvent = Extract<EventDefinition, { kind: 'conditional' }>;
export type CompensateEvent = Extract<EventDefinition, { kind: 'compensate' }>;
export type ErrorEvent = Extract<EventDefinition, { kind: 'error' }>;
export type EscalationEvent = Extract<EventDefinition, { kind: 'escalation' }>;

/** The definitions of an event: none, one, or the parts of a multiple event. */
export function partsOf(event: EventDefinition | null | undefined): readonly EventDefinition[] {
  if (event == null) return [];
  return event.kind === 'multiple' ? event.parts : [event];
}

export interface UserTaskDefinition {
  /** `camunda:assignee` or a human performer's expression. */
  readonly assignee: string | null;
  readonly owner: string | null;
  /** With the potential owners' `user(x)` and `group(y)`. Comma lists, as Camunda reads them: each entry literal or expression. */
  readonly candidateUsers: readonly string[];
  readonly candidateGroups: readonly string[];
  readonly dueDate: string | null;
  readonly followUpDate: string | null;
  readonly priority: string | null;
  readonly formKey: string | null;
  /** Absent: none. */
  readonly form?: FormSource;
}
