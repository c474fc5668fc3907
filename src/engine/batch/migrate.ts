import { badRequest } from '../../shared/errors.js';
import type { State } from '../../store/index.js';
import type { EngineServices } from '../engine-services.js';
import { badArgument } from '../errors.js';
import { migrateInstance } from '../operation/migrate-instance.js';
import { typedVariables } from '../rule/given-value.js';
import { requireSupervisor } from '../rule/rights.js';
import { presentInstance } from '../run/instance-changes.js';
import { type MigrationRequest, soundPlanFor } from '../run/migration-plan.js';
import { batchOperation } from './batch.js';
import type { BatchType, Page, PageRequest } from './batch-type.js';
import { findInstances } from './find-instances.js';

/** How each instance migrates, and which ones. */
interface MigrationOfMany extends MigrationRequest {
  /** Whether all active ones of the definition are meant, too. */
  readonly allActive: boolean;
  /** Whether none is named: then there has to be an active one. */
  readonly noneNamed: boolean;
}

export const migrationBatch = (services: EngineServices): BatchType<MigrationOfMany> => {
  const operation = migrateInstance(services);
  return {
    type: 'migrate-instances',
    abortable: false,
    prepare(state, parameters, caller) {
      requireSupervisor(caller, 'migrate process instances');
      typedVariables(parameters.variables);
      soundPlanFor(services, state, parameters);
      const page = { after: null, until: state.now, caller };
      if (parameters.noneNamed && isNone(state, parameters, page)) throw noneActive(parameters);
      return parameters;
    },
    find: (state, parameters, page) => (parameters.allActive ? activeOnes(state, parameters, page) : null),
    command: (processInstanceId, { allActive: _, noneNamed: __, ...request }) => ({
      operation,
      input: { processInstanceId, ...request },
    }),
  };
};

/** The next of the active instances; suspended ones, also those that a sweep has not reached yet, are none. */
function activeOnes(
  state: State,
  { sourceProcessDefinitionId: definitionId }: MigrationRequest,
  page: PageRequest,
): Page {
  const { ids, after } = findInstances(state, { definitionId, states: ['active'] }, page);
  return { ids: ids.filter((id) => presentInstance(state, id)?.actor.value === 'active'), after };
}

function isNone(state: State, request: MigrationRequest, page: PageRequest): boolean {
  const { ids, after } = activeOnes(state, request, page);
  return ids.length === 0 && (after === null || isNone(state, request, { ...page, after }));
}

const noneActive = ({ sourceProcessDefinitionId: id }: MigrationRequest) =>
  badRequest(`expected active instances of process definition '${id}', but there are none`, {
    reason: 'no_active_instances',
    resourceId: id,
  });

/** Input of `migrateProcessInstance`. */
interface MigrateProcessInstance extends MigrationRequest {
  readonly processInstanceIds?: readonly string[] | null;
  readonly allActiveInstances?: boolean | null;
}

/**
 * Instances go on by another definition: those that are named, suspended or not, and all active ones where that is said. The plan is checked first, each
 * instance as its turn comes; those that cannot migrate stay as they are, and are told of by the job.
 * @throws FORBIDDEN, NOT_FOUND (a definition), BAD_REQUEST (all that is wrong with the plan; no instance)
 */
export const migrateProcessInstance = (services: EngineServices) =>
  batchOperation(
    'migrateProcessInstance',
    migrationBatch(services),
    ({ processInstanceIds, allActiveInstances, ...request }: MigrateProcessInstance) => {
      const ids = processInstanceIds ?? [];
      const allActive = allActiveInstances ?? false;
      if (ids.length === 0 && !allActive)
        throw badArgument('processInstanceIds', 'at least one id, or allActiveInstances', processInstanceIds ?? null);
      return { ids, parameters: { ...request, allActive, noneNamed: ids.length === 0 } };
    },
  );
