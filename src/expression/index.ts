export type { BeanFunction, ExpressionContext } from './juel/compile.js';
export { type DateBean, dateBean } from './juel/date-bean.js';
export {
  compileExpression,
  type Expression,
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
export { type Cycle, parseCycle, parseRetryCycle, type RetryCycle } from './time/cycle.js';
export { parseDateTime, parseInstant } from './time/date-time.js';
export { addDuration, type Duration, isDuration, parseDuration } from './time/duration.js';
