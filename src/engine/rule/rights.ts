import { type Caller, isSupervisor } from '../../shared/caller.js';
import type { ProcessDefinition, ProcessInstance, Task } from '../collections.js';
import { notAllowed, notSupervisor } from '../errors.js';

/** Deploying, deleting, suspending, incidents, jobs: administrators and supervisors. `what`: the sentence's end. @throws FORBIDDEN */
export function requireSupervisor(caller: Caller, what: string): void {
  if (!isSupervisor(caller)) throw notSupervisor(what, caller.userId);
}

/** Cancelling an instance and changing its variables: also whoever started it. @throws FORBIDDEN */
export function requireInstanceRight(caller: Caller, instance: ProcessInstance, what: string): void {
  if (isSupervisor(caller) || caller.userId === instance.startUserId) return;
  throw notAllowed(what, instance.id, caller.userId, 'its starter, a supervisor or an administrator');
}

/** Starting: everyone, unless the model declares candidate starters; then those, supervisors and administrators. @throws FORBIDDEN */
export function requireStartRight(caller: Caller, definition: ProcessDefinition): void {
  const { candidateStarterUsers: users, candidateStarterGroups: groups } = definition;
  if (users.length + groups.length === 0 || isSupervisor(caller)) return;
  if (users.includes(caller.userId) || groups.some((group) => caller.groups.includes(group))) return;
  throw notAllowed('start process definition', definition.id, caller.userId, 'a candidate starter');
}

/** A right on a task: what may be done with it, and by whom. */
export interface TaskRight {
  /** The operation in a sentence: `claim`. */
  readonly wanted: string;
  readonly who: string;
  allows(caller: Caller, task: Task): boolean;
}

/** Claiming: candidates, the assignee, supervisors and administrators; everyone where the task names no candidates. */
export const claimRight: TaskRight = {
  wanted: 'claim',
  who: 'a candidate, the assignee, a supervisor or an administrator',
  allows: (caller, task) => isSupervisor(caller) || isAssignee(caller, task) || isOpenTo(caller, task),
};

/** Giving back: the assignee, supervisors and administrators. */
export const unclaimRight: TaskRight = {
  wanted: 'unclaim',
  who: 'the assignee, a supervisor or an administrator',
  allows: (caller, task) => isSupervisor(caller) || isAssignee(caller, task) || task.actor.context.assignee === null,
};

/** Completing and changing variables: the assignee, supervisors and administrators; while unassigned, whoever may claim. */
export const completeRight = (wanted: string): TaskRight => ({
  wanted,
  who: 'the assignee, a supervisor or an administrator',
  allows: (caller, task) => isSupervisor(caller) || isAssignee(caller, task) || isFreeFor(caller, task),
});

/** Assigning and delegating: the assignee, the owner, supervisors and administrators; while unassigned, whoever may claim. */
export const assignRight = (wanted: string): TaskRight => ({
  wanted,
  who: 'the assignee, the owner, a supervisor or an administrator',
  allows: (caller, task) =>
    isSupervisor(caller) ||
    isAssignee(caller, task) ||
    caller.userId === task.actor.context.owner ||
    isFreeFor(caller, task),
});

/** Lets pass who may treat the task so. @throws FORBIDDEN */
export function requireTaskRight(caller: Caller, task: Task, right: TaskRight): void {
  if (!right.allows(caller, task)) throw notAllowed(`${right.wanted} task`, task.id, caller.userId, right.who);
}

const isAssignee = (caller: Caller, task: Task): boolean => caller.userId === task.actor.context.assignee;

const isFreeFor = (caller: Caller, task: Task): boolean =>
  task.actor.context.assignee === null && isOpenTo(caller, task);

function isOpenTo(caller: Caller, { candidateUsers, candidateGroups }: Task): boolean {
  if (candidateUsers.length + candidateGroups.length === 0) return true;
  return candidateUsers.includes(caller.userId) || candidateGroups.some((group) => caller.groups.includes(group));
}
