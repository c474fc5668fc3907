import assert from 'node:assert/strict';
import { compileDecisions } from '../../../src/engine/decision/compile-decisions.js';
import { evaluateDecision } from '../../../src/engine/decision/evaluate-decision.js';
import type { DecisionOutcome } from '../../../src/engine/decision/outcome.js';
import { typed } from '../../../src/engine/element/native.js';
import { decision, dmn, table } from '../../support/dmn.js';

export const NOW = Date.UTC(2026, 0, 1);

/** What the decision `k` of a file gives. */
export async function outcomeOf(
  xml: string,
  values: Readonly<Record<string, unknown>> = {},
  decisionId = 'k',
): Promise<DecisionOutcome> {
  const { model, problems } = await compileDecisions(xml);
  assert.deepEqual(problems, []);
  assert.ok(model);
  const variables = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, typed(value)]));
  // As it is stored.
  return evaluateDecision(JSON.parse(JSON.stringify(model)), { decisionId, now: NOW, variables });
}

/** The rows of a decision, plain. */
export async function rowsOf(
  xml: string,
  values: Readonly<Record<string, unknown>> = {},
  decisionId = 'k',
): Promise<unknown[]> {
  const { rows } = await outcomeOf(xml, values, decisionId);
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, { value }]) => [name, value])));
}

/** A file with the decision `k`, a table. */
export const tableFile = (spec: Parameters<typeof table>[0]): string => dmn(decision('k', table(spec)));

/** The messages of a file's problems, with their elements. */
export async function problemsOf(xml: string): Promise<string[]> {
  const { problems, model } = await compileDecisions(xml);
  if (problems.length > 0) assert.equal(model, null);
  return problems.map(({ message }) => message);
}
