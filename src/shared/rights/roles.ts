import { type Caller, isAdministrator, isSupervisor } from '../caller.js';

// Who may do and see what: the rules of this folder, each once, as pure functions of the caller, with its rights of now, and of what it is about.
// `docs/rights.md` tells them as a table; the domains import them, and say how a refusal reads. The role `operator` has its rights at routes.

/** Users, groups, roles, workspaces, cluster, audit log, notifications, the virtual clock; and what is somebody else's own. */
export const mayAdminister = isAdministrator;

/**
 * Suspending, incidents, jobs, deleting deployments with what runs; and seeing all instances and tasks, with incidents, jobs and what they wait
 * for.
 */
export const maySupervise = isSupervisor;

/** Deploying processes, and taking back what nothing runs of. */
export const mayDeploy = (caller: Caller): boolean => isSupervisor(caller) || caller.roles.includes('deployer');

/** Own data (sessions, password, preferences, profile, long jobs; taking away a lock): the user's matter, and administrators'. */
export const mayManageOf = (caller: Caller, userId: string): boolean => isOwn(caller, userId) || mayAdminister(caller);

/** Which groups a user is in, where tasks are looked for by them: the user's own, and supervisors' and administrators' to know. */
export const seesGroupsOf = (caller: Caller, userId: string): boolean => isOwn(caller, userId) || maySupervise(caller);

/** Things that are the user's own, and nobody else's, not even administrators': an upload, events of one's home. */
export const isOwn = (caller: Caller, userId: string): boolean => caller.userId === userId;

/** The purpose of a group or a role, and which roles it gives: to be seen by whoever is in it or has it, and administrators. All others are told names alone. */
export const seesInside = (caller: Caller, kind: 'group' | 'role', name: string): boolean =>
  mayAdminister(caller) || (kind === 'group' ? caller.groups : caller.roles).includes(name);
