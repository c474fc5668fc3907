import type { WorkDefinition } from '../model/program.js';
import { decide } from './decision-task.js';
import { awaitWorker, topicAt } from './external-task.js';
import type { Token } from './instance-state.js';
import { complete } from './leave.js';
import { askHandler, fieldsOf, handlerKind } from './outcome.js';
import { createJob } from './park.js';
import type { Place } from './prepared.js';
import { type At, at, type Run } from './run.js';
import { evaluateSource, typedSource } from './source.js';
import { give, visible } from './variables.js';

/** Service, script and business rule tasks do their work and go on. One without work passes, as a plain or manual task does. */
export function enterServiceTask(run: Run, token: Token, place: Place): void {
  const definition = place.element.work;
  if (definition === null || work(run, at(run, token, place), definition)) complete(run, token, place);
}

type HandlerWork = Extract<WorkDefinition, { kind: 'handler' }>;
type SourceWork = Exclude<WorkDefinition, { kind: 'handler' | 'decision' }>;

/** Does the work of a service-like task. Gives whether it is done; else the token waits for a call, or for a worker. @throws EXECUTION_FAILED */
export function work(run: Run, at: At, definition: WorkDefinition): boolean {
  if (definition.kind === 'handler') return handle(run, at, definition);
  if (definition.kind === 'decision') {
    decide(run, at, definition);
    return true;
  }
  const { resultVariable } = definition;
  // A bean may be what an expression gives as long as nobody keeps it.
  if (resultVariable === null) evaluateSource(run, at, definition);
  else keepResult(run, at, definition, resultVariable);
  return true;
}

/** As in Camunda a script that gives nothing leaves the variable as it is; FEEL gives null, as in Camunda 8. */
function keepResult(run: Run, at: At, definition: SourceWork, resultVariable: string): void {
  const result = typedSource(run, at, definition);
  const isScript = definition.kind === 'script' && definition.language !== 'feel';
  if (isScript && result.value === null && run.rules >= 8) return;
  give(run, at.token, { [resultVariable]: result });
}

/** What may be repeated is asked at once; everything else reaches out, and so ends the run: with a call job, or an external task. */
function handle(run: Run, at: At, { name: text, fields, resultVariable, external }: HandlerWork): boolean {
  const name = external === undefined ? text : topicAt(run, at, text);
  if (external !== undefined && run.context.handler(name) === undefined) {
    awaitWorker(run, at, name, external);
    return false;
  }
  if (handlerKind(run, at, name) === 'inline') {
    const result = askHandler(run, at, name, fields);
    if (resultVariable !== null) give(run, at.token, { [resultVariable]: result });
    return true;
  }
  at.token.wait = createJob(run, at.token, at.place, {
    of: 'call',
    dueAt: run.context.now,
    call: { handler: name, fields: fieldsOf(run, at, fields), variables: visible(run, at.scope) },
  });
  return false;
}
