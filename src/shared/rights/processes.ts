import type { Caller } from '../caller.js';
import { maySupervise } from './roles.js';

/** Users and groups that a model or a listener names. */
export interface Candidates {
  readonly users: readonly string[];
  readonly groups: readonly string[];
}

const isAmong = ({ userId, groups: own }: Caller, { users, groups }: Candidates): boolean =>
  users.includes(userId) || groups.some((group) => own.includes(group));

/** Where nobody is named it is everybody's. */
const isOpenTo = (caller: Caller, candidates: Candidates): boolean =>
  candidates.users.length + candidates.groups.length === 0 || isAmong(caller, candidates);

/** Starting: everybody, unless the model names candidate starters; then those, supervisors and administrators. */
export const mayStart = (caller: Caller, starters: Candidates): boolean =>
  maySupervise(caller) || isOpenTo(caller, starters);

/**
 * Cancelling an instance, setting its variables, and seeing it in lists and events: its starter, supervisors and administrators. Who sees one of its
 * tasks sees it, too, through that.
 */
export const mayManageInstance = (caller: Caller, { startUserId }: { readonly startUserId: string }): boolean =>
  caller.userId === startUserId || maySupervise(caller);

/** Who has to do with a task. */
export interface TaskPeople {
  readonly assignee: string | null;
  /** Who has delegated it. */
  readonly owner: string | null;
  readonly candidates: Candidates;
}

/** A right to a task: its assignee, supervisors and administrators have each, others by the rule. */
const toTask =
  (others: (caller: Caller, people: TaskPeople) => boolean) =>
  (caller: Caller, people: TaskPeople): boolean =>
    caller.userId === people.assignee || maySupervise(caller) || others(caller, people);

/** While nobody has it, whoever may claim it. */
const isFreeFor = (caller: Caller, { assignee, candidates }: TaskPeople): boolean =>
  assignee === null && isOpenTo(caller, candidates);

/** Claiming: candidates; everybody, where the task names none. Whether somebody has it already is no question of rights. */
export const mayClaim = toTask((caller, { candidates }) => isOpenTo(caller, candidates));

/** Completing, giving back, setting variables or the assignee: while nobody has it, whoever may claim it. */
export const mayComplete = toTask(isFreeFor);

/** Assigning, delegating, resolving: the owner, too. */
export const mayDelegate = toTask((caller, people) => caller.userId === people.owner || isFreeFor(caller, people));

/** Seeing it and commenting on it: the owner and the candidates, too; everybody, while nobody has it and it names none. */
export const seesTask = toTask(
  (caller, people) => caller.userId === people.owner || isAmong(caller, people.candidates) || isFreeFor(caller, people),
);

/** External tasks: seeing, fetching and ending them, with the variables of their instances: workers, supervisors and administrators. */
export const mayWork = (caller: Caller): boolean => maySupervise(caller) || caller.roles.includes('worker');
