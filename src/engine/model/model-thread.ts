import { parentPort } from 'node:worker_threads';
import {
  compileExpression,
  parseCycle,
  parseDateTime,
  parseDuration,
  parseRetryCycle,
} from '../../expression/index.js';
import { messageOf, ServiceError } from '../../shared/errors.js';
import { compileModel } from './compile-model.js';
import type { ThreadAnswer } from './model-parser.js';
import type { ModelTexts } from './report.js';

const texts: ModelTexts = {
  expression: compileExpression,
  dateTime: parseDateTime,
  duration: parseDuration,
  cycle: parseCycle,
  retryCycle: parseRetryCycle,
};

const post = (answer: ThreadAnswer): void => parentPort?.postMessage(answer);

parentPort?.on('message', (xml: string) => {
  compileModel(xml, texts).then(
    (model) => post({ kind: 'model', model }),
    (thrown: unknown) => {
      if (!(thrown instanceof ServiceError)) post({ kind: 'bug', message: messageOf(thrown) });
      else post({ kind: 'refusal', code: thrown.code, message: thrown.message, info: thrown.info });
    },
  );
});
post({ kind: 'ready' });
