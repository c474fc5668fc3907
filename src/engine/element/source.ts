import type { Source } from '../model/program.js';
import { type At, evaluate, evaluateTyped } from './evaluate.js';
import { executionFailed } from './failure.js';
import type { TypedValue } from './instance-state.js';
import { native } from './native.js';
import type { Run } from './run.js';
import { runScript } from './script.js';

/** The value of an expression or a script. @throws EXECUTION_FAILED */
export function evaluateSource(run: Run, at: At, source: Source): unknown {
  if (isExpression(source)) return evaluate(run, at, source.text);
  return native(runScript(run, at, source.language, source.text));
}

/** As {@link evaluateSource}, with the type that a variable gets of it. @throws EXECUTION_FAILED */
export function typedSource(run: Run, at: At, source: Source): TypedValue {
  if (isExpression(source)) return evaluateTyped(run, at, source.text);
  return runScript(run, at, source.language, source.text);
}

/** A script in Camunda's expression language needs no sandbox. */
const isExpression = (source: Source): source is Exclude<Source, { kind: 'script' }> =>
  source.kind === 'expression' || source.language.toLowerCase() === 'juel';

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
