import { type FeelScope, type FeelValue, feelin } from '../../expression/index.js';
import type { Variables } from '../element/typed-value.js';
import type { Decision, DecisionModel, DecisionService, TableBox, WholeType } from './decision-model.js';
import { conformed, isAllowed, isInstance, taken, transformed, typedAs } from './decision-type.js';
import { evaluateBox, functionOf } from './evaluate-box.js';
import { evaluateTable } from './evaluate-table.js';
import { type DecisionHost, Evaluation, failed } from './evaluation.js';
import type { DecisionOutcome, DecisionQuestion, EvaluatedDecision } from './outcome.js';
import { readAs } from './read-input.js';
import { Scope } from './scope.js';

/**
 * Evaluates a decision with all that it requires. @throws EXECUTION_FAILED (the decision, the rule, the expression, why); TooLong, where the host takes only
 * so many steps
 */
export function evaluateDecision(
  model: DecisionModel,
  question: DecisionQuestion,
  host: DecisionHost = {},
): DecisionOutcome {
  const evaluation = new Evaluation(model, question, host);
  const graph = new Graph(evaluation, evaluation.names);
  const service = model.services.find(({ id }) => id === question.decisionId);
  const outcome = service === undefined ? graph.outcomeOf(question.decisionId) : graph.outcomeOfService(service);
  return { ...outcome, evaluated: graph.evaluated, notes: evaluation.notes };
}

/** The type of a whole number that the decision gives. */
const wholeOf = (evaluation: Evaluation, { logic }: Decision): WholeType =>
  evaluation.wholeOf(logic?.kind === 'literal' ? logic.text : null);

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
    if (model.types.length > 0) this.#offer('instance of', () => this.#typeTest());
    this.#constrain(model);
  }

  /** FEEL's `instance of` knows the types that the model defines. */
  #typeTest(): FeelValue {
    const { FeelFunction } = feelin();
    const test = (value: FeelValue, type: string) => isInstance(this.#evaluation, value ?? null, type);
    return new FeelFunction(test, ['value', 'type']);
  }

  /** A variable of that name counts first. */
  #offer(name: string, made: () => FeelValue): void {
    if (this.#names.variable(name) === undefined) this.#names.set(name, made());
  }

  /** Inputs that are not of the type that the model defines are null. */
  #constrain({ inputs, types }: DecisionModel): void {
    for (const { name, type } of inputs) {
      const given = this.#names.variable(name);
      const value = given === undefined ? undefined : readAs(given, type, types);
      if (value !== given) this.#names.set(name, value ?? null);
      const defined = types.find((each) => each.name === type);
      if (defined === undefined || value === undefined) continue;
      if (isAllowed(this.#evaluation, value, defined, { out: true })) continue;
      this.#evaluation.notes.push(`input '${name}': expected a value of type '${defined.name}'`);
      this.#names.set(name, null);
    }
  }

  find(id: string): Decision {
    const found = this.#evaluation.model.decisions.find((decision) => decision.id === id);
    if (found === undefined) throw failed(`decision '${id}'`, null, new Error('there is none in the file'));
    return found;
  }

  outcomeOf(id: string): DecisionOutcome {
    const decision = this.find(id);
    const { value, rows } = this.decide(decision);
    return { value: typedAs(value, decision.type, wholeOf(this.#evaluation, decision)), rows };
  }

  /** What it is given are the variables of its parameters' names. */
  outcomeOfService(service: DecisionService): DecisionOutcome {
    const { name, parameters, types = [] } = service;
    const given = parameters.map((parameter, at) =>
      readAs(this.#names.variable(parameter) ?? null, types[at] ?? null, this.#evaluation.model.types),
    );
    const value = typedAs(this.#serve(service, given, this.evaluated), null, this.#evaluation.wholeOf(null));
    return { value, rows: [{ [name]: value }] };
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
      this.evaluated.push({ id, name, value: typedAs(value, null, wholeOf(this.#evaluation, decision)), table });
      return { value, rows };
    }
    const found = logic === null ? null : evaluateBox(this.#evaluation, logic, this.#names, place);
    const value = this.#fitted(this.#transformed(found, decision, place), decision);
    const whole = typedAs(value, decision.type, wholeOf(this.#evaluation, decision));
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

  /** A result that is not of a type that the model defines, or no number, is null. Those of Camunda's types are converted before. */
  #fitted(value: FeelValue, { id, type }: Decision): FeelValue {
    const { types } = this.#evaluation.model;
    const isChecked = type === 'number' || types.some(({ name }) => name === type);
    return isChecked ? conformed(this.#evaluation, value, type, `decision '${id}'`) : value;
  }

  /** Decisions that are called as a function: they know what it is given, and nothing else. */
  #serviceOf(service: DecisionService): FeelValue {
    const { FeelFunction } = feelin();
    const { notes, model } = this.#evaluation;
    const call = (...given: (FeelValue | undefined)[]) => {
      const lacking = service.parameters.filter((_parameter, at) => given[at] === undefined);
      if (model.exact !== true || lacking.length === 0) return this.#serve(service, given);
      notes.push(
        `the service '${service.name}': expected ${lacking.map((each) => `'${each}'`).join(', ')} to be given`,
      );
      return null;
    };
    return new FeelFunction(call, [...service.parameters]);
  }

  /** `evaluated`: where what it decides is told; default nowhere. */
  #serve(
    service: DecisionService,
    given: readonly (FeelValue | undefined)[],
    evaluated: EvaluatedDecision[] = [],
  ): FeelValue {
    const { name, parameters, types = [], inputDecisions, outputDecisions } = service;
    const evaluation = this.#evaluation;
    const typed = parameters.map((parameter, at) => ({ name: parameter, type: types[at] ?? null }));
    evaluation.step();
    const values = taken(evaluation, given, typed, `the service '${name}'`);
    if (values === null) return null;
    const { now, chance } = this.#names;
    const outer: FeelScope = { now, chance, variable: () => undefined };
    const names = new Scope(outer);
    for (const [parameter, value] of values) names.set(parameter, value);
    const graph = new Graph(evaluation, names);
    const ofDecisions = parameters.slice(parameters.length - inputDecisions.length);
    for (const [at, id] of inputDecisions.entries())
      graph.#decided.set(id, { value: values.get(ofDecisions[at] ?? '') ?? null, rows: [] });
    const value = graph.#resultOf(outputDecisions, name);
    evaluated.push(...graph.evaluated);
    return conformed(evaluation, value, service.type ?? null, `the service '${name}'`);
  }

  /** Of one decision its value, of several a context of theirs. */
  #resultOf(ids: readonly string[], service: string): FeelValue {
    const decided = ids.map((id) => this.find(id));
    const [only] = decided;
    if (only === undefined) throw failed(`the service '${service}'`, null, new Error('it has no output decision'));
    if (decided.length === 1) return this.decide(only).value;
    return Object.fromEntries(decided.map((each) => [each.variable, this.decide(each).value]));
  }
}
