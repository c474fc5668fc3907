import { compileExpression, compileFeel, type FeelKind, type FeelShape } from '../../expression/index.js';
import { messageOf } from '../../shared/errors.js';
import { type ModdleElement, many, one, raw, text } from '../model/moddle-element.js';
import { checkFunctions, type Report, short } from '../model/report.js';
import type { Language, Text } from './decision-model.js';
import { shapeFor } from './shape.js';

/** The name of an element; spaces within count as one. */
export const nameOf = (element: ModdleElement, otherwise = ''): string =>
  (text(element, 'name') ?? text(element, 'iteratorVariable') ?? otherwise).replace(/\s+/g, ' ');

/** The type that an element names, without a prefix of FEEL's: `feel:string`. Null: none, or any. */
export function typeOf(element: ModdleElement, attribute = 'typeRef'): string | null {
  const type =
    text(element, attribute)
      ?.replace(/^feel[.:]/, '')
      .replace(/^\{[^}]*\}/, '') ?? null;
  return type === 'Any' || type === '' ? null : type;
}

const LANGUAGES: ReadonlyMap<string, Language> = new Map([
  ['juel', 'juel'],
  ['javascript', 'javascript'],
  ['ecmascript', 'javascript'],
  ['js', 'javascript'],
  ['graal.js', 'javascript'],
  ['nashorn', 'javascript'],
]);

/** Compiles the texts of a file, each in its language: what is wrong in them goes to the report. */
export class TextCompiler {
  readonly report: Report;
  /** Names that whoever reads its FEEL has to know. */
  readonly names: FeelShape;
  /** Whether one of the texts may call a function that tells something else each time. */
  chancy = false;
  readonly #language: string | null;

  constructor(report: Report, names: FeelShape, language: string | null) {
    this.report = report;
    this.names = names;
    this.#language = language;
  }

  /** A text with the language that it names, or its file, or FEEL; null where it is empty. */
  text(element: ModdleElement, what: string, kind: FeelKind = 'expression'): Text | null {
    const source = raw(element, 'text');
    if (source === null) return null;
    const named = text(element, 'expressionLanguage') ?? this.#language;
    const language = languageOf(named, source.trim());
    if (language === undefined) {
      const problem = `has ${what} in '${short(named ?? '')}', but only feel, juel and javascript are executed`;
      this.report.problem(element, problem, 'dmn-language');
      return null;
    }
    const trimmed = source.trim();
    const written: Text = { language, text: language !== 'juel' || isJuel(trimmed) ? trimmed : wholeJuel(trimmed) };
    const former = named === null && language === 'feel' && kind === 'expression' ? formerText(trimmed) : undefined;
    if (former !== undefined && !this.#isFeel(trimmed)) {
      const sentence = `has ${what} that FEEL cannot read, but JUEL can, which it is taken for: it should name its language`;
      this.report.warn(element, sentence, 'dmn-juel');
      return former;
    }
    this.#check(element, what, kind, written);
    return written;
  }

  #isFeel(written: string): boolean {
    // The reader takes two signs for one that compares with what the other one compares.
    if (written.replace(/"(?:[^"\\]|\\.)*"/g, '').includes('==')) return false;
    try {
      compileFeel(written, 'expression', shapeFor(this.names, written));
      return true;
    } catch {
      return false;
    }
  }

  #check(element: ModdleElement, what: string, kind: FeelKind, { language, text: written }: Text): void {
    try {
      if (language === 'feel' && compileFeel(written, kind, shapeFor(this.names, written)).chancy) this.chancy = true;
      if (language === 'juel') checkFunctions(written, JUEL_FUNCTIONS);
    } catch (thrown) {
      this.report.problem(element, `has invalid ${what}: ${messageOf(thrown)}`, 'dmn-text');
    }
    if (language === 'javascript') this.report.scripts.push({ about: element, what, text: written });
  }
}

/** What JUEL of a decision may call. */
const JUEL_FUNCTIONS = ['now', 'dateTime', 'S', 'JSON'];

/** In JUEL, all of a text that does not begin so is an expression, as in Camunda. */
const isJuel = (text: string): boolean => /^[$#]\{/.test(text);

/** All of a text is one expression of JUEL. */
const wholeJuel = (text: string): string => `\${${text}}`;

/** A text in JUEL as it was written for Camunda before version 7.13, without saying so. */
function formerText(text: string): Text | undefined {
  if (!FORMER.test(text)) return undefined;
  const former: Text = { language: 'juel', text: wholeJuel(text) };
  try {
    compileExpression(former.text);
    return former;
  } catch {
    return undefined;
  }
}

/** Signs that JUEL has, and FEEL has not. */
const FORMER = /==|&&|\|\||\?|!(?!=)/;

/** FEEL where nothing is said, unless the text is in JUEL, which was what Camunda took it for before version 7.13. */
function languageOf(named: string | null, text: string): Language | undefined {
  if (named === null) return isJuel(text) ? 'juel' : 'feel';
  return /feel/i.test(named) ? 'feel' : LANGUAGES.get(named.toLowerCase());
}

const PLAIN = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/** All names of a file that have spaces or signs in them: its FEEL is read with them, wherever they are seen. */
export function namesOf(root: ModdleElement): FeelShape {
  const names: Record<string, 0> = {};
  const add = (name: string) => {
    if (name !== '' && !PLAIN.test(name)) names[name] = 0;
  };
  const go = (element: ModdleElement, level: number) => {
    if (level > LEVELS_MAX) return;
    add(nameOf(element));
    for (const child of NAMED) {
      const found = one(element, child);
      if (found !== null) go(found, level + 1);
      for (const each of many(element, child)) go(each, level + 1);
    }
  };
  go(root, 0);
  return names;
}

/** Model files are not deeper than a hundred levels. */
const LEVELS_MAX = 100;

/** Where names are, and what holds them. */
const NAMED = [
  'drgElement',
  'itemDefinition',
  'itemComponent',
  'variable',
  'decisionLogic',
  'encapsulatedLogic',
  'body',
  'formalParameter',
  'contextEntry',
  'value',
  'column',
  'row',
  'elements',
  'output',
  'binding',
  'parameter',
  'bindingFormula',
  'calledFunction',
  'in',
  'match',
  'return',
  'satisfies',
  'if',
  'then',
  'else',
];
