import type { Expression, Language, Predicate } from '../exchange/language.js';

/** Compiler of the arguments of functions: it makes closures of them. */
export interface TextCompiler {
  /** Functions that the text itself defines, by name: `$init{ $name ~:= … }init$`. */
  readonly functions: Map<string, Expression>;
  readonly languageOf: (name: string) => Language;
  /** A text with functions in it. One function alone gives its value, whatever that is; otherwise it is text, in which null is nothing. @throws SyntaxProblem */
  template(text: string): Expression;
  /** @throws SyntaxProblem */
  predicate(text: string): Predicate;
  /** What stands within `${…}`. @throws SyntaxProblem */
  function(text: string): Expression;
}

/** Makes the closure of what stands within `${…}`. @throws SyntaxProblem */
export type FunctionCompiler = (text: string, compiler: TextCompiler) => Expression;
