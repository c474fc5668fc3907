import { newInstance } from '../src/engine/element/advance.js';
import type { Effect, Input, InstanceState, RunContext } from '../src/engine/element/instance-state.js';
import { advance, type Program } from '../src/engine/index.js';
import { compileModel } from '../src/engine/model/compile-model.js';
import { idSource, newSeed } from '../src/shared/ids.js';
import type { Answered } from '../src/store/index.js';
import { type Case, modelOf } from './cases.js';
import type { Work } from './measure.js';

/** The interpreter alone: no store, no documents, no ids but its own. Between two commands the state is JSON text, as it is when stored. */
export async function interpreterWork(name: Case): Promise<Work> {
  const { programs, problems } = await compileModel(modelOf(name, 'millrace'));
  const [program] = programs;
  if (program === undefined) throw new Error(`the model cannot be run: ${JSON.stringify(problems)}`);
  const variables = { i: { type: 'Integer', value: 0 } } as const;
  return () => {
    const started = run(program, newInstance(), { type: 'start', element: null, variables });
    const task = started.effects.find((effect) => effect.type === 'createTask')?.task;
    if (task === undefined) return requireEnd(started.effects);
    const stored = JSON.parse(JSON.stringify(started.state)) as InstanceState;
    requireEnd(
      run(program, stored, { type: 'completeTask', taskId: task.id, variables: {}, localVariables: {} }).effects,
    );
  };
}

function run(program: Program, state: InstanceState, input: Input) {
  const answers: Answered[] = [];
  const now = Date.now();
  const seed = newSeed();
  const text = JSON.stringify(state);
  for (let first = true; ; first = false) {
    const context: RunContext = {
      now,
      ids: idSource(seed, now),
      instanceId: 'instance',
      definitionId: 'definition',
      businessKey: null,
      userId: 'bench',
      answers,
      handler: () => 'inline',
      stepsMax: 1_000,
    };
    const result = advance(program, first ? state : (JSON.parse(text) as InstanceState), input, context);
    if (!('ask' in result)) return result;
    answers.push({ ask: result.ask, answer: { value: { result: null, variables: {} } } });
  }
}

function requireEnd(effects: readonly Effect[]): void {
  if (!effects.some((effect) => effect.type === 'ended')) throw new Error('expected the instance to have ended');
}
