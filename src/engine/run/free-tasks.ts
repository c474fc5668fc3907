import type { Scalar, State } from '../../store/index.js';
import { type ExternalTask, externalTasks } from '../collections.js';

/** Which external tasks are looked at, and in which order. */
interface FreeTasksOptions {
  /** ms, system clock */
  readonly now: number;
  readonly topics: readonly SoughtTopic[];
  /** How many are wanted. */
  readonly wanted: number;
  /** Where an earlier walk stopped, by topic. */
  readonly from: Readonly<Record<string, TopicPlace>>;
  readonly byPriority: boolean;
  readonly newestFirst: boolean;
}

interface SoughtTopic {
  readonly topicName: string;
  /** Only of instances with it. */
  readonly businessKey?: string | null;
}

/** Place within the tasks of a topic: at or behind these columns of the indexes; null: at their end. */
export interface TopicPlace {
  readonly open: Place | null;
  readonly held: Place | null;
}

type Place = readonly Scalar[];

/** The tasks of some topics that a worker may take now, one after the other. */
export interface FreeTasks {
  next(): ExternalTask | undefined;
  /** Where the walk stands; null: at the end of all topics. */
  place(): Readonly<Record<string, TopicPlace>> | null;
  /** When the next held one comes to be free, ms of the system clock; null: none does by time. */
  nextAt(): number | null;
}

/** Tasks that are read at once, at most. */
const PAGE = 100;

/** Those of highest priority first where it counts, then by age; nothing is read beyond what is looked at, and the rest of a page. */
export function freeTasks(state: State, options: FreeTasksOptions): FreeTasks {
  const { topics, from } = options;
  const before = orderOf(options);
  const walks = topics.map((topic) => ({ topic, ...walksOf(state, topic, from[topic.topicName], options) }));
  const all = walks.flatMap(({ open, held }) => [open, held]);
  return {
    next() {
      let first: { readonly walk: Walk; readonly head: ExternalTask } | undefined;
      for (const walk of all) {
        const head = walk.head();
        if (head !== undefined && (first === undefined || before(head, first.head) < 0)) first = { walk, head };
      }
      first?.walk.pass();
      return first?.head;
    },
    place() {
      const places = walks.map(({ topic, open, held }) => [
        topic.topicName,
        { open: open.place(), held: held.place() },
      ]) as [string, TopicPlace][];
      return places.some(([, { open, held }]) => open !== null || held !== null) ? Object.fromEntries(places) : null;
    },
    nextAt: () => nextAt(state, options),
  };
}

type Order = (a: ExternalTask, b: ExternalTask) => number;

function orderOf({ byPriority, newestFirst }: FreeTasksOptions): Order {
  const sign = newestFirst ? -1 : 1;
  return (a, b) =>
    (byPriority ? b.priority - a.priority : 0) || sign * (a.created - b.created) || sign * (a.id < b.id ? -1 : 1);
}

/** A page of tasks that is read of a walk at once. `next`: where the page behind it begins; null: it is the last. */
interface TaskPage {
  readonly tasks: readonly ExternalTask[];
  readonly next: Place | null;
}

/** Tasks in order, read page by page. */
class Walk {
  readonly #read: (from: Place | undefined) => TaskPage;
  readonly #placeOf: ((task: ExternalTask) => Place) | undefined;
  #page: TaskPage | undefined;
  #at = 0;
  #from: Place | null | undefined;

  /** `placeOf`: the place of a task; undefined: where its page begins. */
  constructor(
    from: Place | null | undefined,
    read: (from: Place | undefined) => TaskPage,
    placeOf?: (task: ExternalTask) => Place,
  ) {
    this.#from = from;
    this.#read = read;
    this.#placeOf = placeOf;
  }

  head(): ExternalTask | undefined {
    while (this.#from !== null) {
      this.#page ??= this.#read(this.#from);
      const head = this.#page.tasks[this.#at];
      if (head !== undefined) return head;
      this.#from = this.#page.next;
      this.#page = undefined;
      this.#at = 0;
    }
    return undefined;
  }

  pass(): void {
    this.#at++;
  }

  place(): Place | null {
    const head = this.head();
    if (head === undefined) return null;
    return this.#placeOf?.(head) ?? this.#from ?? [];
  }
}

const NOTHING = new Walk(null, () => ({ tasks: [], next: null }));

function walksOf(
  state: State,
  topic: SoughtTopic,
  from: TopicPlace | undefined,
  options: FreeTasksOptions,
): { readonly open: Walk; readonly held: Walk } {
  if (topic.businessKey != null) return { open: ofBusinessKey(state, topic, options), held: NOTHING };
  const { topicName } = topic;
  return {
    open: openTasks(state, topicName, from?.open, options),
    held: endedLocks(state, topicName, from?.held, options),
  };
}

