import type { ExpressionModel, Position } from '../../expression/routes.js';
import { type ElementType, elementType, LANGUAGES, type OptionType, STEPS } from './dsl.js';
import { type ContentReader, readExpression } from './read-expression.js';
import { readOption } from './read-option.js';
import { camelName, perhaps, refusalOf } from './refusal.js';
import type { ElementModel, Options, OptionValue, StepModel } from './route-model.js';
import type { RouteProblems } from './route-problems.js';
import type { StepIds } from './step-ids.js';
import { STRAY_TEXT, type Written, type WrittenEntry, type WrittenMap, wordOf } from './written.js';

/** The content of an element: a step has all of it, others are without steps and parts. */
export interface ElementContent {
  readonly options: Record<string, OptionValue>;
  readonly expressions: Record<string, ExpressionModel>;
  readonly parts: Record<string, readonly StepModel[]>;
  steps: StepModel[];
}

/** Elements that are steps within a step, by the name of their element: what the DSL calls them. */
const PARTS: Readonly<Record<string, string>> = {
  When: 'when',
  Otherwise: 'otherwise',
  Catch: 'doCatch',
  Finally: 'doFinally',
  OnFallback: 'onFallback',
  SetHeader: 'setHeader',
  SetVariable: 'setVariable',
};
/** Steps that take the steps behind them as their own, where they have none: the flow mode of Camel's DSL. */
const TAKES_NO_FOLLOWERS = new Set(['choice', 'circuitBreaker', 'kamelet']);

/** Steps that remember messages. */
const IN_MEMORY = new Set(['aggregate', 'idempotentConsumer', 'resequence']);

/** Reads elements of the DSL by its catalogue; what is wrong goes to the problems. */
export class ElementReader implements ContentReader {
  readonly problems: RouteProblems;
  readonly #ids: StepIds;

  constructor(problems: RouteProblems, ids: StepIds) {
    this.problems = problems;
    this.#ids = ids;
  }

  /** A list of steps, each a name with its options. */
  steps(written: Written): StepModel[] {
    const steps: StepModel[] = [];
    let into = steps;
    for (const item of this.list(written, 'steps')) {
      const entry = this.only(item, 'a step');
      const step = entry === undefined ? undefined : this.#step(entry);
      if (step === undefined) continue;
      into.push(step.model);
      if (step.takesFollowers) into = step.into;
    }
    return steps;
  }

