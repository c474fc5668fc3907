import { ExchangeFailure } from '../exchange/failure.js';

/** Why a text is no Simple expression. `at`: offset in the text, from 0. */
export class SyntaxProblem extends Error {
  readonly at: number;

  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

const SHOWN_MAX = 500;

/** The failure for a text of a route, with the place. */
export function syntaxError(text: string, problem: SyntaxProblem): ExchangeFailure {
  const where = `at location ${problem.at}`;
  const shown = text.length <= SHOWN_MAX ? text : `${text.slice(0, SHOWN_MAX - 1)}…`;
  return new ExchangeFailure(
    'org.apache.camel.language.simple.types.SimpleIllegalSyntaxException',
    `${problem.message} ${where}\n${shown}\n${' '.repeat(Math.min(problem.at, SHOWN_MAX))}*\n`,
  );
}
