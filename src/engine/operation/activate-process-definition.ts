import { operation } from '../../store/index.js';
import type { EngineServices } from '../engine-services.js';
import { requireSupervisor } from '../rule/rights.js';
import { sceneOf } from '../run/open-task.js';
import { suspendDefinition } from '../run/suspend-definition.js';

/** Input of `activateProcessDefinition`. */
export interface ActivateProcessDefinition {
  readonly id: string;
  /** Whether its running instances are activated too. Default false. */
  readonly includeInstances?: boolean | null;
}

/**
 * Instances of the definition can be started again. Its instances follow at
 * once where they are included: the definition says so, a job writes it to each. Answers the id, or null where there is none. Allowed to
 * supervisors and administrators. @throws FORBIDDEN
 */
export const activateProcessDefinition = (services: EngineServices) =>
  operation<ActivateProcessDefinition, string | null>('activateProcessDefinition', (state, input, context) => {
    requireSupervisor(context.caller, 'activate process definitions');
    const scene = sceneOf(services, state, context);
    const { id, includeInstances } = input;
    const known = suspendDefinition(scene, { id, event: 'activate', includeInstances: includeInstances ?? false });
    return scene.changes.decision(known ? id : null);
  });
