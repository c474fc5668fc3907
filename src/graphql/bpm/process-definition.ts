import {
  deployedResources,
  processDefinitions,
  processInstances,
  type Resource,
  resourceText,
} from '../../engine/index.js';
import type {
  DeploymentResolvers,
  DeploymentResourceResolvers,
  ModelWarning,
  ProcessDefinitionResolvers,
} from '../generated/schema.js';
import { connectionOf, equal, listQuery } from '../list-field.js';
import { listedInstance } from './present.js';

export const processDefinitionResolvers: ProcessDefinitionResolvers = {
  diagramResourceName: () => null,
  tenantId: () => null,
  async instances({ id }, args, context, info) {
    const where = equal('definitionId', id);
    const order = [{ column: 'startTime', descending: true }];
    const list = listQuery({ collection: processInstances, where, order, first: 20 }, args, info);
    return connectionOf(processInstances, await context.related(list), listedInstance(context, info));
  },
};

export const deploymentResolvers: DeploymentResolvers = {
  deploymentTime: ({ time }) => time,
  tenantId: () => null,
  processDefinitions: ({ definitionIds }, _, context) =>
    definitionIds.flatMap((id) => context.find(processDefinitions, id) ?? []),
  resources: (deployment, _, { reading }) => deployedResources(reading, deployment),
  warnings: (deployment, _, { reading }) => deployedResources(reading, deployment).flatMap(warningsOf),
};

export const deploymentResourceResolvers: DeploymentResourceResolvers = {
  content: (resource, _, { reading }) => resourceText(reading, resource),
  warnings: warningsOf,
};

function warningsOf({ name, warnings = [] }: Resource): ModelWarning[] {
  return warnings.map((warning) => ({ resourceName: name, ...warning }));
}
