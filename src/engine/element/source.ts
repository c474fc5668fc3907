import type { Source } from '../model/program.js';
import { type At, evaluate } from './evaluate.js';
import { executionFailed } from './failure.js';
import type { Run } from './run.js';
import { runScript } from './script.js';

/** The value of an expression or a script. @throws EXECUTION_FAILED */
export function evaluateSource(run: Run, at: At, source: Source): unknown {
  if (source.kind === 'expression' || source.language.toLowerCase() === 'juel') return evaluate(run, at, source.text);
  return runScript(run, at, source.language, source.text);
}

/** Whether a condition holds. As in Camunda it must be true or false, nothing that could be taken for it. @throws EXECUTION_FAILED */
export function holds(run: Run, at: At, condition: Source): boolean {
  const value = evaluateSource(run, at, condition);
  if (typeof value === 'boolean') return value;
  const found = value === null || value === undefined ? 'null' : `a ${typeof value}`;
  throw executionFailed(at.place, {
    expected: `condition '${condition.text}' to be true or false`,
    cause: `condition expression returns non-Boolean: it is ${found}`,
    ...(condition.kind === 'script' ? { script: condition.text } : { expression: condition.text }),
  });
}
