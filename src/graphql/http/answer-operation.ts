import type { ServerResponse } from 'node:http';
import type { RunnableOperation } from '../execution/executor.js';
import type { Asked, GraphqlResult, OperationRunner } from '../execution/operation-runner.js';
import type { AnswerShare } from './answer-budget.js';
import { isLong, textOfLong } from './answer-text.js';
import { type Patience, type Reply, respond, respondAtLength } from './respond.js';

/** How an operation is answered. */
export type Answering = Reply & Patience;

/**
 * Executes a query or mutation and sends its result; resolves when the client has it, or is gone.
 * @throws TransportError 503: there is no room for the answer to a query now
 */
export async function answerOperation<W>(
  runner: OperationRunner<W>,
  work: RunnableOperation,
  asked: Asked<W>,
  response: ServerResponse,
  how: Answering,
): Promise<void> {
  const answer = runner.newAnswer(asked);
  try {
    const isMutation = work.operation.type === 'mutation';
    const result = await (isMutation
      ? runner.execute(work, asked, answer)
      : whileThere(response, (control) => runner.execute(work, asked, answer, control)));
    if (!isLong(result, answer)) return respond(response, result, how);
    const text = await textOfLong(result, answer, isMutation).catch((thrown: unknown) =>
      runner.withheld(work, result, thrown, asked),
    );
    if ('pieces' in text) await respondAtLength(response, result, text, how);
    else respond(response, text, how);
  } finally {
    answer.giveBack();
  }
}

/** A query ends when its client is gone. */
async function whileThere<T>(response: ServerResponse, query: (control: AbortController) => Promise<T>): Promise<T> {
  const control = new AbortController();
  const abandon = () => control.abort();
  response.once('close', abandon);
  try {
    return await query(control);
  } finally {
    response.off('close', abandon);
  }
}

/**
 * The JSON of a result as one text, for an event; a small one at once, a long one in turns.
 * @throws TransportError 503: there is no room for it now
 */
export function textOfEvent<W>(
  runner: OperationRunner<W>,
  work: RunnableOperation,
  result: GraphqlResult,
  answer: AnswerShare,
  asked: Asked<W>,
): string | Promise<string> {
  if (!isLong(result, answer)) return JSON.stringify(result);
  return textOfLong(result, answer, work.operation.type === 'mutation').then(
    ({ pieces }) => pieces.join(''),
    (thrown: unknown) => JSON.stringify(runner.withheld(work, result, thrown, asked)),
  );
}
