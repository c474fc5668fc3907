import type { IdSource } from '../../shared/ids.js';
import type { Answered, Ask } from '../../store/index.js';
import type { Program, UserTaskDefinition } from '../model/program.js';

/** A variable's types, spelt as the API spells them. */
export type VariableType = 'String' | 'Long' | 'Integer' | 'Double' | 'Boolean' | 'Date' | 'Json' | 'Null';

/** A typed value. Date: ISO 8601 text, UTC, milliseconds. Long beyond 2^53: text. */
export interface TypedValue {
  readonly type: VariableType;
  readonly value: unknown;
}

export type Variables = Record<string, TypedValue>;

/**
 * A running instance as the interpreter knows it: scopes (where variables and children live) and tokens (where control is), apart.
 * Stored with the instance's document; the interpreter changes it in place.
 */
export interface InstanceState {
  /** The next number for a token, scope or activity instance. Numbers are never used twice. */
  next: number;
  scopes: Scope[];
  tokens: Token[];
}

/** An activity that holds others, or variables of its own: the process, a sub-process, an activity with local variables. */
export interface Scope {
  readonly id: number;
  /** null for the process. */
  readonly parent: number | null;
  readonly element: number;
  variables: Variables;
}

/** One point of control. `executionId` of the API is `<instanceId>:<token id>`, of the process scope the instance's id. */
export interface Token {
  readonly id: number;
  element: number;
  /** The scope it moves in. */
  scope: number;
  /** The flow by which it came; joins count per flow. null where no flow led here. */
  via: number | null;
  /** The activity instance it is in, once entered: `<instanceId>:<n>` in the API. */
  activity: number | null;
  /** What it waits for; absent while it moves. */
  wait?: Wait;
  /** The scope that this activity opened: a sub-process's, or that of local variables. */
  opens?: number;
  /** What its boundary events wait for. */
  boundaries?: { readonly element: number; readonly wait: Wait }[];
}

export type Wait =
  | { readonly kind: 'task'; readonly id: string }
  | { readonly kind: 'job'; readonly id: string; readonly of: 'timer' | 'before' | 'after' | 'call' | 'cut' }
  | { readonly kind: 'subscription'; readonly id: string }
  | { readonly kind: 'join' }
  | { readonly kind: 'scope' };

/** What moves an instance. `variables` go where Camunda puts them: to the scope that has the name, else to the process. */
export type Input =
  /** `element`: the id of the start event that was triggered; null: the none start event. */
  | { readonly type: 'start'; readonly element: string | null; readonly variables: Variables }
  | {
      readonly type: 'completeTask';
      readonly taskId: string;
      readonly variables: Variables;
      readonly localVariables: Variables;
    }
  /** A timer, a continuation, or a run that was cut. */
  | { readonly type: 'job'; readonly jobId: string }
  | { readonly type: 'callDone'; readonly jobId: string; readonly result: TypedValue; readonly variables: Variables }
  /** A handler ended with a BPMN error; caught by a boundary event, else the scope's end. */
  | {
      readonly type: 'callError';
      readonly jobId: string;
      readonly code: string;
      readonly message: string | null;
      readonly variables: Variables;
    }
  /** A message or a signal arrived for this subscription. */
  | { readonly type: 'trigger'; readonly subscriptionId: string; readonly variables: Variables }
  | {
      readonly type: 'setVariables';
      readonly tokenId: number | null;
      readonly local: boolean;
      readonly variables: Variables;
      readonly removed: readonly string[];
    }
  | { readonly type: 'cancel'; readonly reason: string };

/** What the interpreter is told beside state and input. */
export interface RunContext {
  readonly now: number;
  readonly ids: IdSource;
  readonly instanceId: string;
  readonly definitionId: string;
  readonly businessKey: string | null;
  /** Who acts. */
  readonly userId: string;
  /** The answers so far, in the order of the asks. */
  readonly answers: readonly Answered[];
  /** What is registered under a handler's name. `inline` handlers are asked, others become call jobs. */
  handler(name: string): 'inline' | 'call' | undefined;
  /** Steps after which the run is cut by a continuation. */
  readonly stepsMax: number;
  /** Whether the run has used up its time; asked every 32 steps. */
  expired?(): boolean;
}

/** What a run did to the world outside of its state, in order. */
export type Effect =
  | { readonly type: 'createTask'; readonly task: NewTask }
  /** The task's scope was left; `reason` completed or cancelled. */
  | { readonly type: 'endTask'; readonly taskId: string; readonly outcome: 'completed' | 'cancelled' }
  | { readonly type: 'createJob'; readonly job: RunJob }
  | { readonly type: 'removeJob'; readonly jobId: string }
  | { readonly type: 'subscribe'; readonly subscription: RunSubscription }
  | { readonly type: 'unsubscribe'; readonly subscriptionId: string }
  /** A throw event: others get it after the commit. */
  | { readonly type: 'throwSignal'; readonly name: string; readonly elementId: string }
  | { readonly type: 'throwMessage'; readonly name: string; readonly elementId: string }
  | { readonly type: 'ended'; readonly outcome: 'completed' | 'cancelled' | 'failed'; readonly reason: string | null };

export interface NewTask {
  readonly id: string;
  readonly tokenId: number;
  readonly activity: number;
  readonly element: number;
  readonly name: string | null;
  readonly description: string | null;
  readonly assignee: string | null;
  readonly owner: string | null;
  readonly candidateUsers: readonly string[];
  readonly candidateGroups: readonly string[];
  /** ms */
  readonly due: number | null;
  readonly followUp: number | null;
  readonly priority: number;
  readonly formKey: string | null;
}

export interface RunJob {
  readonly id: string;
  readonly type: 'timer' | 'continuation' | 'call';
  readonly dueAt: number;
  /** A run that was cut and a call go on by themselves; timers and asyncBefore/After wait for the clock. */
  readonly immediate: boolean;
  readonly exclusive: boolean;
  readonly retryCycle: string | null;
  readonly element: number;
  readonly tokenId: number;
  /** A call: the handler's name, its fields and the variables that it may see. */
  readonly call?: {
    readonly handler: string;
    readonly fields: Readonly<Record<string, string>>;
    readonly variables: Variables;
  };
  /** A cycle timer: what is left of it, for the job that follows. */
  readonly repeat?: { readonly text: string; readonly left: number | null };
}

export interface RunSubscription {
  readonly id: string;
  readonly eventType: 'message' | 'signal';
  readonly eventName: string;
  readonly element: number;
  readonly tokenId: number;
}

/**
 * The history of a run, compact. [0, n, element, parent n, task id | null]: activity instance n began; [1, n]: it completed;
 * [2, n]: it was cancelled; [3, n, element, parent n]: it began and completed at once.
 */
export type HistoryEntry =
  | readonly [0, number, number, number, string | null]
  | readonly [1, number]
  | readonly [2, number]
  | readonly [3, number, number, number];

export type RunResult =
  | {
      readonly state: InstanceState;
      readonly effects: readonly Effect[];
      readonly history: readonly HistoryEntry[];
      readonly steps: number;
    }
  | { readonly ask: Ask };

/**
 * The interpreter: moves the tokens until every one waits. Pure: the same arguments give the same result. Changes `state` in place; a state
 * whose run threw or asked must be thrown away. @throws EXECUTION_FAILED (element, expression or script, cause)
 */
export type Advance = (program: Program, state: InstanceState, input: Input, context: RunContext) => RunResult;

export type { UserTaskDefinition };
