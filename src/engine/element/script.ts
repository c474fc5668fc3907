import { ask } from './ask.js';
import type { At } from './evaluate.js';
import { type ExecutionFacts, executionFacts, parentId } from './execution-bean.js';
import { executionFailed } from './failure.js';
import type { TypedValue, Variables } from './instance-state.js';
import { apply } from './outcome.js';
import type { Run } from './run.js';
import { type TaskView, taskView } from './task-view.js';
import { ownNames } from './variable-bean.js';
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
  readonly execution: ExecutionFacts & { readonly parentId?: string | null };
  /** Of a task listener. */
  readonly task?: TaskView;
  readonly variables: Variables;
  /** Which of them are the activity's own. Absent: a former version asked. */
  readonly own?: readonly string[];
}

/** Runs a script through an ask: the sandbox is not the interpreter's. What the script set is set. Gives its result. @throws EXECUTION_FAILED */
export function runScript(run: Run, at: At, language: string, source: string): TypedValue {
  const question: ScriptQuestion = {
    language,
    source,
    elementId: at.place.element.id,
    now: run.context.now,
    seed: run.context.ids.next(),
    ...(at.task !== undefined && { task: taskView(run, at, at.task) }),
    execution: factsFor(run, at),
    variables: visible(run, at.scope),
    ...(run.rules >= 3 && { own: ownNames(run, at) }),
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

/** The question of a run that is replayed is the one that it asked. */
function factsFor(run: Run, at: At): ScriptQuestion['execution'] {
  const facts = executionFacts(run, at);
  return run.rules < 3 ? facts : { ...facts, parentId: parentId(run, at) };
}
