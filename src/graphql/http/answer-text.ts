import { answerRefused } from '../execution/execution-guard.js';
import type { GraphqlResult } from '../execution/operation-runner.js';
import { type AnswerShare, UNCOUNTED_ANSWER_BYTES } from './answer-budget.js';
import { eachPiece } from './json-pieces.js';

/** An answer as JSON text. */
export interface AnswerText {
  readonly pieces: string[];
  /** In UTF-8. */
  readonly bytes: number;
}

/** Errors are no part of what was counted: so many of them are small. */
const FEW_ERRORS = 100;

/** Whether an answer is made in turns. */
export const isLong = ({ errors = [] }: GraphqlResult, answer: AnswerShare): boolean =>
  answer.bytes > UNCOUNTED_ANSWER_BYTES || errors.length > FEW_ERRORS;

/**
 * The text of a long answer; others have their turn while it is made. What was counted of it before becomes what it has.
 * @throws LIMIT_EXCEEDED, UNAVAILABLE (503) as the execution does when it counts
 */
export async function textOfLong(result: GraphqlResult, answer: AnswerShare, isMutation: boolean): Promise<AnswerText> {
  const pieces: string[] = [];
  let bytes = 0;
  await eachPiece(result, (piece) => {
    bytes += Buffer.byteLength(piece);
    const refusal = answer.settle(bytes);
    if (refusal !== undefined) throw answerRefused(refusal, answer, isMutation);
    pieces.push(piece);
  });
  return { pieces, bytes };
}
