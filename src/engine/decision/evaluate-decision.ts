import { type FeelScope, type FeelValue, feelin } from '../../expression/index.js';
import type { Variables } from '../element/typed-value.js';
import type { Decision, DecisionModel, DecisionService, ItemType, TableBox } from './decision-model.js';
import { isAllowed, transformed, typedAs } from './decision-type.js';
import { evaluateBox, functionOf } from './evaluate-box.js';
import { evaluateTable } from './evaluate-table.js';
import { type DecisionHost, Evaluation, failed } from './evaluation.js';
import type { DecisionOutcome, DecisionQuestion, EvaluatedDecision } from './outcome.js';
import { Scope } from './scope.js';

/**
 * Evaluates a decision with all that it requires. @throws EXECUTION_FAILED (the decision, the rule, the expression, why); TooLong, where the host takes only
 * so many steps
 */
export function evaluateDecision(
  model: DecisionModel,
  { decisionId, now, variables }: DecisionQuestion,
  host: DecisionHost = {},
): DecisionOutcome {
  const evaluation = new Evaluation(model, variables, now, host);
  const graph = new Graph(evaluation, evaluation.names);
  const decision = graph.find(decisionId);
  const { value, rows } = graph.decide(decision);
  return { value: typedAs(value, decision.type), rows, evaluated: graph.evaluated, notes: evaluation.notes };
}

/** FEEL's own type: Camunda has others for numbers. */
const NUMBER: ItemType = { name: 'number', type: 'number', list: false, components: [], allowed: null };

/** What a value is converted to. */
function shapesOf(value: FeelValue, isList: boolean): readonly FeelValue[] {
  if (!Array.isArray(value)) return [isList ? [value] : value];
  const [only] = value as FeelValue[];
  return !isList && value.length === 1 && only !== undefined ? [only, value] : [value];
}

interface Decided {
  readonly value: FeelValue;
  readonly rows: readonly Variables[];
}

/** Decisions and what they require, each evaluated once. */
class Graph {
  readonly evaluated: EvaluatedDecision[] = [];
  readonly #evaluation: Evaluation;
  readonly #names: Scope;
  readonly #decided = new Map<string, Decided>();

  constructor(evaluation: Evaluation, names: Scope) {
    this.#evaluation = evaluation;
    this.#names = names;
    const { model } = evaluation;
    for (const { name, function: box } of model.functions) {
      this.#offer(name, () => functionOf(evaluation, box, names, `the function '${name}'`));
    }
    for (const service of model.services) this.#offer(service.name, () => this.#serviceOf(service));
    this.#constrain(model);
  }

  /** A variable of that name counts first. */
  #offer(name: string, made: () => FeelValue): void {
    if (this.#names.variable(name) === undefined) this.#names.set(name, made());
  }

  /** Inputs that are not of the type that the model defines are null. */
  #constrain({ inputs, types }: DecisionModel): void {
    for (const { name, type } of inputs) {
      const defined = types.find((each) => each.name === type);
      const value = this.#names.variable(name);
      if (defined === undefined || value === undefined) continue;
      if (isAllowed(this.#evaluation, value, defined)) continue;
      this.#evaluation.notes.push(`input '${name}': expected a value of type '${defined.name}'`);
      this.#names.set(name, null);
    }
  }

  find(id: string): Decision {
    const found = this.#evaluation.model.decisions.find((decision) => decision.id === id);
    if (found === undefined) throw failed(`decision '${id}'`, null, new Error('there is none in the file'));
    return found;
  }

  decide(decision: Decision): Decided {
    const known = this.#decided.get(decision.id);
    if (known !== undefined) return known;
    for (const id of decision.requires) this.#require(this.find(id));
    const made = this.#made(decision);
    this.#decided.set(decision.id, made);
    return made;
  }

  /** Its result is seen by its own name, and as in Camunda by the names of its outputs. */
  #require(required: Decision): void {
    const { value } = this.decide(required);
    this.#names.set(required.variable, value);
    if (required.logic?.kind === 'table') this.#tellOutputs(required.logic, value);
  }

  #tellOutputs({ outputs }: TableBox, value: FeelValue): void {
    for (const { name } of outputs) {
      if (name === null) continue;
      const isSingle = outputs.length === 1;
      const of = (row: FeelValue) =>
        isSingle ? row : ((row as Readonly<Record<string, FeelValue>> | null)?.[name] ?? null);
      this.#names.set(name, Array.isArray(value) ? (value as FeelValue[]).map(of) : of(value));
    }
  }

  #made(decision: Decision): Decided {
    const place = `decision '${decision.id}'`;
    const { logic, variable, id, name } = decision;
    if (logic?.kind === 'table') {
      const { value, rows, table } = evaluateTable(this.#evaluation, logic, {
        scope: this.#names,
        place,
        otherwise: variable,
      });
      this.evaluated.push({ id, name, value: typedAs(value, null), table });
      return { value, rows };
    }
    const found = logic === null ? null : evaluateBox(this.#evaluation, logic, this.#names, place);
    const value = this.#fitted(this.#transformed(found, decision, place), decision);
    const whole = typedAs(value, decision.type);
    this.evaluated.push({ id, name, value: whole });
    return { value, rows: [{ [variable]: whole }] };
  }

  #transformed(value: FeelValue, { type }: Decision, place: string): FeelValue {
    try {
      return transformed(value, type);
    } catch (thrown) {
      throw failed(place, null, thrown);
    }
  }

  /** A result that is not of a type that the model defines, or no number, is null; a list of one is what it holds, and one thing a list, where that fits. */
  #fitted(value: FeelValue, { id, type }: Decision): FeelValue {
    const { types } = this.#evaluation.model;
    const defined = types.find(({ name }) => name === type) ?? (type === NUMBER.name ? NUMBER : undefined);
    if (value === null || defined === undefined) return value;
    const fitting = shapesOf(value, defined.list).find((each) => isAllowed(this.#evaluation, each, defined));
    if (fitting !== undefined) return fitting;
    this.#evaluation.notes.push(`decision '${id}': expected a value of type '${defined.name}'`);
    return null;
  }

  /** Decisions that are called as a function: they know what it is given, and nothing else. */
  #serviceOf({ name, parameters, inputDecisions, outputDecisions }: DecisionService): FeelValue {
    const evaluation = this.#evaluation;
    const { FeelFunction } = feelin();
    const call = (...values: FeelValue[]) => {
      evaluation.step();
      const outer: FeelScope = { now: this.#names.now, variable: () => undefined };
      const names = new Scope(outer);
      for (const [at, parameter] of parameters.entries()) names.set(parameter, values[at] ?? null);
      const graph = new Graph(evaluation, names);
      const given = parameters.length - inputDecisions.length;
      for (const [at, id] of inputDecisions.entries())
        graph.#decided.set(id, { value: values[given + at] ?? null, rows: [] });
      const decided = outputDecisions.map((id) => graph.find(id));
      const [only] = decided;
      if (only === undefined) throw failed(`the service '${name}'`, null, new Error('it has no output decision'));
      if (decided.length === 1) return graph.decide(only).value;
      return Object.fromEntries(decided.map((each) => [each.variable, graph.decide(each).value]));
    };
    return new FeelFunction(call, [...parameters]);
  }
}
