import type { EventDefinition } from '../model/program.js';
import { caught, seek } from './catcher.js';
import { textAt } from './evaluate.js';
import type { At, Run } from './run.js';

/**
 * BPMN 2.0 §10.5.1: an escalation goes to the innermost event around that catches it. One that does not interrupt goes on beside the thrower; without
 * any the escalation is nobody's business. Gives whether the thrower goes on.
 */
export function escalate(run: Run, where: At, event: Extract<EventDefinition, { kind: 'escalation' }>): boolean {
  const code = textAt(run, where, event.code) ?? '';
  const found = seek(run, where.token, code, ({ escalations }) => escalations);
  if (found === undefined) return true;
  const { codeVariable } = found.catcher.event;
  run.writeBegun(where.token);
  caught(run, found, codeVariable === null ? {} : { [codeVariable]: code });
  return where.token.activity !== null;
}
