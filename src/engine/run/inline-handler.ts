import { type Answer, type Ask, failedAnswer } from '../../store/index.js';
import type { ExecutionFacts } from '../element/execution-bean.js';
import type { Variables } from '../element/instance-state.js';
import type { TaskView } from '../element/task-bean.js';
import type { AskedCall, CallOutcome, Handlers } from '../handlers.js';

/** Question to an inline handler: its name, with the element, the fields and the variables that it is called with. */
export interface HandlerQuestion {
  readonly handler: string;
  readonly elementId: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly variables: Variables;
  /** Of a listener; a former version did not tell. */
  readonly execution?: ExecutionFacts;
  /** Of a task listener. */
  readonly task?: TaskView;
}

/** Runs an inline handler. Its outcome: result, what it set, or the BPMN error that it ended with. */
export const askHandler = async (handlers: Handlers, question: HandlerQuestion): Promise<unknown> =>
  outcomeOf(await handlers.call(question.handler, callOf(question)));

/** Answer of an inline handler at once, so that its run need not begin anew for it; undefined: it gives a promise, or it is no handler that is asked. */
export function answerOfHandler(handlers: Handlers, { kind, question }: Ask): Answer | undefined {
  if (kind !== 'handler') return undefined;
  const asked = question as HandlerQuestion;
  if (!handlers.mayAnswerNow(asked.handler)) return undefined;
  try {
    // The run goes on with its variables whatever the handler does to those that it is given.
    const outcome = handlers.callNow(asked.handler, callOf({ ...asked, variables: copied(asked.variables) }));
    return outcome && { value: outcomeOf(outcome) };
  } catch (thrown) {
    return failedAnswer(thrown);
  }
}

const callOf = ({ elementId, fields, variables, execution, task }: HandlerQuestion): AskedCall => ({
  id: elementId,
  fields,
  variables,
  workspaceId: null,
  processInstanceId: execution?.processInstanceId ?? null,
  businessKey: execution?.businessKey ?? null,
  activityId: elementId,
  execution: execution ?? null,
  task: task ?? null,
});

const outcomeOf = ({ result, error, ...left }: CallOutcome) =>
  error === undefined ? { ...left, result: result ?? null } : { ...left, bpmnError: error };

const copied = (variables: Variables): Variables =>
  Object.fromEntries(
    Object.entries(variables).map(([name, variable]) =>
      isPrimitive(variable.value) ? [name, variable] : [name, { ...variable, value: structuredClone(variable.value) }],
    ),
  );

const isPrimitive = (value: unknown): boolean => typeof value !== 'object' || value === null;
