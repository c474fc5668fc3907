import {
  compileExpression,
  compileFeel,
  dateBean,
  type FeelExpression,
  type FeelKind,
  type FeelScope,
  type FeelValue,
  fromFeel,
  mayRunLong,
  spinJson,
  toFeel,
  weigh,
} from '../../expression/index.js';
import { messageOf, ServiceError } from '../../shared/errors.js';
import { chanceOf, feelFailure, feelOf } from '../element/feel.js';
import type { TypedValue, Variables } from '../element/instance-state.js';
import { native, typed } from '../element/native.js';
import type { DecisionModel, Text, WholeType } from './decision-model.js';
import type { DecisionQuestion } from './outcome.js';
import { Scope } from './scope.js';
import { shapeFor } from './shape.js';
import { VariableContextBean } from './variable-context-bean.js';

/** Limits and services that an evaluation has from outside. */
export interface DecisionHost {
  /** How many steps it may take here; one that compiles a text counts as many. Default: as many as it likes. */
  readonly stepsMax?: number;
  /** Runs JavaScript. Not given: nothing of it runs here, nor what may run long. */
  script?(source: string, variables: Variables): TypedValue;
}

/** Leaves an evaluation that would take too long where it is: it is made elsewhere. */
export class TooLong extends Error {
  /** Whether it takes less the next time: much had to be compiled. */
  readonly onlyNow: boolean;

  constructor(onlyNow = false) {
    super('the decision takes long');
    this.onlyNow = onlyNow;
  }
}

/** The steps that compiling a text counts as. */
const COMPILE_STEPS = 200;
/** Values that one expression may give. */
const RESULT_WEIGHT_MAX = 100_000;
/** How many reasons for values that are null are told. */
const NOTES_MAX = 20;

/** One evaluation while it goes on: its variables, what is decided so far, and how many steps it took. */
export class Evaluation {
  readonly model: DecisionModel;
  /** The outermost names: the variables, what was decided, and functions. */
  readonly names: Scope;
  /** Why values are null that FEEL could not make, with their places. */
  readonly notes: string[] = [];
  readonly #variables: Variables;
  readonly #host: DecisionHost;
  readonly #texts: WeakMap<Text, FeelExpression>;
  #stepsLeft: number;
  #compiledSteps = 0;

  constructor(model: DecisionModel, { variables, now, seed }: DecisionQuestion, host: DecisionHost) {
    this.model = model;
    this.#variables = variables;
    this.#host = host;
    this.#stepsLeft = host.stepsMax ?? Number.POSITIVE_INFINITY;
    const given = new Map<string, FeelValue>();
    const outermost: FeelScope = {
      now,
      chance: model.chancy === true ? chanceOf(seed, now) : undefined,
      variable: (name) => {
        const known = given.get(name);
        if (known !== undefined) return known;
        const value = Object.hasOwn(variables, name) ? feelOf(variables[name]) : undefined;
        if (value !== undefined) given.set(name, value);
        return value;
      },
    };
    this.names = new Scope(outermost);
    this.#texts = textsOf(model);
  }

  /** One step more. */
  step(count = 1): void {
    this.#stepsLeft -= count;
    if (this.#stepsLeft < 0) throw new TooLong(this.#compiledSteps > 0);
  }

  /** The value of an expression, in its language; of unary tests of FEEL, whether `input` passes. @throws EXECUTION_FAILED */
  evaluate(text: Text, scope: FeelScope, place: string, tested?: { readonly input: FeelValue }): FeelValue {
    this.step();
    try {
      return this.#limited(this.#value(text, scope, place, tested));
    } catch (thrown) {
      if (thrown instanceof TooLong) throw thrown;
      throw failed(place, text, thrown);
    }
  }

  /** The type of a whole number that the text gives: Long of FEEL and of JUEL, where that does not name a variable of another type. */
  wholeOf(text: Text | null | undefined): WholeType {
    if (this.model.longs !== true || text?.language === 'javascript') return 'Integer';
    const [, name] = (text?.language === 'juel' && ALONE.exec(text.text)) || [];
    const named = name === undefined ? undefined : this.#variables[name];
    if (named === undefined || named.type === 'Long') return 'Long';
    return named.type === 'Double' ? 'Double' : 'Integer';
  }

  #value(text: Text, scope: FeelScope, place: string, tested?: { readonly input: FeelValue }): FeelValue {
    if (text.language === 'juel') return toFeel(compileExpression(text.text).evaluate(juelScope(scope)));
    if (text.language === 'javascript') return this.#script(text.text, scope);
    const expression = this.#compiled(text, tested === undefined ? 'expression' : 'unaryTests');
    if (this.#host.script === undefined && mayRunLong(expression, scope, tested?.input))
      throw new TooLong(expression.heaviest > 0);
    const { value, cause } = expression.evaluate(scope, tested?.input);
    if (cause !== null && this.notes.length < NOTES_MAX) this.notes.push(`${place}: ${cause}`);
    return value;
  }

  #compiled(text: Text, kind: FeelKind): FeelExpression {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const expression = compileFeel(text.text, kind, shapeFor(this.model.names, text.text));
    this.#texts.set(text, expression);
    if (expression.simple) return expression;
    this.#compiledSteps += COMPILE_STEPS;
    this.step(COMPILE_STEPS);
    return expression;
  }

  #limited(value: FeelValue): FeelValue {
    if (typeof value !== 'object' || weigh(value, RESULT_WEIGHT_MAX) < RESULT_WEIGHT_MAX) return value;
    throw new Error(`expected a result of fewer than ${RESULT_WEIGHT_MAX} values`);
  }

  #script(source: string, scope: FeelScope): FeelValue {
    if (this.#host.script === undefined) throw new TooLong();
    const variables: Record<string, TypedValue> = { ...this.#variables };
    const add = (names: Scope) => {
      for (const [name, value] of names.own) variables[name] = typed(fromFeel(value));
    };
    add(this.names);
    if (scope instanceof Scope && scope !== this.names) add(scope);
    return toFeel(native(this.#host.script(source, variables)));
  }
}

/** JUEL that is nothing but the name of a variable. */
const ALONE = /^[$#]\{\s*([\w$]+)\s*\}$/;

const compiledTexts = new WeakMap<DecisionModel, WeakMap<Text, FeelExpression>>();

function textsOf(model: DecisionModel): WeakMap<Text, FeelExpression> {
  const known = compiledTexts.get(model) ?? new WeakMap<Text, FeelExpression>();
  compiledTexts.set(model, known);
  return known;
}

const juelScope = (scope: FeelScope) => ({
  variable: (name: string) => {
    const value = scope.variable(name);
    return value === undefined ? undefined : { value: fromFeel(value) };
  },
  bean: (name: string) => {
    if (name === 'variableContext') return new VariableContextBean(scope);
    if (name === 'S' || name === 'JSON') return spinJson;
    return name === 'now' || name === 'dateTime' ? () => dateBean(scope.now) : undefined;
  },
});

/** The refusal of a decision that cannot be evaluated. `place`: reads on after "of". */
export function failed(place: string, text: Text | null, thrown: unknown): ServiceError {
  const cause = thrown instanceof ServiceError ? feelFailure(thrown) : messageOf(thrown);
  const what = text === null ? '' : `'${text.text}' of `;
  return new ServiceError('EXECUTION_FAILED', `expected to evaluate ${what}${place}, but ${cause}`, {
    reason: 'decision_failed',
    details: { place, ...(text !== null && { expression: text.text }), cause },
  });
}
