import { ask } from './ask.js';
import type { At } from './evaluate.js';
import { type ExecutionFacts, executionFacts } from './execution-bean.js';
import { executionFailed } from './failure.js';
import type { TypedValue, Variables } from './instance-state.js';
import { apply } from './outcome.js';
import type { Run } from './run.js';
import { type TaskView, taskView } from './task-view.js';
import { visible } from './variables.js';

/** What a script is asked with: how it is run, and what it sees. The same run asks the same. */
export interface ScriptQuestion {
  readonly language: string;
  readonly source: string;
  readonly elementId: string;
  /** The time it sees, ms. */
  readonly now: number;
  /** Decides its random numbers. */
  readonly seed: string;
  readonly execution: ExecutionFacts;
  /** Of a task listener. */
  readonly task?: TaskView;
  readonly variables: Variables;
}

/** Runs a script through an ask: the sandbox is not the interpreter's. What the script set is set. Gives its result. @throws EXECUTION_FAILED */
export function runScript(run: Run, at: At, language: string, source: string): TypedValue {
  const question: ScriptQuestion = {
    language,
    source,
    elementId: at.place.element.id,
    now: run.context.now,
    seed: run.context.ids.next(),
    ...(at.task !== undefined && { task: taskView(at, at.task) }),
    execution: executionFacts(run, at),
    variables: visible(run, at.scope),
  };
  const answer = ask(run, 'script', question);
  if ('error' in answer) {
    throw executionFailed(at.place, {
      expected: `to run the ${language} script`,
      script: source,
      cause: answer.error.message,
    });
  }
  return apply(run, at, answer.value);
}
