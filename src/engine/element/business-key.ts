import { bounded } from '../rule/bounded-text.js';
import { textOf } from './native.js';
import type { Run } from './run.js';

/** Gives the instance another business key, or none. @throws BAD_REQUEST, LIMIT_EXCEEDED (a text that no business key can be) */
export function setBusinessKey(run: Run, value: unknown): void {
  run.businessKey = bounded('businessKey', textOf(value), 'name');
  run.effects.push({ type: 'businessKey', businessKey: run.businessKey });
}
