export * from './collections.js';
export { advance } from './element/advance.js';
export type { Advance, HistoryEntry, TypedValue, Variables, VariableType } from './element/instance-state.js';
export { createEngine, type Engine, engineModule } from './engine.js';
export type { EngineServices } from './engine-services.js';
export {
  type ProcessEventData,
  type ProcessEventName,
  type ProcessInstanceView,
  processEventData,
  type TaskEventData,
  type TaskEventName,
  taskEventData,
} from './events.js';
export { BpmnError, type Handler, type HandlerCall, type HandlerOptions, Handlers } from './handlers.js';
export { processInstanceMachine } from './machine/process-instance.js';
export { userTaskMachine } from './machine/user-task.js';
export { ModelParser } from './model/model-parser.js';
export type { Program } from './model/program.js';
export { withoutNote } from './operation/job.js';
export type { ApiOperations, JobOperations } from './operations.js';
export { ProgramStore } from './program-store.js';
export { activityHistory } from './reader/activity-history.js';
export { activityPage } from './reader/activity-page.js';
export { type EngineGauges, engineGauges } from './reader/engine-gauges.js';
export { engineLists } from './reader/reader-module.js';
export { taskCounts } from './reader/task-counts.js';
export {
  type DefinitionName,
  definitionXml,
  deployedResources,
  findDefinition,
  instanceOperations,
  processVariables,
  resourceText,
  taskOperations,
  taskVariables,
} from './reading.js';
export { presentInstance, presentTask, swept } from './run/instance-changes.js';
export { rehydrate } from './run/instance-store.js';
export type { SignalReach } from './run/spread-signal.js';
export { loadText } from './run/stored-text.js';
export type { ActivityInstance } from './view/activity-instances.js';
export { activeActivities, activityName } from './view/activity-instances.js';
