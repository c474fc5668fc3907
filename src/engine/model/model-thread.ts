import { parentPort, workerData } from 'node:worker_threads';
import { messageOf, ServiceError } from '../../shared/errors.js';
import { compileModel } from './compile-model.js';
import type { ThreadAnswer } from './model-parser.js';
import type { ModelLimits } from './scan-xml.js';

const limits = workerData as ModelLimits;

const post = (answer: ThreadAnswer): void => parentPort?.postMessage(answer);

parentPort?.on('message', (xml: string) => {
  compileModel(xml, limits).then(
    (model) => post({ kind: 'model', model }),
    (thrown: unknown) => {
      if (!(thrown instanceof ServiceError)) post({ kind: 'bug', message: messageOf(thrown) });
      else post({ kind: 'refusal', code: thrown.code, message: thrown.message, info: thrown.info });
    },
  );
});
post({ kind: 'ready' });