function openTasks(state: State, topic: string, from: Place | null | undefined, options: FreeTasksOptions): Walk {
  const { byPriority, newestFirst, wanted } = options;
  const index = byPriority ? 'urgent' : 'oldest';
  const placeOf = (task: ExternalTask): Place => [...(byPriority ? [-task.priority] : []), task.created, task.id];
  const read = (place: Place | undefined): TaskPage => {
    const limit = place === undefined ? Math.min(wanted, PAGE) : PAGE;
    const found = state.range(externalTasks, index, [topic, ...(place ?? [])], limit, { skipDamaged: true });
    return pageOf(
      found.filter((task) => columnOf(task, 'openTopic') === topic),
      limit,
      placeOf,
    );
  };
  if (!newestFirst || from !== undefined) return new Walk(from, read, placeOf);
  return new Walk(from, newestOf(state, { topic, byPriority, read }));
}

interface NewestOf {
  readonly topic: string;
  readonly byPriority: boolean;
  /** By age. */
  readonly read: (from: Place | undefined) => TaskPage;
}

/** `limit`: as many were asked for: with fewer the walk is at its end. */
function pageOf(tasks: readonly ExternalTask[], limit: number, placeOf: (task: ExternalTask) => Place): TaskPage {
  const last = tasks.at(-1);
  if (last === undefined || tasks.length < limit) return { tasks, next: null };
  // Behind the id of the last one.
  return { tasks, next: [...placeOf(last).slice(0, -1), `${last.id} `] };
}

/** Priority by priority, where it counts, the newest ones of each; behind as many of one as a page has, all others by age. */
function newestOf(state: State, { topic, byPriority, read }: NewestOf): (from: Place | undefined) => TaskPage {
  const seen = new Set<string>();
  let isNewest = true;
  const byAge = (from: Place): TaskPage => {
    const page = read(from);
    return { ...page, tasks: page.tasks.filter(({ id }) => !seen.has(id)) };
  };
  return (from = []) => {
    if (!isNewest) return byAge(from);
    const tasks = newestFrom(state, topic, byPriority, from);
    for (const { id } of tasks) seen.add(id);
    const [first] = tasks;
    isNewest = tasks.length < PAGE;
    if (!isNewest) return { tasks, next: [] };
    return { tasks, next: byPriority && first !== undefined ? [1 - first.priority] : null };
  };
}

/** The newest ones of the first priority from this one on, or of all. */
function newestFrom(state: State, topic: string, byPriority: boolean, from: Place): readonly ExternalTask[] {
  const index = byPriority ? 'urgent' : 'oldest';
  const [first] = state.range(externalTasks, index, [topic, ...from], 1, { skipDamaged: true });
  if (first === undefined || columnOf(first, 'openTopic') !== topic) return [];
  const prefix = byPriority ? [topic, -first.priority] : [topic];
  return state.find(externalTasks, index, prefix, { descending: true, limit: PAGE });
}

/** Tasks that have come to be free by time, those that did so first; each page in the order that is wanted. */
function endedLocks(state: State, topic: string, from: Place | null | undefined, options: FreeTasksOptions): Walk {
  const placeOf = (task: ExternalTask): Place => [columnOf(task, 'freeFrom'), task.id];
  return new Walk(from, (place = []) => {
    const found = state.range(externalTasks, 'held', [topic, ...place], PAGE, { skipDamaged: true });
    const free = found.filter(
      (task) => columnOf(task, 'heldTopic') === topic && Number(columnOf(task, 'freeFrom')) <= options.now,
    );
    const page = pageOf(free, PAGE, placeOf);
    return { ...page, tasks: free.sort(orderOf(options)) };
  });
}

/** The few of one business key. */
function ofBusinessKey(state: State, { topicName, businessKey = null }: SoughtTopic, options: FreeTasksOptions): Walk {
  const isFree = (task: ExternalTask) =>
    columnOf(task, 'openTopic') !== null ||
    (columnOf(task, 'heldTopic') !== null && Number(columnOf(task, 'freeFrom')) <= options.now);
  return new Walk(undefined, () => {
    const found = state.find(externalTasks, 'business', [businessKey, topicName], { limit: 10 * PAGE });
    return { tasks: found.filter(isFree).sort(orderOf(options)), next: null };
  });
}

function nextAt(state: State, { topics, now }: FreeTasksOptions): number | null {
  const next = topics.flatMap(({ topicName }) => {
    const [first] = state.range(externalTasks, 'held', [topicName, now + 1], 1, { skipDamaged: true });
    const isOfTopic = first !== undefined && columnOf(first, 'heldTopic') === topicName;
    return isOfTopic ? [Number(columnOf(first, 'freeFrom'))] : [];
  });
  return next.length === 0 ? null : Math.min(...next);
}

const columnOf = (task: ExternalTask, name: 'openTopic' | 'heldTopic' | 'freeFrom'): Scalar =>
  externalTasks.columns[name]?.(task) ?? null;
