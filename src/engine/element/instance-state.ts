import type { Ask } from '../../store/index.js';
import type { Program, UserTaskDefinition } from '../model/program.js';
import type { CalledOutcome, Effect } from './effect.js';
import type { ExternalFacts } from './external-facts.js';
import type { HistoryEntry } from './history-entry.js';
import type { ModifyInput, Modifying } from './modification.js';
import type { MigrationInput, Move } from './move.js';
import type { RunContext } from './run-context.js';
import type { TypedValue, Variables } from './typed-value.js';
import type { Armed, Wait } from './wait.js';

/**
 * A running instance as the interpreter knows it: scopes (where variables and children live) and tokens (where control is), apart.
 * Stored with the instance's document; the interpreter changes it in place.
 */
export interface InstanceState {
  /** The next number for a token, scope or activity instance. Numbers are never used twice. */
  next: number;
  scopes: Scope[];
  tokens: Token[];
  /** Another instance has called it, and is told of its end. */
  called?: true;
  /** Called, and completed: its caller may still compensate it, so what that needs is kept. */
  undoable?: true;
  /** It compensates that instance, which has completed: nothing else happens in it. */
  undoes?: string;
  /** Its start event waits for its asyncBefore, and the listeners of the process hear of the start behind that. */
  untold?: true;
  /** It is being modified: what is still to be done when nothing moves. */
  modifying?: Modifying;
  /** The first error that an end event threw and nothing caught: the instance ends as failed. */
  uncaught?: { readonly code: string; readonly elementId: string };
  /** Migrations and cancellations that some of what rests in large scopes is still to take, in their order. */
  moves?: Move[] | undefined;
}

/** An activity that holds others, or variables of its own: the process, a sub-process, an activity with local variables. */
export interface Scope {
  /** 0 for the process; else the number of the activity instance that opened it. So a token's `scope` is also its activity's parent. */
  readonly id: number;
  /** null for the process. */
  parent: number | null;
  element: number;
  variables: Variables;
  /** Of a large scope: how many tokens are directly in it, whether they are here or away. */
  size?: number;
  /** Of a large scope: the first number of tokens that may be away. Absent: 0. */
  from?: number;
  /** Of a large scope: the element that it was of before each migration that some of what rests in it is still to take, by the migration's number. */
  was?: (readonly [n: number, element: number])[];
  /** A token has come through it after that move, which others in it are still to take. */
  through?: number;
  /** Likewise: the last cancellation that has taken a token out of it. */
  lost?: number;
  /** Its activity was taken away by a migration: it stands for what rests in it, and is in another scope when it has taken that. */
  husk?: true;
  /** It was left while tokens rested in it: they are cleared away by and by, in silence, or with their listeners told. */
  abandoned?: 'silent' | 'told';
  /** Of the body of an activity that repeats: how far it is. */
  repeats?: Repeats;
  /** What has completed in it and can be compensated, in that order. */
  done?: Done[] | undefined;
  /** Its activity has completed: it is kept for its compensation. */
  kept?: true | undefined;
  /** It is nobody's, but holds what has completed: a bundle. */
  isBundle?: true;
  /** Of a user task: the names of variables that are the task's, rather than its activity's. */
  ofTask?: string[];
  /** What the start events of its event sub-processes wait for. */
  events?: Armed[] | undefined;
  /** An interrupting event sub-process has begun in it: no other one does. */
  interrupted?: true;
}

/** An activity that has completed and can be compensated. */
export interface Done {
  readonly element: number;
  /** The scope that it left behind: its variables, and what has completed in it. Absent: it had none. */
  readonly scope?: number;
  /** The instance that it called, which is compensated by its process's own event sub-process. */
  readonly called?: string;
  /** It is no activity, but the bundle of many that have completed one after the other. */
  readonly bundle?: number;
}

/** Something that is to be compensated, and the scope in which it completed. */
export interface Compensated extends Done {
  readonly within: number;
}

/** What an instance that can be compensated has left behind: the variables of its process, and what has completed in it. */
export type LeftBehind = Pick<InstanceState, 'next' | 'scopes'>;

