import { parentPort } from 'node:worker_threads';
import { messageOf, ServiceError } from '../../shared/errors.js';
import { compileModel } from './compile-model.js';
import type { ThreadAnswer } from './model-parser.js';

const post = (answer: ThreadAnswer): void => parentPort?.postMessage(answer);

parentPort?.on('message', (xml: string) => {
  compileModel(xml).then(
    (model) => post({ kind: 'model', model }),
    (thrown: unknown) => {
      if (!(thrown instanceof ServiceError)) post({ kind: 'bug', message: messageOf(thrown) });
      else post({ kind: 'refusal', code: thrown.code, message: thrown.message, info: thrown.info });
    },
  );
});
post({ kind: 'ready' });
