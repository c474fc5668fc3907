import { ExchangeFailure } from '../exchange/failure.js';
import { holds } from './condition.js';
import { call, type Question } from './function.js';
import { entriesOf, isMap, member, textOf } from './model.js';
import { isDefiniteBefore, type Path, pathText, type Step, stepText } from './path.js';

export interface Options {
  /** A path that leads nowhere gives null, or no entries. */
  readonly suppressExceptions?: boolean;
  /** A definite path gives a list, too. */
  readonly alwaysReturnList?: boolean;
  /** A name that is not there, at the end of a path, is null. */
  readonly defaultPathLeafToNull?: boolean;
  /** The result are the paths of what was found. */
  readonly asPathList?: boolean;
  /** A name that is not there is an error in indefinite paths, too. */
  readonly requireProperties?: boolean;
}

/** How many values one evaluation may go through. */
const STEPS_MAX = 1_000_000;
const DEPTH_MAX = 1_000;

/** The value of a path in a document; of an indefinite path, the list of all. @throws ExchangeFailure PathNotFoundException */
export function evaluate(path: Path, document: unknown, options: Options = {}): unknown {
  if (path.isPlain && !options.alwaysReturnList && !options.asPathList) {
    const found = plainValue(path, document);
    if (found !== undefined) return found;
  }
  if (path.steps.at(-1)?.kind === 'function' && (options.alwaysReturnList || options.asPathList)) {
    throw pathFailure('Options AS_PATH_LIST and ALWAYS_RETURN_LIST are not allowed when using path functions!');
  }
  return new Evaluation(document, document, options, { left: STEPS_MAX }).result(path);
}

/** `undefined`: it leads nowhere, and what went wrong is to be told. */
function plainValue({ steps }: Path, document: unknown): unknown {
  let value: unknown = document;
  for (const step of steps) {
    if (step.kind === 'names') value = member(value, step.names[0] ?? '');
    else if (step.kind === 'indexes' && Array.isArray(value)) value = value.at(step.indexes[0] ?? 0);
    else return undefined;
    if (value === undefined) return undefined;
  }
  return value;
}

/** Where a value was found; the way back is only gone where somebody asks. */
interface Place {
  readonly before: Place | undefined;
  readonly key: string | number | readonly string[];
}

class Evaluation {
  readonly #item: unknown;
  readonly #document: unknown;
  readonly #options: Options;
  readonly #budget: { left: number };
  readonly #found: unknown[] = [];
  readonly #places: (Place | undefined)[] = [];
  #path: Path | undefined;

  constructor(item: unknown, document: unknown, options: Options, budget: { left: number }) {
    this.#item = item;
    this.#document = document;
    this.#options = options;
    this.#budget = budget;
  }

  result(path: Path): unknown {
    const { suppressExceptions, alwaysReturnList, asPathList } = this.#options;
    this.#run(path);
    const isOne = path.isDefinite && !asPathList && !alwaysReturnList;
    if (this.#found.length === 0 && suppressExceptions) return isOne ? null : [];
    if (this.#found.length === 0 && (path.isDefinite || asPathList)) {
      throw notFound(`No results for path: ${pathText(path)}`);
    }
    if (asPathList) return this.#places.map((place) => this.#text(place));
    return isOne ? this.#found.at(-1) : this.#found.slice(path.isDefinite ? -1 : 0);
  }

  /** All that a path finds; used of parameters and filters. */
  #run(path: Path): void {
    this.#path = path;
    this.#step(0, this.#item, undefined, 0);
  }

  #step(at: number, value: unknown, place: Place | undefined, depth: number): void {
    if (--this.#budget.left < 0)
      throw pathFailure(`expected an evaluation within ${STEPS_MAX} steps, but it needs more`);
    const step = this.#path?.steps[at];
    if (step === undefined) {
      this.#found.push(value);
      if (this.#options.asPathList) this.#places.push(place);
      return;
    }
    switch (step.kind) {
      case 'names':
        return this.#names(step.names, at, value, place, depth);
      case 'indexes':
        return this.#indexes(step.indexes, at, value, place, depth);
      case 'slice':
        return this.#slice(step, at, value, place, depth);
      case 'wildcard':
        return this.#wildcard(at, value, place, depth);
      case 'filter':
        return this.#filter(step, at, value, place, depth);
      case 'scan':
        return this.#scan(at + 1, value, place, depth);
      case 'function':
        return this.#step(at + 1, call(step, this.#question(value)), { before: place, key: step.name }, depth);
    }
  }

  #isLast(at: number): boolean {
    return at + 1 === this.#path?.steps.length;
  }

