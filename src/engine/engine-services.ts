import type { ParsedDecisions } from './decision/compile-decisions.js';
import type { DecisionStore } from './decision-store.js';
import type { Advance } from './element/instance-state.js';
import type { Handlers } from './handlers.js';
import type { ParsedModel } from './model/compile-model.js';
import type { ModelFiles } from './model/report.js';
import type { ProgramStore } from './program-store.js';

/** Services of the engine's operations and jobs. */
export interface EngineServices {
  /** The interpreter. */
  readonly advance: Advance;
  readonly programs: ProgramStore;
  readonly decisions: DecisionStore;
  readonly handlers: Handlers;
  /** Compiles the executable processes of a BPMN file, with the files that it names, outside of the main thread; handlers that are not registered are warned of. @throws BAD_REQUEST, LIMIT_EXCEEDED, UNAVAILABLE */
  readonly parseModel: (xml: string, files: ModelFiles, handlers: readonly string[]) => Promise<ParsedModel>;
  /** Compiles a DMN file, outside of the main thread. @throws BAD_REQUEST, LIMIT_EXCEEDED, UNAVAILABLE */
  readonly parseDecisions: (xml: string) => Promise<ParsedDecisions>;
  /** Answers the interpreter's asks, by kind: scripts, FEEL. */
  readonly evaluators: Readonly<Record<string, (question: unknown) => Promise<unknown>>>;
  /** Steps after which a run is cut. Default 1,000. */
  readonly stepsMax?: number;
  /** Steps of an instance without a wait, after which it stalls with an incident. Default 100,000. */
  readonly unwaitedStepsMax?: number;
  /** Begins a run's time; the function says whether it is used up. Default: never. */
  readonly runClock?: () => () => boolean;
}

export const STEPS_MAX = 1_000;
export const UNWAITED_STEPS_MAX = 100_000;
