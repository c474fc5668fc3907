import type { WorkDefinition } from '../model/program.js';
import type { At } from './at.js';
import { askHandler, fieldsOf, handlerKind } from './handler.js';
import { createJob } from './park.js';
import type { Run } from './run.js';
import { evaluateSource, typedSource } from './source.js';
import { assign, visible } from './variables.js';

type HandlerWork = Extract<WorkDefinition, { kind: 'handler' }>;

/** Does the work of a service-like task. Gives whether it is done; else the token waits for a call. @throws EXECUTION_FAILED */
export function work(run: Run, at: At, definition: WorkDefinition): boolean {
  if (definition.kind === 'handler') return handle(run, at, definition);
  const { resultVariable } = definition;
  // A bean may be what an expression gives as long as nobody keeps it.
  if (resultVariable === null) evaluateSource(run, at, definition);
  else assign(run, at.scope, resultVariable, typedSource(run, at, definition));
  return true;
}

/** What may be repeated is asked at once; everything else reaches out, and so ends the run with a call job. */
function handle(run: Run, at: At, { name, fields, resultVariable }: HandlerWork): boolean {
  if (handlerKind(run, at, name) === 'inline') {
    const result = askHandler(run, at, name, fields);
    if (resultVariable !== null) assign(run, at.scope, resultVariable, result);
    return true;
  }
  at.token.wait = createJob(run, at.token, at.place, {
    of: 'call',
    dueAt: run.context.now,
    call: { handler: name, fields: fieldsOf(run, at, fields), variables: visible(run, at.scope) },
  });
  return false;
}
