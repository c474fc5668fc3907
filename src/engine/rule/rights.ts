import type { Caller } from '../../shared/caller.js';
import {
  mayClaim,
  mayComplete,
  mayDelegate,
  mayManageInstance,
  mayStart,
  mayWork,
  seesTask,
} from '../../shared/rights/processes.js';
import { mayDeploy, maySupervise } from '../../shared/rights/roles.js';
import { type ProcessDefinition, type ProcessInstance, peopleOf, type Task } from '../collections.js';
import { notAllowed, roleMissing, taskNotFound } from '../errors.js';

// How the engine refuses; who may what is said in `shared/rights/`.

/** Deleting what runs, suspending, incidents, jobs. `what`: the sentence's end. @throws FORBIDDEN */
export function requireSupervisor(caller: Caller, what: string): void {
  if (!maySupervise(caller)) throw roleMissing(what, caller.userId, ['administrator', 'supervisor']);
}

/** Deploying, and taking back what nothing runs of. @throws FORBIDDEN */
export function requireDeployer(caller: Caller, what: string): void {
  if (!mayDeploy(caller)) throw roleMissing(what, caller.userId, ['administrator', 'supervisor', 'deployer']);
}

/** Fetching and ending external tasks. @throws FORBIDDEN */
export function requireWorker(caller: Caller, what: string): void {
  if (!mayWork(caller)) throw roleMissing(what, caller.userId, ['administrator', 'supervisor', 'worker']);
}

/** Cancelling an instance and changing its variables. @throws FORBIDDEN */
export function requireInstanceRight(caller: Caller, instance: ProcessInstance, what: string): void {
  if (mayManageInstance(caller, instance)) return;
  throw notAllowed(what, instance.id, caller.userId, 'its starter, a supervisor or an administrator');
}

/** Requires the right to start the process definition. @throws FORBIDDEN */
export function requireStartRight(caller: Caller, definition: ProcessDefinition): void {
  const { candidateStarterUsers: users, candidateStarterGroups: groups } = definition;
  if (mayStart(caller, { users, groups })) return;
  throw notAllowed('start process definition', definition.id, caller.userId, 'a candidate starter');
}

/** A right on a task: what may be done with it, and by whom. */
export interface TaskRight {
  /** The operation in a sentence: `claim`. */
  readonly wanted: string;
  readonly who: string;
  allows(caller: Caller, task: Task): boolean;
}

const right = (wanted: string, who: string, may: typeof mayClaim): TaskRight => ({
  wanted,
  who,
  allows: (caller, task) => may(caller, peopleOf(task)),
});

export const claimRight = right('claim', 'a candidate, the assignee, a supervisor or an administrator', mayClaim);
export const unclaimRight = right('unclaim', 'the assignee, a supervisor or an administrator', mayComplete);
export const completeRight = (wanted: string): TaskRight =>
  right(wanted, 'the assignee, a supervisor or an administrator', mayComplete);
export const assignRight = (wanted: string): TaskRight =>
  right(wanted, 'the assignee, the owner, a supervisor or an administrator', mayDelegate);
export const commentRight = right('comment on', 'whoever sees it', seesTask);

/** Lets pass who may treat the task so. @throws FORBIDDEN; NOT_FOUND, as if there were none, for who does not even see it */
export function requireTaskRight(caller: Caller, task: Task, { wanted, who, allows }: TaskRight): void {
  if (allows(caller, task)) return;
  if (!seesTask(caller, peopleOf(task))) throw taskNotFound(task.id);
  throw notAllowed(`${wanted} task`, task.id, caller.userId, who);
}
