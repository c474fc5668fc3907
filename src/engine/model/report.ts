import {
  compileExpression,
  compileFeel,
  endOfDuration,
  parseCycle,
  parseDuration,
  parseInstant,
  parseRetryCycle,
  type ScriptFailure,
} from '../../expression/index.js';
import { badRequest, messageOf } from '../../shared/errors.js';
import { unknownHandler } from '../handlers.js';
import { idOf, isA, kindOf, type ModdleElement, one, text } from './moddle-element.js';
import type { RefusingRule, Rule, WarningRule } from './rules.js';
import type { Position, XmlPositions } from './xml-positions.js';

/** Something that is wrong, or doubtful, in a model. Line and column from 1; null where the place is not known. */
export interface Problem {
  readonly line: number | null;
  readonly column: number | null;
  readonly elementId: string | null;
  /** A whole sentence: names the element, says what was expected and what was found. */
  readonly message: string;
  /** The rule that is broken; absent: none has a code for it. */
  readonly rule?: Rule;
}

/** Subject of a problem: a compiled element, or a flow with its kind. */
export interface Subject {
  readonly id: string;
  readonly type: string;
}

/** JavaScript in a model; `what` it is for messages. */
interface ModelScript {
  readonly about: ModdleElement;
  readonly what: string;
  readonly text: string;
}

/** A form that a model holds itself: what a `.form` file of that id would be. */
export interface ModelForm {
  readonly id: string;
  readonly content: string;
}

/** Files that are deployed with a model, by their names. */
export type ModelFiles = Readonly<Record<string, string>>;

/** How many problems, and how many warnings, are listed; the rest is only counted. */
const LISTED_MAX = 100;

/** Collects what is found while a model is compiled. */
export class Report {
  readonly problems: Problem[] = [];
  readonly warnings: Problem[] = [];
  /** Scripts that are yet to be checked: they cannot be while the model is compiled. */
  readonly scripts: ModelScript[] = [];
  /** Forms that the model holds itself. */
  readonly forms: ModelForm[] = [];
  readonly #positions: XmlPositions;
  readonly #files: ModelFiles;
  readonly #handlers: readonly string[] | null;

  /** `handlers`: the names of those that are registered; null: it is not known. */
  constructor(positions: XmlPositions, files: ModelFiles = {}, handlers: readonly string[] | null = null) {
    this.#positions = positions;
    this.#files = files;
    this.#handlers = handlers;
  }

  /** A whole number, or an expression that gives one; null where the element does not say it. */
  priority(about: ModdleElement, attribute: string): string | null {
    const value = text(about, attribute);
    if (value === null) return null;
    if (isLiteral(value) && !/^-?\d{1,9}$/.test(value)) {
      this.problem(
        about,
        `has '${short(value)}' as ${attribute}, but expected a whole number or an expression`,
        'whole-number',
      );
    }
    return this.expression(about, attribute, value);
  }

  /** How long history is kept, as written; null where the element does not say it. */
  timeToLive(about: ModdleElement): string | null {
    const attribute = 'camunda:historyTimeToLive';
    const value = text(about, attribute);
    if (value === null || /^\d{1,6}$/.test(value)) return value;
    if (value.startsWith('P')) return this.time(about, attribute, value, 'duration');
    const expected = 'days or a duration such as P180D';
    this.problem(about, `has '${short(value)}' as ${attribute}, but expected ${expected}`, 'history-time-to-live');
    return value;
  }

