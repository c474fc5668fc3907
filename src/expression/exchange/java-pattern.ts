import { Work } from '../juel/failure.js';
import { Pattern } from '../juel/pattern.js';
import { ExchangeFailure } from './failure.js';

/** A regular expression of Java's in a route, matched in linear time. */
export class JavaPattern {
  readonly #pattern: Pattern;

  /** @throws ExchangeFailure `java.util.regex.PatternSyntaxException` where it cannot be read, or needs more than that */
  constructor(source: string) {
    try {
      this.#pattern = new Pattern(source);
    } catch (thrown) {
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      throw new ExchangeFailure('java.util.regex.PatternSyntaxException', why);
    }
  }

  /** Whether it is all of the text. */
  matches(text: string): boolean {
    return this.#pattern.matches(text, new Work());
  }
}
