import type { EngineServices } from './engine-services.js';
import { activateProcessDefinition } from './operation/activate-process-definition.js';
import { activateProcessInstance } from './operation/activate-process-instance.js';
import { addTaskComment } from './operation/add-task-comment.js';
import { applySweep } from './operation/apply-sweep.js';
import { assignTask } from './operation/assign-task.js';
import { broadcastSignal } from './operation/broadcast-signal.js';
import { cancelProcessInstance } from './operation/cancel-process-instance.js';
import { cleanHistory } from './operation/clean-history.js';
import { completeTask } from './operation/complete-task.js';
import { delegateTask } from './operation/delegate-task.js';
import { deleteDeployment } from './operation/delete-deployment.js';
import { deleteDeploymentPart } from './operation/delete-deployment-part.js';
import { deleteProcessInstance } from './operation/delete-process-instance.js';
import { deliverMessage } from './operation/deliver-message.js';
import { deployProcess } from './operation/deploy-process.js';
import { executeJob } from './operation/execute-job.js';
import { failCall } from './operation/fail-call.js';
import { createIncident } from './operation/incident.js';
import { completeCall } from './operation/job-outcome.js';
import { correlateMessage } from './operation/message.js';
import { resolveIncident } from './operation/resolve-incident.js';
import { resolveTask } from './operation/resolve-task.js';
import { runJob } from './operation/run-job.js';
import { setIncidentAnnotation } from './operation/set-incident-annotation.js';
import { setJobDueDate } from './operation/set-job-due-date.js';
import { setJobRetries } from './operation/set-job-retries.js';
import { setProcessVariables } from './operation/set-process-variables.js';
import { setRetriesOfJob } from './operation/set-retries-of-job.js';
import { setTaskAssignee } from './operation/set-task-assignee.js';
import { setTaskVariables } from './operation/set-variables.js';
import { publishSignal } from './operation/signal.js';
import { startByEvent } from './operation/start-by-event.js';
import { startByTimer } from './operation/start-by-timer.js';
import { startProcess } from './operation/start-process.js';
import { suspendProcessDefinition } from './operation/suspend-process-definition.js';
import { suspendProcessInstance } from './operation/suspension.js';
import { sweepInstances } from './operation/sweep-instances.js';
import { claimTask } from './operation/task-assignment.js';
import { triggerSubscription } from './operation/trigger-subscription.js';
import { unclaimTask } from './operation/unclaim-task.js';

/** The operations of the API, by the names of their GraphQL fields. */
export const apiOperations = (services: EngineServices) => ({
  activateProcessDefinition: activateProcessDefinition(services),
  activateProcessInstance: activateProcessInstance(services),
  addTaskComment,
  assignTask: assignTask(services),
  cancelProcessInstance: cancelProcessInstance(services),
  claimTask: claimTask(services),
  completeTask: completeTask(services),
  correlateMessage: correlateMessage(services),
  createIncident: createIncident(services),
  delegateTask: delegateTask(services),
  deleteDeployment: deleteDeployment(services),
  deleteProcessInstance: deleteProcessInstance(services),
  deployProcess,
  executeJob,
  publishSignal: publishSignal(services),
  resolveIncident,
  resolveTask: resolveTask(services),
  setIncidentAnnotation,
  setJobDueDate,
  setJobRetries,
  setProcessVariables: setProcessVariables(services),
  setRetriesOfJob,
  setTaskAssignee: setTaskAssignee(services),
  setTaskVariables: setTaskVariables(services),
  startProcess: startProcess(services),
  suspendProcessDefinition: suspendProcessDefinition(services),
  suspendProcessInstance: suspendProcessInstance(services),
  unclaimTask: unclaimTask(services),
});

/** The operations that jobs send. */
export const jobOperations = (services: EngineServices) => ({
  applySweep: applySweep(services),
  broadcastSignal: broadcastSignal(services),
  cleanHistory,
  completeCall: completeCall(services),
  deleteDeploymentPart: deleteDeploymentPart(services),
  deliverMessage: deliverMessage(services),
  failCall: failCall(services),
  runJob: runJob(services),
  startByEvent: startByEvent(services),
  startByTimer: startByTimer(services),
  sweepInstances: sweepInstances(services),
  triggerSubscription: triggerSubscription(services),
});

export type ApiOperations = ReturnType<typeof apiOperations>;
export type JobOperations = ReturnType<typeof jobOperations>;
