import { ServiceError } from '../../shared/errors.js';
import type { Element, ExternalDefinition } from '../model/program.js';
import { reported } from './error.js';
import { priorityAt, textAt } from './evaluate.js';
import { BpmnError, executionFailed } from './failure.js';
import type { Input, Token } from './instance-state.js';
import { complete } from './leave.js';
import { type At, at, type Run } from './run.js';
import { holds } from './source.js';
import { assignLocal, give } from './variables.js';

/** The topic of an external task, which may be an expression. @throws EXECUTION_FAILED where it gives nothing */
export function topicAt(run: Run, where: At, text: string): string {
  const topic = textAt(run, where, text);
  if (topic !== null && topic !== '') return topic;
  throw executionFailed(where.place, {
    expected: `a topic from '${text}'`,
    expression: text,
    cause: 'it gives nothing',
  });
}

/** The token waits for a worker: there is no handler of the topic's name. */
export function awaitWorker(run: Run, where: At, topic: string, { priority }: ExternalDefinition): void {
  const { token, place } = where;
  const id = run.context.ids.next();
  token.wait = { kind: 'external', id };
  run.effects.push({
    type: 'createExternalTask',
    task: {
      id,
      topic,
      priority: priority === null ? 0 : priorityAt(run, where, priority),
      tokenId: token.id,
      activity: token.activity ?? 0,
      element: place.index,
    },
  });
}

type Reported = Extract<Input, { type: 'completeExternalTask' | 'failExternalTask' }>;

/** Takes a worker's report on its external task. */
export function reportWork(
  run: Run,
  token: Token,
  input: Reported | Extract<Input, { type: 'externalTaskError' }>,
): void {
  if (input.type === 'externalTaskError') throwExternalError(run, token, input);
  else if (input.type === 'completeExternalTask') completeExternalTask(run, token, input);
  else failExternalTask(run, token, input);
}

/** A worker has done its work: the task's errors are looked at, then the token goes on. As in Camunda. */
function completeExternalTask(run: Run, token: Token, input: Reported): void {
  const { taskId } = input;
  setReported(run, token, input);
  throwReported(run, token, input);
  run.effects.push({ type: 'endExternalTask', taskId });
  token.wait = undefined;
  complete(run, token, run.placeOf(token));
}

/** A worker has failed: what it set is set, and an error of the model may make a BPMN error of it. Else the token waits on. */
function failExternalTask(run: Run, token: Token, input: Reported): void {
  setReported(run, token, input);
  throwReported(run, token, input);
}

/** A worker's BPMN error goes to its boundary event. */
function throwExternalError(
  run: Run,
  token: Token,
  { taskId, ...thrown }: Extract<Input, { type: 'externalTaskError' }>,
): void {
  leaveWith(run, token, taskId, reported(run, token, thrown));
}

function setReported(run: Run, token: Token, { variables, localVariables }: Reported): void {
  give(run, token, variables);
  for (const [name, value] of Object.entries(localVariables)) assignLocal(run, token, name, value);
}

/** `camunda:errorEventDefinition`: the first whose condition holds is thrown. */
function throwReported(run: Run, token: Token, { type, taskId, facts }: Reported): void {
  const place = run.placeOf(token);
  const errors = externalOf(place.element)?.errors ?? [];
  const where: At = { ...at(run, token, place), ...(facts && { external: { id: taskId, ...facts } }) };
  for (const { condition, code, message } of errors) {
    if (!isMet(run, where, condition, type)) continue;
    const thrown = {
      code: textAt(run, where, code) ?? '',
      message: textAt(run, where, message) ?? facts?.errorMessage,
    };
    leaveWith(run, token, taskId, new BpmnError(token, thrown.code, thrown.message ?? null));
  }
}

/** As in Camunda: a condition that cannot be evaluated refuses work that is done, but never a failure, which counts by itself. */
function isMet(run: Run, where: At, text: string, type: Reported['type']): boolean {
  try {
    return holds(run, where, { kind: 'expression', text });
  } catch (thrown) {
    const isUnknown = thrown instanceof ServiceError && thrown.code === 'EXECUTION_FAILED';
    if (isUnknown && type === 'failExternalTask') return false;
    throw thrown;
  }
}

function leaveWith(run: Run, token: Token, taskId: string, error: BpmnError): never {
  run.effects.push({ type: 'endExternalTask', taskId });
  token.wait = undefined;
  throw error;
}

/** External task that the element makes, as the model defines it; undefined: it makes none. */
export function externalOf({ work, event }: Element): ExternalDefinition | undefined {
  const definition = work ?? (event?.kind === 'message' ? event.work : null);
  return definition?.kind === 'handler' ? definition.external : undefined;
}
