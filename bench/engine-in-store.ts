import { engineLists, Handlers, tasks } from '../src/engine/index.js';
import {
  Indexer,
  type ListRequest,
  type Page,
  type Partition,
  Reader,
  type StoreOptions,
  shortList,
} from '../src/store/index.js';
import { benchEngine, benchStore, caller } from './bench-engine.js';
import { type Case, cases, decisionFiles, modelOf, timerModel } from './cases.js';
import type { Work } from './measure.js';

/** The engine in a store, with the models of the cases and the one that waits for a timer deployed. Callers hear of their tasks as subscribers do: by the event `task.created`. */
export interface EngineInStore {
  readonly partition: Partition;
  /** One operation: one instance from start to end through the engine's operations. */
  work(name: Case): Work;
  /** One operation: an instance of (d), whose task is found by a list, as clients do who do not subscribe. Not in memory. */
  readonly found: Work;
  /** Starts an instance; gives its id. */
  start(name: Case | 'timer' | 'decision' | 'undecided'): Promise<string>;
  close(): Promise<void>;
}

/** `folder` null: in memory; else durable through the log of that folder, or through `logs`. */
export async function engineInStore(
  folder: string | null,
  observers: Partial<Pick<StoreOptions, 'followers' | 'decided' | 'logs' | 'clock'>> = {},
): Promise<EngineInStore> {
  const handlers = new Handlers();
  handlers.register('work', () => null, { inline: true });
  const { engine, parser } = benchEngine({ handlers });
  // As in the server: the indexer's thread follows the log, and moves what was written out of the write-ahead log.
  const indexer = folder === null ? null : new Indexer({ dataFolder: folder, modules: [] });
  const modules = [new URL('../src/engine/reader/reader-module.js', import.meta.url).href];
  const lists =
    folder === null || indexer === null ? null : new Reader({ dataFolder: folder, modules, index: indexer });
  const openTasks = new Map<string, string>();
  /** Who waits for the end of instances that call others. */
  const callers = new Map<string, () => void>();
  const resources = cases.map((name) => ({ name: `${name}.bpmn`, content: modelOf(name, 'millrace') }));
  resources.push({ name: 'timer.bpmn', content: timerModel() }, ...decisionFiles());
  const { store, partition } = await benchStore(engine, resources, {
    ...observers,
    followers: (name) => [
      ...(indexer === null ? [] : [indexer.follower(name)]),
      ...(observers.followers?.(name) ?? []),
      {
        committed: ({ events }) => {
          for (const { type, ids } of events) {
            if (type === 'task.created') openTasks.set(ids.processInstanceId ?? '', ids.taskId ?? '');
            else if (type === 'process.ended') callers.get(ids.processInstanceId ?? '')?.();
          }
        },
      },
    ],
    folder,
    jobSlots: 256,
  });
  await parser.close();

  let turn = 0;
  const start: EngineInStore['start'] = async (definitionKey) => {
    const variables =
      definitionKey === 'c' || definitionKey === 'f'
        ? [{ name: 'i', type: 'Integer' as const, value: 0 }]
        : decided(definitionKey, turn++);
    const { answer } = await partition.send(engine.api.startProcess, { definitionKey, variables }, { caller });
    return answer;
  };
  const complete = async (instanceId: string, taskId = openTasks.get(instanceId)): Promise<void> => {
    if (taskId === undefined) throw new Error(`expected instance '${instanceId}' to wait at its task`);
    openTasks.delete(instanceId);
    await partition.send(engine.api.completeTask, { taskId }, { caller });
  };
  const calling = async (): Promise<void> => {
    const instanceId = await start('g');
    await new Promise<void>((resolve) => callers.set(instanceId, resolve));
    callers.delete(instanceId);
  };
  const listed = async (instanceId: string): Promise<Page | undefined> =>
    (await lists?.query('bench', engineLists, [tasksOf(instanceId)], caller))?.answer[0];
  const found = async (): Promise<void> => {
    const instanceId = await start('d');
    const page = shortList(partition.replica.statements, tasks, tasksOf(instanceId)) ?? (await listed(instanceId));
    await complete(instanceId, page?.rows[0]?.id);
  };
  return {
    partition,
    start,
    found,
    work: (name) => {
      if (name === 'g') return calling;
      return name === 'd' ? async () => complete(await start(name)) : () => start(name);
    },
    close: async () => {
      await store.close(1_000);
      await lists?.close();
      await indexer?.close();
    },
  };
}

/** What the table looks at: each of its rules in turn. */
const decided = (key: string, turn: number) =>
  key.endsWith('decided') || key === 'decision'
    ? [
        { name: 'level', value: ['gold', 'silver', 'bronze', 'none'][turn & 3] },
        { name: 'amount', value: (turn * 37) % 1_000 },
        { name: 'country', value: ['DE', 'FR'][turn & 1] },
      ]
    : [];

const tasksOf = (instanceId: string): ListRequest => ({
  collection: 'task',
  where: [{ op: 'eq', column: 'instanceId', value: instanceId }],
  order: [{ column: 'created', descending: true }],
  first: 10,
  count: false,
  caller,
  field: 'tasks',
});
