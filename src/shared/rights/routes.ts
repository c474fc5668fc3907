import type { Caller } from '../caller.js';
import { maySupervise } from './roles.js';

/** Deploying routes, changing and deleting them, beside the right to write their files: deployers, supervisors and administrators. */
export const mayDeployRoutes = (caller: Caller): boolean => maySupervise(caller) || caller.roles.includes('deployer');

/** Starting, stopping, suspending and resuming routes: operators, supervisors and administrators. */
export const mayOperateRoutes = (caller: Caller): boolean => maySupervise(caller) || caller.roles.includes('operator');

/** Seeing how a route is written, which may hold what it signs in with elsewhere: whoever may operate or deploy routes. */
export const seesDefinitions = (caller: Caller): boolean => mayOperateRoutes(caller) || mayDeployRoutes(caller);

/** Seeing what went through routes: their exchanges, one by one and counted: operators, supervisors and administrators. */
export const seesExchanges = mayOperateRoutes;
