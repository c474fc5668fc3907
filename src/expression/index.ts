export { type DateBean, dateBean } from './juel/date-bean.js';
export {
  type BeanFunction,
  compileExpression,
  type Expression,
  type ExpressionContext,
  evaluateCondition,
} from './juel/expression.js';
export type { TypedResult } from './juel/typed-result.js';
export type { Bean } from './juel/value.js';
export type {
  ScriptDone,
  ScriptExecution,
  ScriptFailure,
  ScriptResult,
  ScriptRun,
  ScriptType,
  ScriptVariable,
} from './script/script-run.js';
export { ScriptSandbox, type ScriptSandboxOptions } from './script/script-sandbox.js';
export { scriptProblems } from './script/script-syntax.js';
export { type Cycle, parseCycle } from './time/cycle.js';
export { parseDateTime } from './time/date-time.js';
export { addDuration, type Duration, isDuration, parseDuration } from './time/duration.js';
export { parseInstant } from './time/instant.js';
export { parseRetryCycle, type RetryCycle } from './time/retry-cycle.js';
