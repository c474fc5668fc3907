export { evaluateAlone } from './alone.js';
export { ExchangeFailure } from './exchange/failure.js';
export type { Position } from './exchange/language.js';
export { compileFeel } from './feel/feel.js';
export { isEqual } from './feel/feel-body.js';
export { type FeelExpression, type FeelResult, type FeelScope, mayRunLong } from './feel/feel-expression.js';
export { mayBeMentioned, mayNeedShape, shapeOf } from './feel/feel-shape.js';
export type { FeelKind, FeelShape } from './feel/feel-syntax.js';
export { readAt, readDate, readDateTime, readTime } from './feel/feel-temporal.js';
export { isOfType } from './feel/feel-type.js';
export { type FeelValue, fromFeel, toFeel, weigh } from './feel/feel-value.js';
export { feelin, loadFeelin } from './feel/feelin.js';
export { simpleConstant, simplePath } from './feel/simple-feel.js';
export type { BeanFunction, ExpressionContext } from './juel/compile.js';
export { dateBean } from './juel/date-bean.js';
export {
  compileExpression,
  type Expression,
  evaluateCondition,
} from './juel/expression.js';
export { spinJson } from './juel/spin.js';
export type { Bean } from './juel/value.js';
export { ScriptPool, type ScriptSandboxOptions } from './script/script-pool.js';
export type {
  ScriptDone,
  ScriptFailure,
  ScriptResult,
  ScriptRun,
  ScriptVariable,
  ThreadOptions,
  ThreadReply,
  ThreadRequest,
} from './script/script-run.js';
export { loadScripts, ScriptSandbox } from './script/script-sandbox.js';
export { scriptProblems } from './script/script-syntax.js';
export {
  endOfDuration,
  firstOfCycle,
  nextOfCycle,
  parseCycle,
  parseRetryCycle,
  type Repeat,
  shifted,
} from './time/cycle.js';
export { parseDateTime, parseInstant } from './time/date-time.js';
export { addDuration, parseDuration } from './time/duration.js';
export { quartzOf } from './time/spring-cron.js';
export { inZone } from './time/zone.js';
