import { parentPort } from 'node:worker_threads';
import { toThreadError } from '../shared/thread-service.js';
import type { WorkReply } from './work-thread.js';

/** The other end of a `WorkThread`: what its thread does with each question. */
export function serveWork<Q, A>(work: (question: Q) => A | Promise<A>): void {
  const post = (reply: WorkReply): void => parentPort?.postMessage(reply);
  parentPort?.on('message', (question: Q) => {
    Promise.resolve()
      .then(() => work(question))
      .then(
        (answer) => post({ kind: 'answer', answer }),
        (thrown: unknown) => post({ kind: 'error', error: toThreadError(thrown) }),
      );
  });
  post({ kind: 'ready' });
}
