import {
  type Collection,
  cursorsOf,
  type Document,
  documentOf,
  Keyset,
  type KeysetPage,
  type KeysetRequest,
  type QueryContext,
  type ReaderQuery,
  storedColumns,
  storedDocument,
  tableOf,
} from '../../store/documents.js';
import { processInstances, type Run, runId, runs } from '../collections.js';
import type { HistoryEntry } from '../element/instance-state.js';
import type { Program } from '../model/program.js';
import { ProgramStore } from '../program-store.js';
import { type ActivityInstance, ActivityInstances, activityInstances } from '../view/activity-instances.js';

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
function programsOf(context: QueryContext): (definitionId: string) => Program {
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

/** Which page of the activity instances of a process instance. */
interface ActivityPageRequest extends KeysetRequest {
  readonly instanceId: string;
}

/** The key of an activity instance: the run in which it began, where its beginning stands in that run's history, and its number as text. */
type PlaceInHistory = readonly [run: number, at: number, number: string];

/**
 * One page of what a process instance did and does, by start time. What it takes grows with the page, and with how long after their beginning the
 * page's activities ended; the total with the whole history.
 */
export const activityPage: ReaderQuery<ActivityPageRequest, KeysetPage<ActivityInstance>> = {
  name: 'activityPage',
  run(context, request) {
    const { instanceId } = request;
    const keyset = new Keyset(cursorsOf(`activities ${instanceId}`, 3), request);
    const found = collect(context, instanceId, keyset);
    return keyset.page(found, () => count(context, instanceId));
  },
};

function collect(context: QueryContext, instanceId: string, keyset: Keyset) {
  const migrated = stored(context, processInstances, instanceId)?.migrated ?? 0;
  const page = new FoundActivities(keyset, new ActivityInstances(programsOf(context)), activeIn(context, instanceId));
  for (const run of runsOf(context, instanceId, Number(keyset.after?.[0] ?? 1))) {
    for (const [at, entry] of run.history.entries()) page.take(run, at, entry);
    // What goes on may have come to another program since.
    if (page.isWhole && run.n >= migrated) break;
  }
  return page.found();
}

/** The activity instances of a page, as they are found run by run. */
class FoundActivities {
  readonly #keyset: Keyset;
  readonly #visits: ActivityInstances;
  readonly #active: ReadonlySet<number>;
  readonly #places = new Map<number, PlaceInHistory>();
  /** Those that have begun, and whose end is still to come. */
  readonly #open = new Set<number>();

  constructor(keyset: Keyset, visits: ActivityInstances, active: ReadonlySet<number>) {
    this.#keyset = keyset;
    this.#visits = visits;
    this.#active = active;
  }

  /** Whether nothing that is still to come belongs to the page. */
  get isWhole(): boolean {
    return this.#isFull && this.#open.size === 0;
  }

  get #isFull(): boolean {
    return this.#places.size === this.#keyset.wanted;
  }

  /** The entry at that place of the run's history. */
  take(run: Run, at: number, entry: HistoryEntry): void {
    const [what, n] = entry;
    if (isBegin(what) && !this.#isFull && this.#isBehind(run.n, at)) {
      this.#places.set(n, [run.n, at, String(n)]);
      if (!this.#active.has(n)) this.#open.add(n);
    } else if (isBegin(what) || !this.#places.has(n)) {
      return;
    }
    if (what !== 0 && what !== 4 && what !== 6) this.#open.delete(n);
    this.#visits.take(run, entry);
  }

  #isBehind(run: number, at: number): boolean {
    const { after } = this.#keyset;
    return after === undefined || run > Number(after[0]) || at > Number(after[1]);
  }

  found(): { readonly key: PlaceInHistory; readonly node: ActivityInstance }[] {
    return [...this.#places].map(([n, key]) => ({ key, node: this.#visits.shown(n) }));
  }
}

/** Whether an entry of a history tells of a beginning. */
const isBegin = (what: number): boolean => what !== 1 && what !== 2 && what !== 6;

/** The numbers of the activity instances that go on. */
function activeIn({ log }: QueryContext, instanceId: string): Set<number> {
  const row = log.prepare(`SELECT body FROM ${tableOf(processInstances)} WHERE id = ?`).get(instanceId);
  const tokens =
    row === undefined ? [] : documentOf(processInstances, { id: instanceId, body: String(row.body) }).state.tokens;
  return new Set(tokens.flatMap(({ activity }) => activity ?? []));
}

function count(context: QueryContext, instanceId: string): number {
  let total = 0;
  for (const { history } of runsOf(context, instanceId)) {
    for (const [what] of history) if (isBegin(what)) total++;
  }
  return total;
}
