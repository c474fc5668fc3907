import { operation } from '../../store/index.js';
import type { EngineServices } from '../engine-services.js';
import { requireSupervisor } from '../rule/rights.js';
import { sceneOf } from '../run/open-task.js';
import { suspendDefinition } from '../run/suspend-definition.js';

/** Input of `suspendProcessDefinition`. */
export interface SuspendProcessDefinition {
  readonly id: string;
  /** Whether its running instances are suspended too. Default false. */
  readonly includeInstances?: boolean | null;
}

/**
 * No instance of the definition can be started, by nobody and no timer, until it is active again. Its instances follow at
 * once where they are included: the definition says so, a job writes it to each. Answers the id, or null where there is none. Allowed to
 * supervisors and administrators. @throws FORBIDDEN
 */
export const suspendProcessDefinition = (services: EngineServices) =>
  operation<SuspendProcessDefinition, string | null>('suspendProcessDefinition', (state, input, context) => {
    requireSupervisor(context.caller, 'suspend process definitions');
    const scene = sceneOf(services, state, context);
    const { id, includeInstances } = input;
    const known = suspendDefinition(scene, { id, event: 'suspend', includeInstances: includeInstances ?? false });
    return scene.changes.decision(known ? id : null);
  });