  /** Whether what does not fit is passed over. */
  #passesOver(at: number): boolean {
    return this.#options.suppressExceptions === true || (this.#path !== undefined && !isDefiniteBefore(this.#path, at));
  }

  #names(names: readonly string[], at: number, value: unknown, place: Place | undefined, depth: number): void {
    if (!isMap(value)) {
      if (this.#passesOver(at)) return;
      throw notFound(
        `Expected to find an object with property [${names.map((name) => `'${name}'`).join(', ')}] in path ${this.#text(place)} but found '${kindOf(value)}'. This is not a json object.`,
      );
    }
    if (names.length > 1 && this.#isLast(at)) return this.#merge(names, at, value, place, depth);
    for (const name of names) this.#name(name, names.length === 1, at, value, place, depth);
  }

  #name(name: string, isOnly: boolean, at: number, value: unknown, place: Place | undefined, depth: number): void {
    const inner = member(value, name);
    const next = { before: place, key: name };
    if (inner !== undefined) return this.#step(at + 1, inner, next, depth);
    const { requireProperties, suppressExceptions, defaultPathLeafToNull } = this.#options;
    if (this.#isLast(at)) {
      if (defaultPathLeafToNull) return this.#step(at + 1, null, next, depth);
      if (suppressExceptions || !requireProperties) return;
      throw notFound(`No results for path: ${this.#text(next)}`);
    }
    if (suppressExceptions || (!requireProperties && !(isOnly && !this.#passesOver(at)))) return;
    throw notFound(`Missing property in path ${this.#text(next)}`);
  }

  /** An object of those that are there. */
  #merge(names: readonly string[], at: number, value: unknown, place: Place | undefined, depth: number): void {
    const merged: Record<string, unknown> = {};
    for (const name of names) {
      const inner = member(value, name);
      if (inner !== undefined) merged[name] = inner;
      else if (this.#options.defaultPathLeafToNull) merged[name] = null;
      else if (this.#options.requireProperties)
        throw notFound(`Missing property in path ${this.#text({ before: place, key: name })}`);
    }
    this.#step(at + 1, merged, { before: place, key: names }, depth);
  }

  /** @returns whether the value is a list, which steps about places need */
  #isList(at: number, value: unknown, place: Place | undefined): value is readonly unknown[] {
    if (Array.isArray(value)) return true;
    if (this.#passesOver(at)) return false;
    if (value === null) throw notFound(`The path ${this.#text(place)} is null`);
    const step = this.#path?.steps[at];
    const written = step === undefined ? '' : stepText(step);
    throw notFound(`Filter: ${written} can only be applied to arrays. Current context is: ${textOf(value)}`);
  }

  #indexes(indexes: readonly number[], at: number, value: unknown, place: Place | undefined, depth: number): void {
    if (!this.#isList(at, value, place)) return;
    for (const index of indexes) this.#index(index, at, value, place, depth);
  }

  /** From the end, where the index is negative; nothing beyond the ends. */
  #index(index: number, at: number, list: readonly unknown[], place: Place | undefined, depth: number): void {
    const from = index < 0 ? list.length + index : index;
    if (from >= 0 && from < list.length) this.#step(at + 1, list[from], { before: place, key: index }, depth);
  }

  #slice(
    { from, to }: { readonly from: number | undefined; readonly to: number | undefined },
    at: number,
    value: unknown,
    place: Place | undefined,
    depth: number,
  ): void {
    if (!this.#isList(at, value, place)) return;
    const { length } = value;
    const fromEnd = (index: number) => (index < 0 ? length + index : index);
    // With both ends given, negative ones are not counted from the end before they are compared: `[1:-1]` is empty there.
    const first = from === undefined ? 0 : to === undefined ? Math.max(0, fromEnd(from)) : Math.max(from, -length);
    const end = Math.min(length, to === undefined ? length : from === undefined ? fromEnd(to) : to);
    for (let index = first; index < end; index++) this.#index(index, at, value, place, depth);
  }

  #wildcard(at: number, value: unknown, place: Place | undefined, depth: number): void {
    for (const [key, inner] of entriesOf(value)) {
      try {
        this.#step(at + 1, inner, { before: place, key }, depth);
      } catch (thrown) {
        if (!isNotFound(thrown) || this.#options.requireProperties) throw thrown;
      }
    }
  }

  #filter(step: Step & { kind: 'filter' }, at: number, value: unknown, place: Place | undefined, depth: number): void {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        if (holds(step.filter, this.#question(item))) this.#index(index, at, value, place, depth);
      }
      return;
    }
    if (isMap(value)) {
      if (holds(step.filter, this.#question(value))) this.#step(at + 1, value, place, depth);
      return;
    }
    if (this.#passesOver(at)) return;
    throw new ExchangeFailure(
      'com.jayway.jsonpath.InvalidPathException',
      `Filter: [?] can not be applied to primitives. Current context is: ${textOf(value)}`,
    );
  }

  /** The step after `..`, at this value and at all within it that it can be asked of. */
  #scan(at: number, value: unknown, place: Place | undefined, depth: number): void {
    if (depth > DEPTH_MAX) throw pathFailure(`expected a document of at most ${DEPTH_MAX} levels`);
    if (this.#fits(this.#path?.steps[at], at, value)) this.#step(at, value, place, depth);
    for (const [key, inner] of entriesOf(value)) {
      if (--this.#budget.left < 0)
        throw pathFailure(`expected an evaluation within ${STEPS_MAX} steps, but it needs more`);
      if (typeof inner === 'object' && inner !== null) this.#scan(at, inner, { before: place, key }, depth + 1);
    }
  }

  #fits(step: Step | undefined, at: number, value: unknown): boolean {
    if (step?.kind === 'wildcard') return true;
    if (step?.kind === 'indexes' || step?.kind === 'slice') return Array.isArray(value);
    // Lists are not asked themselves: their items are.
    if (step?.kind === 'filter') return isMap(value);
    if (step?.kind !== 'names' || !isMap(value)) return false;
    if (this.#isLast(at) && this.#options.defaultPathLeafToNull) return true;
    if (step.names.length > 1 && !this.#isLast(at)) return true;
    return step.names.every((name) => member(value, name) !== undefined);
  }

  /** What filters and functions ask about a value. */
  #question(value: unknown): Question {
    return {
      value,
      at: (path) => this.#inner(path, value, {}),
      exists: (path) => this.#inner({ ...path, begins: '@' }, value, { requireProperties: true }) !== undefined,
    };
  }

  /** `undefined`: there is nothing at the path. */
  #inner(path: Path, item: unknown, options: Options): unknown {
    const begin = path.begins === '$' ? this.#document : item;
    if (path.isPlain) return plainValue(path, begin);
    try {
      return new Evaluation(begin, this.#document, options, this.#budget).result(path);
    } catch (thrown) {
      if (isNotFound(thrown)) return undefined;
      throw thrown;
    }
  }

  #text(place: Place | undefined): string {
    if (place === undefined) return this.#path?.begins ?? '$';
    const { key } = place;
    const own =
      typeof key === 'number'
        ? `[${key}]`
        : `[${(typeof key === 'string' ? [key] : key).map((one) => `'${one}'`).join(',')}]`;
    return `${this.#text(place.before)}${own}`;
  }
}

const notFound = (message: string) => new ExchangeFailure('com.jayway.jsonpath.PathNotFoundException', message);
const pathFailure = (message: string) => new ExchangeFailure('com.jayway.jsonpath.JsonPathException', message);
const isNotFound = (thrown: unknown) =>
  thrown instanceof ExchangeFailure && thrown.type === 'com.jayway.jsonpath.PathNotFoundException';

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'java.util.ArrayList';
  if (typeof value === 'string') return 'java.lang.String';
  if (typeof value === 'boolean') return 'java.lang.Boolean';
  return typeof value === 'number' && Number.isInteger(value) ? 'java.lang.Integer' : 'java.lang.Double';
}
