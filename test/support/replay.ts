import {
  type CompletedBundle,
  type InstancePart,
  type ProcessInstance,
  type Run,
  type RunCommand,
  subscribedKey,
} from '../../src/engine/collections.js';
import { newInstance } from '../../src/engine/element/advance.js';
import type { Advance, Effect, InstanceState } from '../../src/engine/element/instance-state.js';
import type { Program } from '../../src/engine/model/program.js';
import { bringBack, bringBundles, rehydrate } from '../../src/engine/run/load-instance.js';
import { loadText } from '../../src/engine/run/stored-text.js';
import { idSource } from '../../src/shared/ids.js';
import type { State } from '../../src/store/index.js';

/** Services of a replay. */
interface Replay {
  readonly advance: Advance;
  readonly program: (definitionId: string) => Program;
  readonly state: Pick<State, 'get'>;
}

/** Runs the kept commands of an instance once more, in the order of their numbers. Gives the state that is stored, or was at that number. */
export function replay(
  { advance, program, state }: Replay,
  instance: ProcessInstance,
  kept: readonly Run[],
): InstanceState {
  let tokens = newInstance();
  const commands = [...kept]
    .sort((a, b) => a.n - b.n)
    .map((run) => ({
      run,
      command: run.command ?? parsed(loadText(state, run.id, { text: null, pieces: run.pieces })),
    }));
  let businessKey = firstKey(
    instance,
    commands.map(({ command }) => command),
  );
  for (const { run, command } of commands) {
    if (command.input === null) continue;
    const decisions = [...(command.decisions ?? [])];
    const before = tokens;
    const steps = Math.max(1, command.steps);
    const result = advance(program(run.definitionId), before, command.input, {
      now: run.at,
      ids: idSource(command.seed, run.at),
      instanceId: instance.id,
      definitionId: run.definitionId,
      businessKey,
      userId: run.userId,
      groups: () => command.groups ?? [],
      answers: [...(command.answers ?? [])],
      handler: (name) => command.handlers?.[name] ?? undefined,
      task: (id) => command.tasks?.[id] ?? undefined,
      subscribed: (type, name) => command.subscribed?.[subscribedKey(type, name)] ?? [],
      decide: () => decisions.shift() ?? { definitionId: '' },
      rules: command.rules ?? 1,
      // As long as a modification has instructions left a run takes ten times as many.
      get stepsMax() {
        return before.modifying?.instructions.length ? steps / 10 : steps;
      },
      program,
      ...(command.followed && { followed: command.followed }),
      ...(command.here && { here: command.here }),
      ...(command.stalled && { stepsLeft: () => command.steps }),
    });
    if ('ask' in result) {
      throw new Error(`run ${run.n} of process instance '${instance.id}' asks for what its kept answers do not hold`);
    }
    tokens = result.state;
    businessKey = keyAfter(businessKey, result.effects);
  }
  return tokens;
}

/** The whole state of a stored instance with its large variables, what is away brought back. */
export function wholeState(
  state: Pick<State, 'get'>,
  instance: ProcessInstance,
  parts: readonly InstancePart[],
  bundles: readonly CompletedBundle[] = [],
): InstanceState {
  const loaded = rehydrate(state, instance);
  bringBack(
    state,
    loaded,
    parts.map(({ within }) => within),
  );
  bringBundles(loaded, state, bundles);
  return loaded.state;
}

/** A state as JSON; where some of it may be away the scopes in the order of their numbers, for that comes back in any order. */
export function comparable(state: InstanceState): InstanceState {
  const { scopes, ...rest } = state;
  const comesBack = scopes.some(({ size, kept }) => size !== undefined || kept);
  const sorted = comesBack ? [...scopes].sort((a, b) => a.id - b.id) : scopes;
  return JSON.parse(JSON.stringify({ ...rest, scopes: sorted }));
}

function keyAfter(before: string | null, effects: readonly Effect[]): string | null {
  const changed = effects.findLast((effect) => effect.type === 'businessKey');
  return changed === undefined ? before : changed.businessKey;
}

const parsed = (text: string): RunCommand => JSON.parse(text);

/** The instance has its last business key, and each command that changed it the one before. */
function firstKey({ businessKey }: ProcessInstance, commands: readonly RunCommand[]): string | null {
  const changed = commands.find((command) => command.businessKey !== undefined);
  return changed === undefined ? businessKey : (changed.businessKey ?? null);
}
