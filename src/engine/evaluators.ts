import type { Evaluator } from '../store/index.js';
import type { Variables } from './element/instance-state.js';
import type { EngineServices } from './engine-services.js';
import type { Handlers } from './handlers.js';
import type { ParseModelQuestion } from './operation/deploy-process.js';

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
async function askHandler(handlers: Handlers, { handler, elementId, fields, variables }: HandlerQuestion) {
  const call = { id: elementId, fields, variables, processInstanceId: null, businessKey: null, activityId: elementId };
  const { result, error, variables: set } = await handlers.call(handler, call);
  return error === undefined ? { result: result ?? null, variables: set } : { variables: set, bpmnError: error };
}
