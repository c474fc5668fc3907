import { bufferedMessages } from './collection/buffered-messages.js';
import { completedBundles } from './collection/completed-bundles.js';
import { decisionDefinitions, decisionInstances, decisionModels } from './collection/decided.js';
import { departures } from './collection/departures.js';
import { definitionModels, deployments, processDefinitions, resources, textPieces } from './collection/deployed.js';
import { externalTasks } from './collection/external-tasks.js';
import { formDefinitions } from './collection/forms.js';
import { instanceParts } from './collection/instance-parts.js';
import { largeVariables, processInstances } from './collection/running.js';
import { runs } from './collection/runs.js';
import { soughtSince, subscriptions } from './collection/subscriptions.js';
import { taskComments, tasks } from './collection/tasks.js';

export * from './collection/buffered-messages.js';
export * from './collection/completed-bundles.js';
export * from './collection/decided.js';
export * from './collection/departures.js';
export * from './collection/deployed.js';
export * from './collection/external-tasks.js';
export * from './collection/forms.js';
export * from './collection/gone.js';
export * from './collection/instance-parts.js';
export * from './collection/jobs.js';
export * from './collection/running.js';
export * from './collection/runs.js';
export * from './collection/sought-values.js';
export * from './collection/subscriptions.js';
export * from './collection/tasks.js';

/** The engine's collections, as its domain lists them. */
export const engineCollections = [
  deployments,
  resources,
  textPieces,
  processDefinitions,
  definitionModels,
  departures,
  decisionDefinitions,
  decisionModels,
  decisionInstances,
  formDefinitions,
  processInstances,
  instanceParts,
  completedBundles,
  largeVariables,
  tasks,
  taskComments,
  externalTasks,
  subscriptions,
  soughtSince,
  bufferedMessages,
  runs,
];
