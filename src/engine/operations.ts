import { migrateProcessInstance } from './batch/migrate.js';
import { modifyProcessInstances } from './batch/modify-instances.js';
import { restartProcessInstances } from './batch/restart-instances.js';
import { setExternalTaskRetriesAsync, setJobRetriesAsync } from './batch/set-retries.js';
import { setVariablesAsync } from './batch/set-variables.js';
import type { EngineServices } from './engine-services.js';
import { endMessage, placeMessage, startByMessage, takeMessage } from './operation/buffered-message.js';
import { cancelCalled, escalateCalled, followCaller, returnCalled, startCalled, undoCalled } from './operation/call.js';
import { cancelProcessInstance, deleteProcessInstance } from './operation/cancel-process-instance.js';
import { cleanHistory } from './operation/clean-history.js';
import { correlateMessage, correlateMessages } from './operation/correlate-message.js';
import { goOnCycle, goOnStartCycle } from './operation/cycle.js';
import { deleteDeployment, deleteDeploymentPart } from './operation/delete-deployment.js';
import { deployProcess } from './operation/deploy-process.js';
import { evaluateConditions } from './operation/evaluate-conditions.js';
import { evaluateDecision } from './operation/evaluate-decision.js';
import {
  completeExternalTask,
  extendExternalTaskLock,
  externalTaskBpmnError,
  failExternalTask,
  lockExternalTask,
  setExternalTaskRetries,
  unlockExternalTask,
} from './operation/external-task.js';
import { fetchAndLock } from './operation/fetch-external-tasks.js';
import { forgetBundles } from './operation/forget-bundles.js';
import { createIncident, resolveIncident, setIncidentAnnotation } from './operation/incident.js';
import { executeJob, setJobDueDate, setJobRetries, setRetriesOfJob } from './operation/job.js';
import { completeCall, failCall, runJob, triggerSubscription } from './operation/job-outcome.js';
import { clearScope, followInstance } from './operation/large-instance.js';
import { broadcastMessage, broadcastSignal, deliverMessage, publishSignal } from './operation/message.js';
import { followMigration, migrateInstance } from './operation/migrate-instance.js';
import { createMigrationPlan } from './operation/migration.js';
import { modifyProcessInstance } from './operation/modify-process-instance.js';
import { restartProcessInstance } from './operation/restart-process-instance.js';
import { setExecutionVariables, setProcessVariables, setTaskVariables } from './operation/set-variables.js';
import { startByEvent, startByTimer, startProcess } from './operation/start-process.js';
import {
  activateProcessDefinition,
  activateProcessInstance,
  applySweep,
  suspendProcessDefinition,
  suspendProcessInstance,
  sweepInstances,
} from './operation/suspension.js';
import {
  addTaskComment,
  assignTask,
  claimTask,
  completeTask,
  delegateTask,
  resolveTask,
  setTaskAssignee,
  unclaimTask,
} from './operation/task.js';
import { taskBpmnError, taskEscalation } from './operation/task-report.js';
import { triggerActivity } from './operation/trigger-activity.js';
import { updateTask } from './operation/update-task.js';

/** The operations of the API, by the names of their GraphQL fields. */
export const apiOperations = (services: EngineServices) => ({
  activateProcessDefinition: activateProcessDefinition(services),
  activateProcessInstance: activateProcessInstance(services),
  addTaskComment: addTaskComment(services),
  assignTask: assignTask(services),
  cancelProcessInstance: cancelProcessInstance(services),
  claimTask: claimTask(services),
  completeExternalTask: completeExternalTask(services),
  completeTask: completeTask(services),
  correlateMessage: correlateMessage(services),
  correlateMessages: correlateMessages(services),
  createMigrationPlan: createMigrationPlan(services),
  createIncident: createIncident(services),
  delegateTask: delegateTask(services),
  deleteDeployment: deleteDeployment(services),
  deleteProcessInstance: deleteProcessInstance(services),
  deployProcess,
  evaluateDecision: evaluateDecision(services),
  executeJob,
  evaluateConditions: evaluateConditions(services),
  extendExternalTaskLock,
  externalTaskBpmnError: externalTaskBpmnError(services),
  failExternalTask: failExternalTask(services),
  fetchAndLock,
  lockExternalTask,
  migrateProcessInstance: migrateProcessInstance(services),
  modifyProcessInstance: modifyProcessInstance(services),
  modifyProcessInstances: modifyProcessInstances(services),
  publishSignal: publishSignal(services),
  resolveIncident,
  resolveTask: resolveTask(services),
  restartProcessInstance: restartProcessInstance(services),
  restartProcessInstances: restartProcessInstances(services),
  setExecutionVariables: setExecutionVariables(services),
  setExternalTaskRetries,
  setExternalTaskRetriesAsync,
  setIncidentAnnotation,
  setJobDueDate,
  setJobRetries,
  setJobRetriesAsync,
  setProcessVariables: setProcessVariables(services),
  setRetriesOfJob,
  setTaskAssignee: setTaskAssignee(services),
  setTaskVariables: setTaskVariables(services),
  setVariablesAsync: setVariablesAsync(services),
  startProcess: startProcess(services),
  suspendProcessDefinition: suspendProcessDefinition(services),
  suspendProcessInstance: suspendProcessInstance(services),
  taskBpmnError: taskBpmnError(services),
  taskEscalation: taskEscalation(services),
  triggerActivity: triggerActivity(services),
  unclaimTask: unclaimTask(services),
  unlockExternalTask,
  updateTask: updateTask(services),
});

/** The operations that jobs send, and nobody else. */
export const jobOperations = (services: EngineServices) => ({
  applySweep: applySweep(services),
  broadcastMessage: broadcastMessage(services),
  broadcastSignal: broadcastSignal(services),
  cancelCalled: cancelCalled(services),
  followCaller: followCaller(services),
  cleanHistory,
  clearScope: clearScope(services),
  completeCall: completeCall(services),
  deleteDeploymentPart: deleteDeploymentPart(services),
  forgetBundles: forgetBundles(services),
  deliverMessage: deliverMessage(services),
  endMessage: endMessage(services),
  escalateCalled: escalateCalled(services),
  failCall: failCall(services),
  goOnCycle: goOnCycle(services),
  goOnStartCycle: goOnStartCycle(services),
  followInstance: followInstance(services),
  followMigration: followMigration(services),
  migrateInstance: migrateInstance(services),
  placeMessage: placeMessage(services),
  returnCalled: returnCalled(services),
  runJob: runJob(services),
  startByEvent: startByEvent(services),
  startByMessage: startByMessage(services),
  startByTimer: startByTimer(services),
  startCalled: startCalled(services),
  sweepInstances: sweepInstances(services),
  takeMessage: takeMessage(services),
  triggerSubscription: triggerSubscription(services),
  undoCalled: undoCalled(services),
});

export type ApiOperations = ReturnType<typeof apiOperations>;
export type JobOperations = ReturnType<typeof jobOperations>;
