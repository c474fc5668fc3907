import type { Collection, Document, QueryContext, ReaderQuery } from '../../store/index.js';
import { storedColumns, storedDocument, tableOf } from '../../store/index.js';
import { processInstances, type Run, runId, runs } from '../collections.js';
import type { Program } from '../model/program.js';
import { ProgramStore } from '../program-store.js';
import { type ActivityInstance, activityInstances } from '../view/activity-instances.js';

/** The activity instances of each of these process instances. */
interface ActivityHistory {
  readonly instanceIds: readonly string[];
}

const PROGRAMS_MAX = 50;

/** Unpacks the histories of process instances, from their runs: one list per id, empty for an unknown one. */
export const activityHistory: ReaderQuery<ActivityHistory, ActivityInstance[][]> = {
  name: 'activityHistory',
  run(context, { instanceIds }) {
    const programOf = programsOf(context);
    return instanceIds.map((id) => {
      const history = activityInstances(runsOf(context, id), programOf);
      context.room.take(history);
      return history;
    });
  },
};

/** Of this thread. A definition's program never changes. */
const programs = new ProgramStore(PROGRAMS_MAX);

/** Gives the program of a definition. */
export function programsOf(context: QueryContext): (definitionId: string) => Program {
  const state = { get: <T extends Document>(from: Collection<T>, id: string) => stored(context, from, id) };
  return (definitionId) => programs.of(state, definitionId);
}

function stored<T extends Document>({ log }: QueryContext, from: Collection<T>, id: string): T | undefined {
  const row = log.prepare(`SELECT ${storedColumns()} FROM ${tableOf(from)} WHERE id = ?`).get(id);
  return row && storedDocument(from, row);
}

/** The runs of an instance, the one of that number first. */
export function* runsOf(context: QueryContext, instanceId: string, first = 1): Generator<Run> {
  const newest = stored(context, processInstances, instanceId)?.runs ?? 0;
  for (let n = first; n <= newest; n++) {
    const run = stored(context, runs, runId(instanceId, n));
    if (run !== undefined) yield run;
  }
}
