import { compileDecisions } from '../src/engine/decision/compile-decisions.js';
import { DecisionStore } from '../src/engine/decision-store.js';
import { advance, createEngine, type Engine, Handlers, ModelParser, ProgramStore } from '../src/engine/index.js';
import type { Caller } from '../src/shared/caller.js';
import { SteadyClock } from '../src/shared/clock.js';
import { type Partition, Store, type StoreOptions } from '../src/store/index.js';

/** Who does everything to the engine that is measured. */
export const caller: Caller = {
  userId: 'bench',
  groups: [],
  roles: ['administrator'],
  sessionId: null,
  workspace: 'bench',
  cause: {},
};

/** An engine to be measured, with what parses its models. Default: no handlers, and nothing else that answers its asks. */
export function benchEngine({
  handlers = new Handlers(),
  evaluators = {},
}: {
  readonly handlers?: Handlers;
  readonly evaluators?: Readonly<Record<string, (question: unknown) => Promise<unknown>>>;
} = {}): { readonly engine: Engine; readonly parser: ModelParser } {
  const parser = new ModelParser({ budgetMs: 20_000 });
  const engine = createEngine({
    decisions: new DecisionStore(),
    parseDecisions: compileDecisions,
    advance,
    programs: new ProgramStore(),
    handlers,
    parseModel: (xml) => parser.parse(xml),
    evaluators,
  });
  return { engine, parser };
}

interface Measured {
  readonly store: Store;
  readonly partition: Partition;
}

/** A store with the engine and files deployed in it. `folder` null: in memory. */
export async function benchStore(
  engine: Engine,
  resources: readonly { readonly name: string; readonly content: string }[],
  options: Partial<StoreOptions> & Pick<StoreOptions, 'folder' | 'jobSlots'>,
): Promise<Measured> {
  const store = new Store({
    clock: new SteadyClock(),
    ...engine,
    reactions: [],
    callerOf: (userId, workspace, cause) => ({ ...caller, userId, workspace, cause }),
    ...options,
  });
  const partition = await store.open('bench', 'bench');
  await partition.send(engine.api.deployProcess, { name: 'bench', resources }, { caller });
  return { store, partition };
}
