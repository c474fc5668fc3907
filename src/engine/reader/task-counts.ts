import { type Condition, listPage, type ReaderQuery } from '../../store/index.js';
import { tasks } from '../collections.js';

/** Which tasks are counted, and what is overdue, today and this week. Times in ms. */
interface TaskCountScope {
  /** Tasks that are counted by whether they are assigned. */
  readonly scope: readonly Condition[];
  /** Tasks that are counted by due time. */
  readonly due: readonly Condition[];
  readonly now: number;
  readonly today: number;
  readonly tomorrow: number;
  /** The start of the day in seven days. */
  readonly nextWeek: number;
}

interface TaskCounts {
  readonly total: number;
  readonly unassigned: number;
  readonly assigned: number;
  readonly overdue: number;
  readonly dueToday: number;
  readonly dueThisWeek: number;
}

/** Counts open tasks that the caller may see. `total` is the sum of the two that it is made of, so none of them can be negative. */
export const taskCounts: ReaderQuery<TaskCountScope, TaskCounts> = {
  name: 'taskCounts',
  run({ log, caller }, { scope, due, now, today, tomorrow, nextWeek }) {
    const count = (where: readonly Condition[]): number => {
      const request = { collection: tasks.name, where, order: [], first: 0, count: true, caller, field: 'taskCounts' };
      return listPage(log, tasks, request).totalCount ?? 0;
    };
    const dueWithin = (from: number, to: number): Condition[] => [
      { op: 'ge', column: 'due', value: from },
      { op: 'lt', column: 'due', value: to },
    ];
    const unassigned = count([...scope, { op: 'isNull', column: 'assignee' }]);
    const assigned = count([...scope, { op: 'notNull', column: 'assignee' }]);
    return {
      total: unassigned + assigned,
      unassigned,
      assigned,
      overdue: count([...due, { op: 'lt', column: 'due', value: now }]),
      dueToday: count([...due, ...dueWithin(today, tomorrow)]),
      dueThisWeek: count([...due, ...dueWithin(today, nextWeek)]),
    };
  },
};
