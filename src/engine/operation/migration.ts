import { type Operation, operation } from '../../store/index.js';
import type { EngineServices } from '../engine-services.js';
import { typedVariables } from '../rule/given-value.js';
import { requireSupervisor } from '../rule/rights.js';
import { type MigrationRequest, type ShownPlan, shownPlan, soundPlanFor } from '../run/migration-plan.js';

/**
 * The plan by which instances of a definition would migrate to another one; nothing is stored. Allowed to supervisors and administrators.
 * @throws FORBIDDEN, NOT_FOUND (a definition), BAD_REQUEST (all that is wrong with the plan; a variable)
 */
export const createMigrationPlan = (services: EngineServices): Operation<MigrationRequest, ShownPlan> =>
  operation<MigrationRequest, ShownPlan>('createMigrationPlan', (state, request, { caller }) => {
    requireSupervisor(caller, 'plan migrations');
    typedVariables(request.variables);
    return { answer: shownPlan(soundPlanFor(services, state, request).plan, request) };
  });
