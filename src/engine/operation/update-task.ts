import { type Task, tasks } from '../collections.js';
import type { EngineServices } from '../engine-services.js';
import { badArgument } from '../errors.js';
import { bounded } from '../rule/given-value.js';
import { assignRight } from '../rule/rights.js';
import { instanceOperation, mailboxOfTask, openTask, sceneOf } from '../run/instance-operation.js';
import { runInstance } from '../run/run-instance.js';
import { factsOf, hasListeners, moveTask } from '../run/task-changes.js';

/** Input of `updateTask`. What is left out stays as it is. */
interface UpdateTask {
  readonly taskId: string;
  readonly name?: string | null;
  readonly description?: string | null;
  /** null: it stays. */
  readonly priority?: number | null;
  /** ms */
  readonly due?: number | null;
  /** ms */
  readonly followUp?: number | null;
  /** null: nobody. */
  readonly assignee?: string | null;
  /** null: nobody. */
  readonly owner?: string | null;
  /** All of them; null: they stay. */
  readonly candidateUsers?: readonly string[] | null;
  /** All of them; null: they stay. */
  readonly candidateGroups?: readonly string[] | null;
  /** One candidate more, or less, whoever else changes them meanwhile. */
  readonly candidate?: Candidate;
}

interface Candidate {
  readonly id: string;
  readonly of: 'candidateUsers' | 'candidateGroups';
  readonly isAdded: boolean;
}

/**
 * Changes what an open task says, and who has to do with it, at once; listeners to updates, and to assignments, are told. Allowed to whoever may assign it. Answers
 * the task as it is then.
 * @throws NOT_FOUND, BAD_REQUEST (an empty user or group, a priority of 10 digits), FORBIDDEN, CONFLICT (its instance is suspended), LIMIT_EXCEEDED, EXECUTION_FAILED
 */
export const updateTask = (services: EngineServices) =>
  instanceOperation<UpdateTask, Task>(
    'updateTask',
    (state, input, context) => {
      const { taskId } = input;
      const { task, instance } = openTask(state, taskId, context, assignRight('change'));
      const {
        created: _,
        formKey: __,
        assignee,
        owner,
        ...facts
      } = { ...factsOf(task), ...changed(input), ...withCandidate(task, input) };
      const scene = sceneOf(services, state, context);
      const change = { type: 'change', userId: assignee, owner } as const;
      const next = moveTask({ changes: scene.changes, instance, now: state.now }, { ...task, ...facts }, change);
      const event = assignee === task.actor.context.assignee ? 'update' : 'assignment';
      if (!hasListeners(services, state, task, 'update', event)) return scene.changes.decision(next);
      const told = { type: 'taskEvent', taskId, event } as const;
      const end = runInstance(scene, { command: 'updateTask', instance, event: 'step', input: told });
      return 'ask' in end ? end : scene.changes.decision(scene.changes.current(state, tasks, taskId) ?? next);
    },
    mailboxOfTask,
  );

/** What is given, and fits. */
function changed({ name, description, priority, due, followUp, ...people }: UpdateTask) {
  if (priority != null && !(Number.isInteger(priority) && Math.abs(priority) <= PRIORITY_MAX))
    throw badArgument('priority', `a whole number of at most ${PRIORITY_MAX}`, priority);
  return {
    ...(name !== undefined && { name: bounded('name', name, 'message') }),
    ...(description !== undefined && { description: bounded('description', description, 'message') }),
    ...(priority != null && { priority }),
    ...(due !== undefined && { due }),
    ...(followUp !== undefined && { followUp }),
    ...(people.assignee !== undefined && { assignee: person('assignee', people.assignee) }),
    ...(people.owner !== undefined && { owner: person('owner', people.owner) }),
    ...(people.candidateUsers != null && { candidateUsers: several('candidateUsers', people.candidateUsers) }),
    ...(people.candidateGroups != null && { candidateGroups: several('candidateGroups', people.candidateGroups) }),
  };
}

function withCandidate(task: Task, { candidate }: UpdateTask): Partial<Pick<Task, Candidate['of']>> {
  if (candidate === undefined) return {};
  const { id, of, isAdded } = candidate;
  const others = task[of].filter((each) => each !== id);
  return { [of]: isAdded ? several(of, [...others, id]) : others };
}

/** What a model can say, too. */
const PRIORITY_MAX = 999_999_999;
const CANDIDATES_MAX = 1_000;

/** The id of a user; null: nobody. @throws BAD_REQUEST (empty) */
function person(argument: string, given: string | null): string | null {
  const id = bounded(argument, given, 'name')?.trim() ?? null;
  if (id === '') throw badArgument(argument, 'an id', given);
  return id;
}

/** Each once. */
function several(argument: string, given: readonly string[]): readonly string[] {
  if (given.length > CANDIDATES_MAX) throw badArgument(argument, `at most ${CANDIDATES_MAX}`, given.length);
  return [...new Set(given.flatMap((each) => person(argument, each) ?? []))];
}
