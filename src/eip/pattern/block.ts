import { whenThrough } from '../flow/outcome.js';
import type { Pattern } from './pattern.js';

const STEP_ID = 'CamelStepId';

/** `pipeline`: steps that belong together. */
export const pipeline: Pattern = (step, route) => route.block(step.steps);

/** `step`: as `pipeline`, and within it `${stepId}` is its id. */
export const step: Pattern = ({ id, steps }, route) => {
  const block = route.block(steps);
  return (exchange) => {
    const { properties } = exchange;
    const outer = properties.get(STEP_ID);
    properties.set(STEP_ID, id);
    return whenThrough(
      () => block(exchange),
      () => {
        if (outer === undefined) exchange.properties.delete(STEP_ID);
        else exchange.properties.set(STEP_ID, outer);
      },
    );
  };
};
