import { formerName, type NameChange, type NameChanger, namesChanged, put } from '../../store/index.js';
import { type ProcessDefinition, processDefinitions, processInstances, type Task, tasks } from '../collections.js';
import { Changes } from '../run/changes.js';
import { moveTask } from '../run/task-changes.js';

// What becomes of tasks and definitions whose people go, or get another name. Where nobody is named everybody may, so a list that has lost its last
// name keeps one that nobody has: then it is for supervisors to say who comes next.

/** Tasks without an assignee, an owner or candidates that are gone; none is open to more people by that than it was before. */
export const taskNames: NameChanger = {
  collection: tasks,
  change: (state, found: readonly Task[], change) => {
    const changes = new Changes();
    for (const task of found) {
      const instance = state.get(processInstances, task.instanceId);
      if (instance === undefined) throw new Error(`expected the instance of task '${task.id}' to be there`);
      const { assignee, owner } = task.actor.context;
      const users = namesChanged(task.candidateUsers, change);
      const groups = namesChanged(task.candidateGroups, change);
      const named = { ...task, candidateUsers: kept(users, groups, change), candidateGroups: groups };
      const event = { type: 'change', userId: other(assignee, change), owner: other(owner, change) } as const;
      moveTask({ changes, instance, now: state.now }, named, event);
    }
    return changes.decision(null);
  },
};

const other = (name: string | null, { from, to }: NameChange): string | null => (name === from ? to : name);

/** The users, so that somebody is named beside the groups. */
const kept = (users: readonly string[], groups: readonly string[], { from, to }: NameChange): readonly string[] =>
  to === null && users.length + groups.length === 0 ? [formerName(from)] : users;

/** Definitions without candidate starters that are gone. Their models say what they said. */
export const definitionNames: NameChanger = {
  collection: processDefinitions,
  change: (_state, found: readonly ProcessDefinition[], change) => ({
    write: found.map((definition) => {
      const users = namesChanged(definition.candidateStarterUsers, change);
      const groups = namesChanged(definition.candidateStarterGroups, change);
      return put(processDefinitions, {
        ...definition,
        candidateStarterUsers: kept(users, groups, change),
        candidateStarterGroups: groups,
      });
    }),
  }),
};
