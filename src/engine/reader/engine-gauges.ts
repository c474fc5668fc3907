import { incidents, type ReaderQuery, tableOf } from '../../store/index.js';
import { jobs, processInstances } from '../collections.js';

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
