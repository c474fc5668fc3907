import type { TypedValue, Variables } from '../element/typed-value.js';

/** Question to a decision model: the decision, its variables, the time and the chance. */
export interface DecisionQuestion {
  readonly decisionId: string;
  /** ms; what `now()` tells. */
  readonly now: number;
  readonly variables: Variables;
  /** Decides what `uuid()` and `random number()` tell. Not given: they are null. */
  readonly seed?: string;
}

/** What was decided. */
export interface DecisionOutcome {
  /** As FEEL has it. */
  readonly value: TypedValue;
  /** As Camunda has it: rows of values by name. */
  readonly rows: readonly Variables[];
  /** All decisions that were evaluated, what is required before what requires it. Absent: it is told from what was kept. */
  readonly evaluated?: readonly EvaluatedDecision[];
  /** Why values are null that FEEL could not make. At most 20. */
  readonly notes?: readonly string[];
}

export interface EvaluatedDecision {
  readonly id: string;
  readonly name: string | null;
  readonly value: TypedValue;
  /** Of a decision table. */
  readonly table?: EvaluatedTable;
}

/** What a table was told, and which of its rules matched. */
export interface EvaluatedTable {
  readonly inputs: readonly DecisionValue[];
  readonly rules: readonly MatchedRule[];
  /** What was made of the outputs of all of them: a sum, a least or greatest value, a count. */
  readonly aggregated?: TypedValue;
}

/** A value of an input or an output of a table. */
export interface DecisionValue {
  readonly id: string | null;
  readonly name: string | null;
  readonly value: TypedValue;
}

/** A rule that counts. */
export interface MatchedRule {
  readonly id: string | null;
  /** Its place in the table, from 1. */
  readonly number: number;
  readonly outputs: readonly DecisionValue[];
}
