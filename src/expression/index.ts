export { ExchangeFailure } from './exchange/failure.js';
export type { Position } from './exchange/language.js';
export type { BeanFunction, ExpressionContext } from './juel/compile.js';
export { dateBean } from './juel/date-bean.js';
export {
  compileExpression,
  type Expression,
  evaluateCondition,
} from './juel/expression.js';
export type { Bean } from './juel/value.js';
export type {
  ScriptDone,
  ScriptFailure,
  ScriptResult,
  ScriptRun,
  ScriptVariable,
} from './script/script-run.js';
export { ScriptSandbox } from './script/script-sandbox.js';
export { scriptProblems } from './script/script-syntax.js';
export { firstOfCycle, nextOfCycle, parseCycle, parseRetryCycle, type Repeat } from './time/cycle.js';
export { parseDateTime, parseInstant } from './time/date-time.js';
export { addDuration, parseDuration } from './time/duration.js';
