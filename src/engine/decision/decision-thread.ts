import { parentPort, workerData } from 'node:worker_threads';
import { feelin, type ThreadOptions, type ThreadReply, type ThreadRequest } from '../../expression/index.js';
import { answerFeel, feelFailure } from '../element/feel.js';
import type { ThreadQuestion } from './decision-threads.js';

const port = parentPort;
if (port === null) throw new Error('the thread of decisions is started by ScriptPool');

const { begun } = workerData as ThreadOptions;
const reply = (message: ThreadReply) => port.postMessage(message);

port.on('message', ({ source, input }: ThreadRequest) => {
  const asked = { kind: source, question: JSON.parse(input) } as ThreadQuestion;
  Atomics.store(begun, 0, process.hrtime.bigint());
  reply({ type: 'done', result: JSON.stringify(resultOf(asked)), broken: false });
});
feelin();
reply({ type: 'ready' });

function resultOf({ question }: ThreadQuestion): object {
  try {
    return { value: answerFeel(question) };
  } catch (thrown) {
    return { error: { kind: 'thrown', message: feelFailure(thrown).slice(0, 2_000) } };
  }
}
