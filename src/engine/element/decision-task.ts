import type { DecisionOutcome, DecisionQuestion } from '../decision/outcome.js';
import type { DecisionWork } from '../model/program.js';
import { evaluate } from './evaluate.js';
import { ask, executionFailed } from './failure.js';
import type { DecisionRequest, TypedValue, Variables } from './instance-state.js';
import { textOf, typed } from './native.js';
import type { At, Run } from './run.js';
import { evaluateSource } from './source.js';
import { give, visible } from './variables.js';

/** Question of a decision that takes long: its answer is the outcome. */
export interface LongDecision extends DecisionQuestion {
  /** The compiled file. */
  readonly modelId: string;
}

/** A business rule task evaluates its decision, and keeps what the model wants of the result. @throws EXECUTION_FAILED, NOT_FOUND */
export function decide(run: Run, at: At, work: DecisionWork): void {
  const { definitionId, outcome } = decided(run, at, requestOf(run, at, work));
  const { place, token } = at;
  run.effects.push({
    type: 'decided',
    definitionId,
    elementId: place.element.id,
    activity: token.activity,
    outcome,
  });
  run.decision = { token, rows: outcome.rows };
  if (work.resultVariable !== null) give(run, token, { [work.resultVariable]: mapped(at, work, outcome) });
}

function requestOf(run: Run, at: At, { key, binding, version, versionTag }: DecisionWork): DecisionRequest {
  const text = (source: string | null) => (source === null ? null : textOf(evaluate(run, at, source)));
  const given = text(version);
  const number = given === null ? null : Number(given);
  if (binding === 'version' && !Number.isSafeInteger(number)) {
    const cause = `the version is '${given}'`;
    throw executionFailed(at.place, { expected: "a whole number as the decision's version", cause });
  }
  return {
    key: textOf(evaluateSource(run, at, key)) ?? '',
    binding,
    version: number,
    versionTag: text(versionTag),
    variables: visible(run, at.scope),
  };
}

function decided(run: Run, at: At, request: DecisionRequest): { definitionId: string; outcome: DecisionOutcome } {
  const { place } = at;
  const made = attempt(at, () => run.context.decide?.(request));
  if (made === undefined) {
    throw executionFailed(place, { expected: `decision '${request.key}'`, cause: 'there are no decisions here' });
  }
  const { definitionId, outcome, modelId = '', seed } = made;
  if (outcome !== undefined) return { definitionId, outcome };
  const { key: decisionId, variables } = request;
  const { now } = run.context;
  const question: LongDecision = { modelId, decisionId, now, variables, ...(seed !== undefined && { seed }) };
  const answer = ask(run, 'decision', question);
  if ('error' in answer) {
    throw executionFailed(place, { expected: `to evaluate decision '${request.key}'`, cause: answer.error.message });
  }
  return { definitionId, outcome: answer.value as DecisionOutcome };
}

/** A refusal of the decision's gets its element. */
function attempt<T>({ place }: At, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw executionFailed(place, { expected: 'to evaluate the decision', cause });
  }
}

/** What the model wants of the result, as in Camunda: of rows of values by name. */
function mapped(at: At, { map }: DecisionWork, { rows, value }: DecisionOutcome): TypedValue {
  switch (map) {
    case 'value':
      return value;
    case 'singleEntry':
      return entryOf(at, single(at, map, rows)) ?? typed(null);
    case 'singleResult': {
      const row = single(at, map, rows);
      return row === undefined ? typed(null) : typed(plain(row));
    }
    case 'collectEntries':
      return typed(rows.map((row) => plainValue(entryOf(at, row))));
    default:
      return typed(rows.map(plain));
  }
}

function single(at: At, map: string, rows: readonly Variables[]): Variables | undefined {
  if (rows.length <= 1) return rows[0];
  const cause = `it has ${rows.length} results`;
  throw executionFailed(at.place, { expected: `at most one result of the decision, for its ${map},`, cause });
}

function entryOf(at: At, row: Variables | undefined): TypedValue | undefined {
  const entries = Object.entries(row ?? {});
  if (entries.length <= 1) return entries[0]?.[1];
  const cause = `it has ${entries.map(([name]) => `'${name}'`).join(', ')}`;
  throw executionFailed(at.place, { expected: 'one value in each result of the decision', cause });
}

const plainValue = (value: TypedValue | undefined): unknown => value?.value ?? null;

const plain = (row: Variables) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plainValue(value)]));
