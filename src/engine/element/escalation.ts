import type { EventDefinition } from '../model/program.js';
import { caught, seek } from './catcher.js';
import { textAt } from './evaluate.js';
import type { Token } from './instance-state.js';
import { typed } from './native.js';
import type { At, Run } from './run.js';

/**
 * BPMN 2.0 §10.5.1: an escalation goes to the innermost event around that catches it. One that does not interrupt goes on beside the thrower; without
 * any the escalation is nobody's business. Gives whether the thrower goes on.
 */
export function escalate(run: Run, where: At, event: Extract<EventDefinition, { kind: 'escalation' }>): boolean {
  escalateFrom(run, where.token, textAt(run, where, event.code) ?? '');
  return where.token.activity !== null;
}

/** The escalation comes from the token's activity. Where nothing catches it, whoever called the instance is told. False: nobody is. */
export function escalateFrom(run: Run, token: Token, code: string): boolean {
  const found = seek(run, token, code, ({ escalations }) => escalations);
  if (found === undefined) {
    if (run.state.called) run.effects.push({ type: 'escalate', code, steps: run.stepsUnwaited });
    return run.state.called === true;
  }
  const { codeVariable } = found.catcher.event;
  run.writeBegun(token);
  caught(run, found, codeVariable === null ? {} : { [codeVariable]: typed(code) });
  return true;
}
