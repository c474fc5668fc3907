import { type Condition, incidents, listPage, type ReaderQuery, tableOf } from '../../store/documents.js';
import { jobs, processInstances, tasks } from '../collections.js';

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

/** Counts of now, for gauges. `now`: ms of the domain clock. */
interface GaugeScope {
  readonly now: number;
}

/** How many there are of each kind; kinds of which there is none are left out. */
export interface EngineGauges {
  readonly instances: readonly { readonly key: string; readonly state: string; readonly count: number }[];
  readonly incidents: readonly { readonly type: string; readonly count: number }[];
  /** Jobs that are due and not running. */
  readonly dueJobs: number;
}

/** Counts running instances, open incidents and due jobs of a partition, whoever may see them. */
export const engineGauges: ReaderQuery<GaugeScope, EngineGauges> = {
  name: 'engineGauges',
  run({ log }, { now }) {
    const instances = log.prepare(
      `SELECT c_definitionKey AS key, c_state AS state, COUNT(*) AS count FROM ${tableOf(processInstances)}
       WHERE c_active = 1 GROUP BY 1, 2`,
    );
    const open = log.prepare(`SELECT c_type AS type, COUNT(*) AS count FROM ${tableOf(incidents)} GROUP BY 1`);
    const due = log.prepare(
      `SELECT COUNT(*) AS count FROM ${tableOf(jobs)} WHERE c_queue IN ('immediate', 'timed') AND c_dueAt <= ?`,
    );
    return {
      instances: instances.all().map((row) => ({
        key: String(row.key),
        state: String(row.state),
        count: Number(row.count),
      })),
      incidents: open.all().map((row) => ({ type: String(row.type), count: Number(row.count) })),
      dueJobs: Number(due.get(now)?.count ?? 0),
    };
  },
};
