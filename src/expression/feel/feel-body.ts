import type { FeelFunction } from 'feelin';
import { messageOf } from '../../shared/errors.js';
import { evaluationFailed } from '../errors.js';
import { compared } from './feel-arithmetic.js';
import { AssertionFailed } from './feel-camunda.js';
import type { FeelResult, FeelScope } from './feel-expression.js';
import { ownFunction } from './feel-functions.js';
import { notesSoFar, refused, takeNote } from './feel-note.js';
import { rewrite } from './feel-rewrite.js';
import { DIALECT, type FeelShape, type Tree } from './feel-syntax.js';
import type { FeelValue } from './feel-value.js';
import { feelin } from './feelin.js';
import { valueAt } from './simple-feel.js';

/** The value that a unary test tests. */
export const TESTED = '?';

export type Names = readonly string[];

interface BodyNames {
  readonly names: Names;
  readonly shape: FeelShape;
  /** Of the text, where it has been read. */
  readonly tree?: Tree | null;
}

/**
 * A function of FEEL whose body is the text. The library has no way to compile an expression, but it compiles the body of a function once; the names that
 * it is given are ours to choose, and what it warns of stands in the list that came with it.
 */
export class Body {
  readonly #function: FeelFunction;
  readonly #warnings: { readonly message: string }[];
  readonly #names: Names;
  readonly #text: string;
  /** Names that the reader had to know, and the text does not mention: they have no value. */
  readonly #skipped: number;

  constructor(text: string, shown: string, { names, shape, tree = null }: BodyNames) {
    const rewritten = rewrite(text, shape, tree);
    const { value, warnings } = this.#built(rewritten.text, shape);
    this.#function = value as FeelFunction;
    this.#warnings = warnings;
    this.#names = [...new Set([...names, ...rewritten.calls])];
    this.#text = shown;
    const others = Object.keys(shape).filter((name) => !this.#names.includes(name));
    this.#function.parameterNames.splice(0, 1, ...others, ...this.#names);
    this.#skipped = others.length;
  }

  /** The line end closes a comment. What the library cannot make of constants is told when it is evaluated. */
  #built(text: string, shape: FeelShape) {
    const { evaluate, FeelFunction } = feelin();
    try {
      return evaluate(`function(${PARAMETER}) (${text}\n)`, { ...shape, [TESTED]: 0 }, DIALECT);
    } catch (thrown) {
      const failing = () => {
        throw thrown;
      };
      return { value: new FeelFunction(failing, [PARAMETER]), warnings: [] };
    }
  }

  /** What the library cannot do is null, as all that FEEL cannot. */
  #failure(thrown: unknown): FeelResult {
    const cause = messageOf(thrown);
    if (thrown instanceof AssertionFailed) throw evaluationFailed(this.#text, cause);
    if (EXHAUSTED.test(cause)) throw evaluationFailed(this.#text, 'it goes too deep or grows too large');
    return { value: null, cause };
  }

  evaluate(scope: FeelScope, input: FeelValue): FeelResult {
    this.#warnings.length = 0;
    const since = notesSoFar();
    const values: unknown[] = Array.from({ length: this.#skipped });
    for (const name of this.#names) values.push(name === TESTED ? input : named(scope, name));
    try {
      const value = (this.#function.fn(...values) ?? null) as FeelValue;
      return { value, cause: this.#warnings[0]?.message ?? takeNote(since) ?? null };
    } catch (thrown) {
      return this.#failure(thrown);
    } finally {
      takeNote(since);
      this.#warnings.length = 0;
    }
  }
}

/** Functions that tell something else each time. */
const CHANCES: readonly string[] = ['uuid', 'random number'];

/** Whether a text that mentions these names may call one of them. */
export const areChancy = (names: Names): boolean => CHANCES.some((name) => names.includes(name));

const PARAMETER = 'p';

/** What an engine of JavaScript says where a value goes too deep, or grows too large. */
const EXHAUSTED = /call stack|Invalid (string|array) length/;

/** Times are those of the run: what is evaluated again gives the same. */
function named(scope: FeelScope, name: string): unknown {
  const value = scope.variable(name);
  if (value !== undefined) return value;
  const own = ownFunction(name);
  if (own !== undefined) return own;
  // What is a name somewhere may be a path elsewhere.
  const [first = name, ...path] = name.split('.');
  if (path.length > 0) return valueAt(scope.variable(first), path);
  if (name === 'now') return () => feelin().dateAndTime(new Date(scope.now).toISOString());
  if (name === 'uuid') return () => scope.chance?.next() ?? refused('there is no uuid here');
  if (name === 'random number') return () => scope.chance?.random() ?? refused('there is no random number here');
  if (name === 'today') return () => feelin().date(new Date(scope.now).toISOString().slice(0, 10));
  return undefined;
}

/** Whether two values are equal as FEEL has it. */
export function isEqual(one: FeelValue, other: FeelValue): boolean {
  if (typeof one !== 'object' || typeof other !== 'object') return one === other;
  return compared('=', one, other) === true;
}