/** Instances of an activity that repeats. */
export interface Repeats {
  /** How many there are to be; null: as many as the loop's condition lets. */
  readonly total: number | null;
  begun: number;
  /** How many have completed. */
  ended: number;
  /** The `loopCounter` of the first. Absent: 0. */
  readonly first?: 1;
  /** How many instances a modification has added, less those that it has cancelled. Absent: 0. */
  extra?: number;
  /** The scope of what the body keeps for itself, if it does. */
  aside?: number;
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
  wait?: Wait | undefined;
  /** The scope that this activity opened: a sub-process's, or that of local variables. */
  opens?: number | undefined;
  /** Of a start event that waits for several together: the part that has come first. Of a receive task that starts the instance: its message has come. */
  part?: number | undefined;
  /** Of the token that stands for a complex gateway as it waits for its reset: the flows from which it has taken tokens. */
  took?: readonly number[] | undefined;
  /** Of what compensates: what is still to be compensated, the next one last. */
  compensation?: Compensated[] | undefined;
  /** Of what is done to compensate: the token that waits for it. */
  compensates?: number;
  /** Of a compensation handler that is to begin: the scope that its activity has left behind. */
  recalls?: number | undefined;
  /** Variables that its activity has for itself as it begins. */
  given?: Variables | undefined;
  /** Of an instance of a loop: it has done its work, and its body is to go on. */
  left?: true;
  /** What its boundary events wait for; of an event-based gateway, the events behind it. */
  boundaries?: Armed[] | undefined;
  /** Of one in a large scope: the last migration or cancellation that it has taken. */
  moved?: number;
  /** Of one in a large scope: it is never away. */
  stays?: true;
}

/** Of a message or signal that a process threw: the steps that had led to it since the last wait. Absent: it came from outside, and is a wait. */
export type ThrownAfter = number | undefined;

/** Input of a run: it moves an instance. `variables` go where Camunda puts them: to the scope that has the name, else to the process. */
export type Input =
  /** `element`: the id of the start event that was triggered; null: none was, so it begins at its none start event, or the one that there is. */
  | {
      readonly type: 'start';
      readonly element: string | null;
      /** Of a multiple start event: which of its parts came. */
      readonly part?: number;
      /** Another instance calls it. */
      readonly called?: true;
      readonly variables: Variables;
      readonly steps?: ThrownAfter;
      /** The instance that has ended and begins anew by it. */
      readonly restarts?: string;
      /** Nothing begins but what this says. */
      readonly modification?: ModifyInput;
    }
  /** Of a new instance: it is to compensate the one that has this id and left that behind. */
  | { readonly type: 'undo'; readonly undoes: string; readonly left: LeftBehind; readonly steps: number }
  | {
      readonly type: 'completeTask';
      readonly taskId: string;
      readonly variables: Variables;
      readonly localVariables: Variables;
    }
  /** Who has a user task ends it with a BPMN error. Not caught by a boundary event: EXECUTION_FAILED. */
  | {
      readonly type: 'taskError';
      readonly taskId: string;
      readonly code: string;
      readonly message: string | null;
      readonly variables: Variables;
    }
  /** Who has a user task tells of an escalation, which may interrupt it. Not caught by anything: EXECUTION_FAILED. */
  | { readonly type: 'taskEscalation'; readonly taskId: string; readonly code: string; readonly variables: Variables }
  /** A timer, a continuation, or a run that was cut. `shift`: by how much the later times of its cycle are moved, ms. */
  | { readonly type: 'job'; readonly jobId: string; readonly shift?: number | undefined }
  /** A timer of a cycle has failed, and the cycle goes on beside it. `shift`: as above. */
  | { readonly type: 'cycle'; readonly jobId: string; readonly shift?: number | undefined }
  | { readonly type: 'callDone'; readonly jobId: string; readonly result: TypedValue; readonly variables: Variables }
  /** A handler ended with a BPMN error. Not caught by a boundary event: EXECUTION_FAILED. */
  | {
      readonly type: 'callError';
      readonly jobId: string;
      readonly code: string;
      readonly message: string | null;
      readonly variables: Variables;
    }
  /** A worker has done an external task, or failed. `facts`: for the task's error definitions; absent where it has none. */
  | {
      readonly type: 'completeExternalTask' | 'failExternalTask';
      readonly taskId: string;
      readonly variables: Variables;
      readonly localVariables: Variables;
      readonly facts?: ExternalFacts;
    }
  /** A worker ended with a BPMN error. Not caught by a boundary event: EXECUTION_FAILED. */
  | {
      readonly type: 'externalTaskError';
      readonly taskId: string;
      readonly code: string;
      readonly message: string | null;
      readonly variables: Variables;
    }
  /** A called instance has ended, with these variables of its process. */
  | ({
      readonly type: 'calledEnded';
      readonly calledId: string;
      readonly variables: Variables;
      readonly steps: number;
      /** It can be compensated. */
      readonly undoable?: true;
    } & CalledOutcome)
  /** An escalation that nothing in the called instance catches. */
  | {
      readonly type: 'calledEscalated';
      readonly calledId: string;
      readonly code: string;
      readonly steps: number;
      /** Of its process, what the caller takes. Absent: a former version told of it, and nothing was taken. */
      readonly variables?: Variables;
    }
  /**
   * A message or a signal arrived for this subscription. `localVariables`: for the scope of what waits; `scopeVariables`: for what begins by it, an
   * event sub-process or what follows a boundary event, and otherwise for what waits.
   */
  | {
      readonly type: 'trigger';
      readonly subscriptionId: string;
      readonly variables: Variables;
      readonly localVariables?: Variables;
      readonly scopeVariables?: Variables;
      readonly steps?: ThrownAfter;
    }
  /** An activity of the ad-hoc sub-process that opened the scope is chosen: it starts. */
  | {
      readonly type: 'triggerActivity';
      readonly scope: number;
      readonly activityId: string;
      readonly variables: Variables;
    }
  | {
      readonly type: 'setVariables';
      readonly tokenId: number | null;
      readonly local: boolean;
      readonly variables: Variables;
      readonly removed: readonly string[];
      /** They are the task's own, rather than its activity's. */
      readonly ofTask?: true;
      /** The task whose listeners to updates are told, where its own variables change. */
      readonly taskId?: string;
    }
  /** A task was assigned or changed: its listeners run. It need not be in the same command. `variables`: set first, as the task sees them. */
  | {
      readonly type: 'taskEvent';
      readonly taskId: string;
      readonly event: 'assignment' | 'update';
      readonly variables?: Variables;
    }
  /** Tokens that rested in a scope as it was left leave it. `silent`: no listener runs, whatever the scope says. */
  | { readonly type: 'clear'; readonly scope: number; readonly tokens: readonly number[]; readonly silent?: true }
  | ModifyInput
  /** Ends the instance. No listener runs: what is broken can always be cancelled. */
  | { readonly type: 'cancel'; readonly reason: string }
  | MigrationInput;