  /** The text of a file of the same deployment, as `camunda:resource` names it; null, with a problem, where there is no such one. */
  file(about: ModdleElement, what: string, resource: string): string | null {
    const name = resource.replace(/^(deployment|classpath):\/\//, '');
    const written = this.#files[name];
    if (written !== undefined) return written;
    this.problem(about, `names '${short(resource)}' for its ${what}, but the deployment has no such file`, 'file');
    return null;
  }

  /** The text of a file that need not be there; null, with a warning, where there is none. */
  optionalFile(about: ModdleElement, what: string, name: string): string | null {
    const written = this.#files[name];
    if (written === undefined)
      this.warn(about, `names '${short(name)}' for its ${what}, but the deployment has no such file`, 'form-file');
    return written ?? null;
  }

  /** The name of a handler, which may be registered later: until then a run that comes to it is refused. */
  handler(about: ModdleElement, name: string): string {
    if (this.#handlers !== null && !this.#handlers.includes(name))
      this.warn(
        about,
        `calls what is not there, so that a run that comes to it is refused: ${unknownHandler(name, this.#handlers)}`,
      );
    return name;
  }

  /** Whether there is a handler of that name, as far as it is known. */
  hasHandler(name: string): boolean {
    return name !== '' && (this.#handlers === null || this.#handlers.includes(name));
  }

  /** The model cannot be deployed: `<kind> '<id>' <sentence>`. */
  problem(about: ModdleElement | Subject, sentence: string, rule?: RefusingRule): void {
    this.add(this.problems, this.#problem(about, sentence, rule));
  }

  /** The model can be deployed, though perhaps not as meant. */
  warn(about: ModdleElement | Subject, sentence: string, rule?: WarningRule): void {
    this.add(this.warnings, this.#problem(about, sentence, rule));
  }

  /** A warning of an id, or of none, with a whole sentence. */
  warnOf(id: string | null, message: string, rule: WarningRule): void {
    this.add(this.warnings, this.placed(id, message, rule));
  }

  /** As {@link warn}, with a whole sentence, at a place of the text. */
  warnAt(offset: number, elementId: string | null, message: string, rule: WarningRule): void {
    this.add(this.warnings, { ...this.placeAt(offset), elementId, message, rule });
  }

  /** As {@link problem}, with a whole sentence, at a place of the text. */
  problemAt(offset: number, elementId: string | null, message: string, rule: RefusingRule): void {
    this.add(this.problems, { ...this.placeAt(offset), elementId, message, rule });
  }

  /** Whether one warning more is only counted. */
  get hasAllWarnings(): boolean {
    return this.warnings.length > LISTED_MAX;
  }

  placeAt(offset: number): Position {
    return this.#positions.at(offset);
  }

  add(list: Problem[], problem: Problem): void {
    if (list.length < LISTED_MAX) list.push(problem);
    else if (list.length === LISTED_MAX) list.push({ line: null, column: null, elementId: null, message: 'and more' });
  }

  /** Where the root's elements of this name begin that have no id. */
  rootsWithoutId(name: string): number[] {
    return this.#positions.rootsWithoutId(name);
  }

  /** The id of the innermost element around a place. */
  idAt(position: Position): string | null {
    return this.#positions.idAt(position);
  }

  /** The name, without its prefix, of the element that holds the one that begins at a place. */
  nameAround(position: Position): string | null {
    return this.#positions.nameAround(position);
  }

  /** A problem with a whole sentence, at the element of this id. */
  placed(elementId: string | null, message: string, rule?: Rule): Problem {
    const position = elementId === null ? undefined : this.#positions.ofId(elementId);
    return {
      line: position?.line ?? null,
      column: position?.column ?? null,
      elementId,
      message,
      ...(rule && { rule }),
    };
  }

  /** Checks literal text or an expression; gives it back. */
  expression(about: ModdleElement | Subject, what: string, text: string): string {
    return this.#check(about, what, text, 'expression');
  }

  /** Checks an expression of FEEL; gives it back. */
  feel(about: ModdleElement | Subject, what: string, text: string): string {
    return this.#check(about, what, text, 'feel');
  }

  /** Checks a time that is literal, or the expression that will give it; gives the text back. */
  time(
    about: ModdleElement | Subject,
    what: string,
    text: string,
    kind: Exclude<TextKind, 'expression' | 'feel'>,
  ): string {
    return this.#check(about, what, text, isLiteral(text) ? kind : 'expression');
  }

  /** A script cannot be read: told of its own line, where that is found in the text. */
  scriptProblem({ about, what, text }: ModelScript, { message, line = 1 }: ScriptFailure): void {
    const problem = this.#problem(about, `has an invalid ${what}: ${message}, in its line ${line}`, 'script-syntax');
    const position = problem.elementId === null ? undefined : this.#positions.ofText(problem.elementId, text, line);
    this.add(this.problems, { ...problem, ...position });
  }

  #check(about: ModdleElement | Subject, what: string, text: string, kind: TextKind): string {
    try {
      modelTexts[kind](text);
    } catch (thrown) {
      this.problem(about, `has an invalid ${what}: ${messageOf(thrown)}`, TEXT_RULES[kind]);
    }
    return text;
  }

  #problem(about: ModdleElement | Subject, sentence: string, rule?: Rule): Problem {
    const { id, label } = '$type' in about ? owner(about) : { id: about.id, label: words(about.type) };
    return this.placed(id, id === null ? `${label} ${sentence}` : `${label} '${id}' ${sentence}`, rule);
  }
}

/** Whether the text of a model holds no expression. */
export const isLiteral = (text: string): boolean => !/[$#]\{/.test(text);

/** Text as a message may show it. */
export const short = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text);

/** The name of a type in words: `userTask` → `user task` */
export const words = (type: string): string =>
  type.replace(/^bPMN/, 'diagram').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** The innermost element around, itself included, that has an id. */
function owner(element: ModdleElement): { id: string | null; label: string } {
  for (let holder: ModdleElement | undefined = element; holder !== undefined; holder = holder.$parent) {
    const id = idOf(holder);
    // Parts of events, expressions and loops have ids too, and flows may have none: people know what is around, or the ends.
    if (id !== null && !/(EventDefinition|Expression|LoopCharacteristics)$/.test(kindOf(holder)))
      return { id, label: words(kindOf(holder)) };
    const [source, target] = [one(holder, 'sourceRef'), one(holder, 'targetRef')];
    if (isA(holder, 'bpmn:SequenceFlow') && source && target)
      return { id: idOf(source), label: `sequence flow to '${idOf(target)}' out of ${words(kindOf(source))}` };
  }
  return { id: null, label: words(kindOf(element)) };
}

/** What expressions of a process may call. */
const FUNCTIONS = ['now', 'dateTime', 'currentUser', 'currentUserGroups', 'feel', 'S', 'JSON'];

/** Compiles an expression. @throws BAD_REQUEST, also where it calls a function that is not among these */
export function checkFunctions(text: string, known: readonly string[]): void {
  const unknown = compileExpression(text).functions.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const expected = known.map((name) => `${name}()`).join(', ');
  throw badRequest(`expected a call of ${expected} in expression '${short(text)}', but found ${unknown}()`);
}

/** The languages of the texts in a model. Each function throws BAD_REQUEST on text that it does not understand. */
const modelTexts = {
  /** Literal text, `${…}`, or both mixed. */
  expression: (text: string) => checkFunctions(text, FUNCTIONS),
  feel: (text: string) => compileFeel(text),
  /** ISO 8601, `2026-05-01T12:00:00Z` or `P1DT12H` */
  instant: (text: string) => parseInstant(text, 0),
  /** What a timer takes for a duration: as `instant`, or `R/PT10M` */
  wait: (text: string) => endOfDuration(text, 0),
  /** ISO 8601, `P1DT12H` */
  duration: parseDuration,
  /** ISO 8601, `R3/PT10M`, or Quartz cron */
  cycle: parseCycle,
  /** `R3/PT5M`, or a comma list of durations */
  retryCycle: parseRetryCycle,
} as const;

type TextKind = keyof typeof modelTexts;

/** The rule that is broken by a text that cannot be read. */
const TEXT_RULES: Readonly<Record<TextKind, RefusingRule>> = {
  expression: 'expression-syntax',
  feel: 'feel-syntax',
  instant: 'time',
  wait: 'time',
  duration: 'time',
  cycle: 'time-cycle',
  retryCycle: 'retry-cycle',
};