  #step({ name: written, at, value }: WrittenEntry) {
    const name = camelName(written, (known) => STEPS.has(known));
    const refusal = refusalOf('step', name);
    if (refusal !== undefined) this.problems.error(at, name, refusal);
    const element = STEPS.get(name);
    if (element === undefined || (refusal !== undefined && !refusal.includes('version'))) {
      if (element === undefined && refusal === undefined)
        this.problems.error(at, name, `expected a step, but found ${name}${perhaps(name, [...STEPS.keys()])}`);
      return undefined;
    }
    if (IN_MEMORY.has(name)) this.problems.warn(at, name, `${name} keeps its state in memory: a restart begins anew`);
    const type = elementType(element);
    const into: StepModel[] = [];
    const model = this.step(name, type, at, value, into);
    const takesFollowers = type.options.has('steps') && into.length === 0 && !TAKES_NO_FOLLOWERS.has(name);
    return { model, into, takesFollowers };
  }

  /** A step, or what is like one: a when, an onException. One without an id has none yet: see {@link StepIds}. */
  step(kind: string, type: ElementType, at: Position, written: Written, into: StepModel[] = []): StepModel {
    const id = idOf(written);
    if (id !== undefined) this.#ids.take(kind, id, at);
    const { options, expressions, steps, parts } = this.content(kind, type, at, written);
    into.push(...steps);
    delete options.id;
    return { kind, id: id ?? '', isIdGiven: id !== undefined, at, options, expressions, steps: into, parts };
  }

  /** An element that is no step: a bean, a data format, an error handler. */
  element(kind: string, type: ElementType, at: Position, written: Written): ElementModel {
    const { options, expressions } = this.content(kind, type, at, written);
    return { kind, at, options, expressions };
  }

  /** What is written in an element, as far as it is right. */
  content(kind: string, type: ElementType, at: Position, written: Written): ElementContent {
    const content: ElementContent = { options: {}, expressions: {}, parts: {}, steps: [] };
    const map = this.#mapOf(kind, type, at, written);
    if (map === undefined) return content;
    const said = new Set<string>();
    for (const { name: written, ...place } of map.entries) {
      const name = camelName(written, (known) => isKnown(type, known));
      if (said.has(name)) this.problems.error(place.at, kind, `expected ${name} once for ${kind}, but found it twice`);
      said.add(name);
      this.#entry(kind, type, { name, ...place }, content, said);
    }
    this.#checkWhole(kind, type, at, said);
    return content;
  }

  #entry(kind: string, type: ElementType, entry: WrittenEntry, content: ElementContent, said: Set<string>): void {
    const option = type.options.get(entry.name);
    const refusal = kind === 'route' ? refusalOf('option', entry.name) : undefined;
    if (refusal !== undefined) this.problems.error(entry.at, kind, refusal);
    else if (option !== undefined) this.#option(kind, option, entry, content);
    else if (type.hasExpression && isExpression(entry.name)) this.#ownExpression(kind, entry, content, said);
    else this.#unknown(kind, type, entry, said);
  }

  /** The items of a list. */
  list(written: Written, element: string): readonly Written[] {
    if (written.type === 'list') return written.items;
    if (written.type === 'scalar' && written.value === null) return [];
    this.problems.error(written.at, element, `expected a list for ${element}, but found ${wordOf(written)}`);
    return [];
  }

  /** The one entry of a map. */
  only(written: Written, what: string): WrittenEntry | undefined {
    const entries = written.type === 'map' ? written.entries : [];
    const [first, second] = entries;
    if (first !== undefined && second === undefined) return first;
    // `- stop` without a colon, as people write it.
    if (written.type === 'scalar' && typeof written.value === 'string' && STEPS.has(written.value))
      return { name: written.value, at: written.at, value: { ...written, value: null, text: '' } };
    const found =
      second === undefined
        ? wordOf(written)
        : `several: ${entries
            .map(({ name }) => name)
            .slice(0, 5)
            .join(', ')}`;
    this.problems.error(
      second?.at ?? written.at,
      null,
      `expected the name of ${what} and its options, but found ${found}`,
    );
    return undefined;
  }

  #mapOf(kind: string, type: ElementType, at: Position, written: Written): WrittenMap | undefined {
    if (written.type === 'map') return written;
    if (written.type === 'scalar' && written.value === null) return { type: 'map', at, entries: [] };
    if (written.type === 'scalar' && type.text !== undefined)
      return { type: 'map', at: written.at, entries: [{ name: type.text, at: written.at, value: written }] };
    const expected = type.hasExpression ? 'an expression, such as {simple: …},' : 'options';
    this.problems.error(written.at, kind, `expected ${expected} for ${kind}, but found ${wordOf(written)}`);
    return undefined;
  }

  #option(kind: string, option: OptionType, entry: WrittenEntry, content: ElementContent): void {
    const { name, at, value } = entry;
    if (option.kind === 'expression') {
      const expression = readExpression(this, kind, entry);
      if (expression !== undefined) content.expressions[name] = expression;
      return;
    }
    if (option.kind !== 'element') {
      const read = readOption(this.problems, kind, option, entry);
      if (read !== undefined) content.options[name] = read;
      return;
    }
    if (option.element === 'Processor') content.steps.push(...this.steps(value));
    else if (option.element === 'OnWhen') this.#option(kind, { ...option, kind: 'expression' }, entry, content);
    else if (PARTS[option.element] !== undefined) content.parts[name] = this.#parts(option, entry);
    else this.#nested(kind, option, { name, at, value }, content);
  }

  #parts({ element, isList }: OptionType, { name, at, value }: WrittenEntry): StepModel[] {
    const type = elementType(element);
    const items = isList ? this.list(value, name) : [value];
    return items.map((item) => this.step(PARTS[element] ?? name, type, isList ? item.at : at, item));
  }

  /** An element within an element: its options are a value, its expressions those of the outer one, by their path. */
  #nested(kind: string, option: OptionType, { name, at, value }: WrittenEntry, content: ElementContent): void {
    const refusal = option.isOneOf
      ? refusalOf(kind === 'marshal' || kind === 'unmarshal' ? 'dataFormat' : 'option', name)
      : undefined;
    if (refusal !== undefined) {
      this.problems.error(at, kind, refusal);
      return;
    }
    const type = elementType(option.element);
    const read = (written: Written, where: Position): Options => {
      const { options, expressions } = this.content(name, type, where, written);
      for (const [inner, expression] of Object.entries(expressions))
        content.expressions[`${name}.${inner}`] = expression;
      return options;
    };
    if (option.isList) content.options[name] = this.list(value, name).map((item) => read(item, item.at));
    else content.options[name] = read(value, at);
  }

  #ownExpression(kind: string, entry: WrittenEntry, content: ElementContent, said: Set<string>): void {
    if (said.has('the expression')) {
      this.problems.error(
        entry.at,
        kind,
        `expected one expression for ${kind}, but found ${entry.name} beside another one`,
      );
      return;
    }
    said.add('the expression');
    const one: WrittenMap = { type: 'map', at: entry.at, entries: [entry] };
    const value = entry.name === 'expression' ? entry.value : one;
    const expression = readExpression(this, kind, { ...entry, value });
    if (expression !== undefined) content.expressions.expression = expression;
  }

  #unknown(kind: string, type: ElementType, { name, at, value }: WrittenEntry, said: Set<string>): void {
    // It is perhaps the expression that is missed.
    said.add('the expression');
    if (name === STRAY_TEXT) {
      this.problems.error(at, kind, `expected no text in ${kind}, but found ${wordOf(value)}`);
      return;
    }
    const refusal = refusalOf('option', name);
    const known = [...type.options.keys(), ...(type.hasExpression ? LANGUAGES.keys() : [])];
    const sentence = `expected an option of ${kind}, but found ${name}${perhaps(name, known)}`;
    this.problems.error(at, kind, refusal ?? sentence);
    // So that what is wrong within is told, too.
    if (name === 'steps' && value.type === 'list') this.steps(value);
  }

  #checkWhole(kind: string, type: ElementType, at: Position, said: ReadonlySet<string>): void {
    for (const [name, option] of type.options)
      if (option.isRequired && !said.has(name))
        this.problems.error(at, kind, `expected ${name} for ${kind}, but found none`);
    if (type.hasExpression && !said.has('the expression'))
      this.problems.error(at, kind, `expected an expression for ${kind}, such as simple: …, but found none`);
    const ones = [...said].filter((name) => type.options.get(name)?.isOneOf === true);
    if (ones.length > 1)
      this.problems.error(at, kind, `expected one of ${ones.join(', ')} for ${kind}, but found ${ones.length}`);
  }
}

const isKnown = (type: ElementType, name: string): boolean =>
  type.options.has(name) || (type.hasExpression && isExpression(name));

const isExpression = (name: string): boolean => name === 'expression' || LANGUAGES.has(name);

function idOf(written: Written): string | undefined {
  const entry = written.type === 'map' ? written.entries.find(({ name }) => name === 'id') : undefined;
  return entry?.value.type === 'scalar' && entry.value.value !== null ? entry.value.text : undefined;
}
