import { parentPort, workerData } from 'node:worker_threads';
import {
  loadFeelin,
  loadScripts,
  type ScriptResult,
  type ScriptRun,
  type ThreadOptions,
  type ThreadReply,
  type ThreadRequest,
} from '../../expression/index.js';
import { messageOf } from '../../shared/errors.js';
import { answerFeel, feelFailure } from '../element/feel.js';
import type { TypedValue, Variables } from '../element/instance-state.js';
import { typed } from '../element/native.js';
import type { DecisionModel } from './decision-model.js';
import type { ThreadQuestion } from './decision-threads.js';
import { evaluateDecision } from './evaluate-decision.js';

// Scripts run in UTC wherever the server stands.
Date.prototype.getTimezoneOffset = () => 0;

const port = parentPort;
if (port === null) throw new Error('the thread of decisions is started by ScriptPool');

const { begun, memoryBytes } = workerData as ThreadOptions;
const reply = (message: ThreadReply) => port.postMessage(message);

type RunScript = (script: ScriptRun) => ScriptResult;

/** Loaded with the first decision that has any. */
let scripts: RunScript | undefined;

port.on('message', async ({ input }: ThreadRequest) => {
  const asked = JSON.parse(input) as ThreadQuestion;
  if (asked.kind === 'decision' && hasScripts(asked.model)) scripts ??= await loadScripts(memoryBytes);
  Atomics.store(begun, 0, process.hrtime.bigint());
  reply({ type: 'done', result: JSON.stringify(resultOf(asked)), broken: false });
});
await loadFeelin();
reply({ type: 'ready' });

const hasScripts = (model: DecisionModel): boolean => JSON.stringify(model).includes('"language":"javascript"');

function resultOf(asked: ThreadQuestion): object {
  try {
    if (asked.kind === 'feel') return { value: answerFeel(asked.question) };
    const { model, question } = asked;
    return { value: evaluateDecision(model, question, { script: scriptFor(question.now) }) };
  } catch (thrown) {
    const message = asked.kind === 'feel' ? feelFailure(thrown) : messageOf(thrown);
    return { error: { kind: 'thrown', message: message.slice(0, 2_000) } };
  }
}

const NOWHERE = {
  id: '',
  processInstanceId: '',
  processDefinitionId: '',
  processBusinessKey: null,
  currentActivityId: null,
};

/** Runs a script of a decision: it sees the names there are, and its value counts alone. */
const scriptFor =
  (now: number) =>
  (source: string, variables: Variables): TypedValue => {
    const done = scripts?.({ source, variables, now, seed: source, execution: NOWHERE });
    if (done === undefined) throw new Error('no script can run here');
    if ('error' in done) throw new Error(done.error.message);
    const type = done.types.result;
    return type === undefined ? typed(done.result) : { type, value: done.result };
  };
