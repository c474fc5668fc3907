import { compileExpression, parseCycle, parseDuration, parseInstant, parseRetryCycle } from '../../expression/index.js';

/** The languages of the texts in a model. Each function throws BAD_REQUEST on text that it does not understand. */
export const modelTexts = {
  /** Literal text, `${…}`, or both mixed. */
  expression: compileExpression,
  /** ISO 8601, `2026-05-01T12:00:00Z` or `P1DT12H` */
  instant: (text: string) => parseInstant(text, 0),
  /** ISO 8601, `P1DT12H` */
  duration: parseDuration,
  /** ISO 8601, `R3/PT10M`, or Quartz cron */
  cycle: parseCycle,
  /** `R3/PT5M`, or a comma list of durations */
  retryCycle: parseRetryCycle,
} as const;

export type TextKind = keyof typeof modelTexts;
