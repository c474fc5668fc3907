export type { BatchBegun } from './batch/batch.js';
export * from './collections.js';
export { DecisionParser } from './decision/decision-parser.js';
export { DecisionThreads } from './decision/decision-threads.js';
export type { DecisionValue, EvaluatedDecision, MatchedRule } from './decision/outcome.js';
export { DecisionStore } from './decision-store.js';
export { advance } from './element/advance.js';
export type { LongDecision } from './element/decision-task.js';
export type { FeelQuestion } from './element/feel.js';
export type { HistoryEntry, TypedValue, Variables } from './element/instance-state.js';
export { createEngine, type Engine, engineModule } from './engine.js';
export {
  externalTaskEventData,
  type ProcessEventData,
  type ProcessInstanceView,
  processEventData,
  type TaskEventData,
  taskEventData,
} from './events.js';
export { BpmnError, type Handler, type HandlerCall, Handlers } from './handlers.js';
export { externalTaskMachine } from './machine/external-task.js';
export { processInstanceMachine } from './machine/process-instance.js';
export { userTaskMachine } from './machine/user-task.js';
export { ModelParser } from './model/model-parser.js';
export type { Program } from './model/program.js';
export type { FetchAndLock, FetchedTopic } from './operation/fetch-external-tasks.js';
export { withoutNote } from './operation/job.js';
export type { ApiOperations, JobOperations } from './operations.js';
export { ProgramStore } from './program-store.js';
export { activityHistory, activityPage } from './reader/activity-history.js';
export { type EngineGauges, engineGauges, taskCounts } from './reader/counts.js';
export { messageReceivers } from './reader/message-receivers.js';
export { engineLists } from './reader/reader-module.js';
export { isLike, type SoughtVariable, type VariableOperator, variableSearch } from './reader/variable-search.js';
export {
  activitiesIn,
  decisionXml,
  definitionXml,
  deployedResources,
  externalTaskOperations,
  externalTaskProperties,
  findDecisionDefinition,
  findDefinition,
  instanceOperations,
  resourceText,
  taskOperations,
} from './reading.js';
export { executionOf } from './run/external-task-changes.js';
export { presentInstance, swept } from './run/instance-changes.js';
export { rehydrate } from './run/load-instance.js';
export { presentJob, presentSubscription, presentTask } from './run/present.js';
export {
  processVariables,
  type ScopedVariables,
  scopedVariables,
  taskVariables,
  tokenVariables,
} from './run/seen-variables.js';
export type { CorrelatedReceiver, Correlation } from './run/spread-message.js';
export type { SignalReach } from './run/spread-signal.js';
export type { ReceiversQuestion } from './run/waiting-receivers.js';
export { placeOfToken } from './run/waiting-scopes.js';
export type { ActivityInstance, EnabledActivity } from './view/activity-instances.js';
export {
  activeActivities,
  activityLanes,
  activityName,
  activityOf,
  enabledActivities,
} from './view/activity-instances.js';
export type { RunningActivity } from './view/activity-tree.js';
export { definitionDiff, type MigrationReport, migrationReport } from './view/migration-report.js';
export {
  type ShownField,
  type ShownForm,
  startForm,
  startFormVariables,
  taskForm,
  taskFormVariables,
} from './view/shown-form.js';
