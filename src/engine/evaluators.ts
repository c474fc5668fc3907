import type { Evaluator } from '../store/index.js';
import type { Variables } from './element/instance-state.js';
import type { EngineServices } from './engine-services.js';
import { BpmnError, type Handlers, unknownHandler } from './handlers.js';
import type { ParseModelQuestion } from './operation/deploy-process.js';
import { callVariables } from './run/call-handler.js';

/** What an inline handler is asked. */
export interface HandlerQuestion {
  readonly handler: string;
  readonly elementId: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly variables: Variables;
}

/** What answers the engine's asks: models, inline handlers, and whatever else the services bring (scripts). */
export const engineEvaluators = (services: EngineServices): Readonly<Record<string, Evaluator>> => ({
  ...services.evaluators,
  parseModel: ({ content }: ParseModelQuestion) => services.parseModel(content),
  handler: (question: HandlerQuestion) => askHandler(services.handlers, question),
});

/** Runs an inline handler. Its outcome: result, variables that it set, or the BPMN error that it ended with. */
async function askHandler(handlers: Handlers, question: HandlerQuestion): Promise<unknown> {
  const handler = handlers.find(question.handler);
  if (handler === undefined) throw new Error(unknownHandler(question.handler, handlers.names()));
  const { values, set } = callVariables(question.variables);
  try {
    const result = await handler({
      id: question.elementId,
      name: question.handler,
      fields: question.fields,
      variables: values,
      processInstanceId: null,
      businessKey: null,
      activityId: question.elementId,
      setVariable: (name, value) => set.set(name, value),
    });
    return { result: result ?? null, variables: Object.fromEntries(set) };
  } catch (thrown) {
    if (!(thrown instanceof BpmnError)) throw thrown;
    return { variables: Object.fromEntries(set), bpmnError: { code: thrown.code, message: thrown.message || null } };
  }
}
