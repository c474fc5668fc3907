import type { Repeat } from '../../expression/index.js';
import type { DecisionOutcome } from '../decision/outcome.js';
import type { NewExternalTask } from './external-facts.js';
import type { Variables } from './typed-value.js';

/** Effects of a run on the world outside of its state, in order. */
export type Effect =
  | { readonly type: 'createTask'; readonly task: NewTask }
  /** The task's scope was left; `reason` completed or cancelled. */
  | { readonly type: 'endTask'; readonly taskId: string; readonly outcome: 'completed' | 'cancelled' }
  | { readonly type: 'createExternalTask'; readonly task: NewExternalTask }
  /** The task's scope was left; absent `isCancelled`: a worker has ended it. */
  | { readonly type: 'endExternalTask'; readonly taskId: string; readonly isCancelled?: true }
  /** A listener changed the task. */
  | { readonly type: 'updateTask'; readonly taskId: string; readonly task: TaskFacts }
  /** A listener, expression or script gave the instance another business key. */
  | { readonly type: 'businessKey'; readonly businessKey: string | null }
  | { readonly type: 'createJob'; readonly job: RunJob }
  /** The job is not wanted any more. Not said of the job that is the run's input: that one is done. */
  | { readonly type: 'removeJob'; readonly jobId: string }
  | { readonly type: 'subscribe'; readonly subscription: RunSubscription }
  /** Said of the subscription that is the run's input, too, where it has had its event. */
  | { readonly type: 'unsubscribe'; readonly subscriptionId: string }
  /** A throw event: others get it after the commit; the instance's own tokens have had it. `steps`: how many have led to it since the last wait. */
  | {
      readonly type: 'throwSignal';
      readonly name: string;
      readonly elementId: string;
      readonly steps: number;
      /** Of instances that start by it. */
      readonly businessKey: string | null;
      readonly variables: Variables;
    }
  /** As a signal, but nobody has had it where `own` names several subscriptions of the instance: a message is for one. */
  | {
      readonly type: 'throwMessage';
      readonly name: string;
      readonly elementId: string;
      readonly steps: number;
      /** Of the instance that is meant, and of one that starts by it. Absent: the thrower's. */
      readonly businessKey?: string;
      readonly variables?: Variables;
      readonly own?: readonly string[];
    }
  /** A decision was evaluated: history. */
  | {
      readonly type: 'decided';
      readonly definitionId: string;
      readonly elementId: string;
      readonly activity: number | null;
      readonly outcome: DecisionOutcome;
    }
  /** What waits for the token is the element's from now on, which is another program's. */
  | ({
      readonly type: 'moved';
      readonly wait: WaitingThing;
      readonly id: string;
      readonly element: number;
      readonly tokenId: number;
    } & Renewed)
  /** A large scope was left: what rests in it is to be cleared. */
  | { readonly type: 'abandon'; readonly scope: number }
  /** What has completed is not to be compensated any more: of what was not there, these bundles, and those before them. */
  | { readonly type: 'discard'; readonly bundles: readonly number[] }
  /** Up to that number, what rests in large scopes is to take what the instance defers. */
  | { readonly type: 'defer'; readonly until: number }
  /** The instance that was called is not wanted any more. Where it has not started, its job goes. */
  | { readonly type: 'cancelCalled'; readonly instanceId: string }
  /** Of an instance that another one called: that one is told how it ended. */
  | ({ readonly type: 'return'; readonly steps: number } & CalledOutcome)
  /** Likewise: an escalation that nothing in it catches. */
  | { readonly type: 'escalate'; readonly code: string; readonly steps: number }
  | { readonly type: 'ended'; readonly outcome: 'completed' | 'cancelled' | 'failed'; readonly reason: string | null };

/** Renewed wait of a timer, or of a message's or signal's subscription. Absent: as it was. */
interface Renewed {
  readonly dueAt?: number;
  readonly eventName?: string;
}

/** Something that a token waits for, and that is stored. */
type WaitingThing = 'task' | 'job' | 'subscription' | 'external' | 'called';

/** What a process is called with. */
export interface CalledProcess {
  readonly process: string;
  readonly binding: 'latest' | 'deployment' | 'version' | 'versionTag';
  readonly version: string | null;
  readonly businessKey: string | null;
  readonly variables: Variables;
  /** The steps that had led to it since the last wait. */
  readonly steps: number;
}

/** A called instance that is to be compensated. */
export interface Undone {
  readonly undoes: string;
  /** The steps that had led to it since the last wait. */
  readonly steps: number;
}

/** How a called instance ended. Failed: with its error. */
export interface CalledOutcome {
  readonly outcome: 'completed' | 'cancelled' | 'failed';
  readonly error: { readonly code: string; readonly message: string | null } | null;
}

export interface NewTask extends TaskFacts {
  readonly id: string;
  readonly tokenId: number;
  readonly activity: number;
  readonly element: number;
  readonly formKey: string | null;
}

/** Facts of a task that listeners and expressions see, and may change. */
export interface TaskFacts {
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
  /** Of a task that is there already. */
  readonly formKey?: string | null;
  /** ms. Of a task that is there already. */
  readonly created?: number;
}

/** A task while its listeners run; they may change it. */
export interface TaskDraft {
  readonly id: string;
  facts: TaskFacts;
  changed: boolean;
  /** Whether a listener has completed it. */
  completed?: true;
  /** Of a task that is being made, as the model says it now. */
  formKey(): string | null;
}

export interface RunJob {
  readonly id: string;
  /** Absent: 0. */
  readonly priority?: number;
  readonly type: 'timer' | 'continuation' | 'call' | 'called' | 'undo';
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
  /** It starts a called process; the instance has the job's id. */
  readonly called?: CalledProcess;
  /** It starts an instance that compensates this one; that has the job's id. */
  readonly undoes?: Undone;
  /** A cycle timer: what is left of it, for the job that follows. */
  readonly repeat?: Repeat;
  /** The run has stalled after so many steps without a wait: the job waits for an operator. */
  readonly stalled?: number;
}

export interface RunSubscription {
  readonly id: string;
  readonly eventType: 'message' | 'signal';
  readonly eventName: string;
  readonly element: number;
  readonly tokenId: number;
}
