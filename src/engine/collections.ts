import { definitionModels, deployments, processDefinitions, resources, textPieces } from './collection/deployed.js';
import { largeVariables, processInstances, runs, subscriptions, taskComments, tasks } from './collection/running.js';

export * from './collection/deployed.js';
export * from './collection/running.js';

/** All collections of the engine. */
export const engineCollections = [
  deployments,
  resources,
  textPieces,
  processDefinitions,
  definitionModels,
  processInstances,
  largeVariables,
  tasks,
  taskComments,
  subscriptions,
  runs,
];