/**
 * How the interpreter decides; a run is replayed by the rules that it was made by. 1: up to 0.1. 2: as Camunda does where a flow has to be chosen and
 * none is open, where an instance waits for what it throws itself, at asyncAfter, for outputs of what is interrupted, keys of maps, initiators that
 * were given, `update` listeners and errors of end events. 3: scripts are told more of where they run. 4: scopes may be large. 5: what happens together goes on in Camunda's order,
 * and conditions hear of the counters of loops. 6: an inclusive join waits for an activity whose non-interrupting boundary event has come already.
 * 7: inline handlers that listen are told what scripts are told of what they listen to, listeners that a task is deleted whose creation they have failed, those of a process where it begins
 * or ends, behind the asyncBefore of its start event, and end listeners whether their activity is canceled; conditions that name changes alone are
 * looked at after those of any variable; what throws a compensation takes its handlers along as it is cancelled; and conditions hear of what several migrations at once change.
 * 8: of the steps that a large body takes for its instances few count; what a listener of a task sets as the task's own is kept apart; much that has completed is kept in bundles, and sees what is around its loop;
 * what rests in a large scope sees that, as it takes a migration, as it was then; what is cancelled there goes with what is left empty; a script that gives nothing leaves its result variable as it is; what a
 * modification gives to what begins is seen by its inputs, and by the job that it waits for; local inputs of a call activity are its own variables alone; and listeners of a process that begins by instructions are
 * told of what begins first; `timeout` listeners migrate by their ids, and new ones begin; listeners of a process that a modification
 * ends are told at what it has ended, or that it is canceled; scripts are told what hides variables of the process; what is left of a modification goes on by a job of its own; scripts are asked with the
 * variables that they name; and FEEL is asked of a thread also where it goes over what it has made itself, or a round over much.
 */
export const RULES = 8;

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

export type * from './decision-request.js';
export type * from './effect.js';
export type * from './history-entry.js';
export type * from './modification.js';
export type * from './run-context.js';
export type * from './typed-value.js';
export type * from './wait.js';
export type { UserTaskDefinition };
