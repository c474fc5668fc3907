import { ask } from './ask.js';
import type { At } from './evaluate.js';
import { executionFacts } from './execution-bean.js';
import { executionFailed } from './failure.js';
import { native } from './native.js';
import { apply } from './outcome.js';
import type { Run } from './run.js';
import { visible } from './variables.js';

/** Runs a script through an ask: the sandbox is not the interpreter's. What the script set is set. Gives its result. @throws EXECUTION_FAILED */
export function runScript(run: Run, at: At, language: string, source: string): unknown {
  const question = {
    language,
    source,
    elementId: at.place.element.id,
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
  return native(apply(run, at, answer.value));
}
