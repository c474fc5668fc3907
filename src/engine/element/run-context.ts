import type { IdSource } from '../../shared/ids.js';
import type { Answer, Answered, Ask } from '../../store/index.js';
import type { Program } from '../model/program.js';
import type { Decided, DecisionRequest } from './decision-request.js';
import type { RunSubscription, TaskFacts } from './effect.js';

/** What a run is told of migrations and cancellations that are on their way to what rests in large scopes. */
export interface OnTheWay {
  /** How many tokens that rest elsewhere are to stay, by the outermost large scope. */
  readonly away: Readonly<Record<string, number>>;
  /** Leaves the run, which is made anew when all have taken them. */
  readonly ask: Ask;
}

/** Context of a run, beside state and input. */
export interface RunContext {
  /** By which rules; default: those of now. */
  readonly rules?: number;
  readonly now: number;
  readonly ids: IdSource;
  readonly instanceId: string;
  readonly definitionId: string;
  readonly businessKey: string | null;
  /** Who acts. */
  readonly userId: string;
  /** The groups of who acts. Default: none. */
  groups?(): readonly string[];
  /** The answers so far, in the order of the asks; those that were given at once are added. */
  readonly answers: Answered[];
  /** Answers what takes no time; undefined: the run is left for the answer. Default: all is asked so. */
  answer?(ask: Ask): Answer | undefined;
  /** Kind of the handler that is registered under the name. `inline` handlers are asked, others become call jobs. */
  handler(name: string): 'inline' | 'call' | undefined;
  /** Those that are registered, for the message that one is not. */
  handlerNames?(): readonly string[];
  /** Facts of a task now, for its listeners. Default: what its definition said is not evaluated again, its fields are null. */
  task?(id: string): TaskFacts | undefined;
  /** The ids of the instance's subscriptions to the message or signal, as they were before the run. Default: there are none. */
  subscribed?(type: RunSubscription['eventType'], name: string): readonly string[];
  /** Decides what a business rule task asks for. Default: there are no decisions. @throws NOT_FOUND, EXECUTION_FAILED */
  decide?(request: DecisionRequest): Decided;
  /** The program of a definition that the instance leaves. Default: there is none. */
  program?(definitionId: string): Program;
  /** Tokens that rested in large scopes and were brought back: they take the migrations that they have not taken yet first. Default: none. */
  readonly followed?: readonly number[];
  /** The tokens that rested in large scopes and were brought back, where a modification goes on that looks for them. Default: none goes on. */
  readonly here?: readonly number[];
  /** Migrations and cancellations that are on their way to what rests in large scopes. Default: there are none, or the run does not wait for them. */
  readonly onTheWay?: OnTheWay;
  /** Steps (visits of an element) after which the run is cut by a continuation; at least 1. */
  readonly stepsMax: number;
  /** How many steps the run may take where `before` have led to it since the last wait; then it stalls. Default: as many as it likes. */
  stepsLeft?(before: number): number;
  /** Whether the run has used up its time; asked every 32 steps. */
  expired?(): boolean;
}
