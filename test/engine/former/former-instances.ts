import { engineCollections, jobs, runs } from '../../../src/engine/collections.js';
import { activityInstances } from '../../../src/engine/view/activity-instances.js';
import { documentOf, textOf } from '../../../src/store/document-text.js';
import { type Collection, type Document, incidents, put } from '../../../src/store/index.js';
import { ann, type EngineHarness, inputs } from '../../support/engine-harness.js';
import { engineOfStories, STORIES, type Story, Told } from './stories.js';

/** What an engine had stored when a story was told half, and how that ended when it went on. */
export interface FormerInstance {
  readonly id: string;
  /** The domain clock, ms. */
  readonly now: number;
  readonly revision: number;
  /** By collection: documents as the log has them. */
  readonly documents: Readonly<Record<string, readonly { readonly id: string; readonly body: string }[]>>;
  readonly end: StoryEnd;
}

/** An instance as it ended. */
export interface StoryEnd {
  readonly state: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Activities in the order of their beginnings, `id!` where one was cancelled. */
  readonly trail: readonly string[];
}

const stored = [...engineCollections, jobs, incidents] as unknown as readonly Collection<Document>[];

/** Tells a story half, and gives what is stored then; its end is that of this version. */
export async function tellFormer(key: string, { model, variables = {}, before }: Story): Promise<FormerInstance> {
  const engine = engineOfStories();
  await engine.deploy(model, key);
  const id = await engine.run(engine.api.startProcess, { definitionKey: key, variables: inputs(variables) }, ann);
  await before?.(new Told(engine, id));
  const documents = stored.flatMap((collection) => {
    const found = engine.all(collection).map((it) => ({ id: it.id, body: textOf(collection, it) }));
    return found.length === 0 ? [] : [[collection.name, found] as const];
  });
  const { now, revision } = engine;
  const data = { id, now, revision, documents: Object.fromEntries(documents) };
  return { ...data, end: await goOn(opened(data), key, id) };
}

/** An engine over what a former version stored. */
export function opened({ documents, now, revision }: Omit<FormerInstance, 'end'>): EngineHarness {
  const engine = engineOfStories();
  for (const collection of stored) {
    const found = documents[collection.name] ?? [];
    engine.documents.apply(found.map((it) => put(collection, documentOf(collection, it))));
  }
  // A millisecond later, so that no id is made twice.
  engine.now = now + 1;
  engine.revision = revision;
  return engine;
}

/** Lets the instance of a story go on to its end. */
export async function goOn(engine: EngineHarness, key: string, id: string): Promise<StoryEnd> {
  await STORIES[key]?.after(new Told(engine, id));
  const state = engine.state();
  const kept = engine.all(runs).filter((run) => run.instanceId === id);
  const history = activityInstances(
    kept.sort((a, b) => a.n - b.n),
    (definitionId) => engine.programs.of(state, definitionId),
  );
  return {
    state: engine.instance(id).actor.value,
    variables: engine.variables(id),
    trail: history.map(({ activityId, canceled }) => activityId + (canceled ? '!' : '')),
  };
}
