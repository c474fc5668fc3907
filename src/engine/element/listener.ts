import type { Listener } from '../model/program.js';
import type { At } from './at.js';
import { executionFailed } from './failure.js';
import { askHandler, handlerKind } from './handler.js';
import type { Run } from './run.js';
import { evaluateSource } from './source.js';

/** Tells the listeners, in document order. What they give back is not used. @throws EXECUTION_FAILED */
export function notify(run: Run, at: At, listeners: readonly Listener[], event: string): void {
  if (run.silent) return;
  for (const { source } of listeners) {
    const where = { ...at, event };
    if (source.kind === 'handler') tell(run, where, source.name, source.fields ?? {});
    else evaluateSource(run, where, source);
  }
}

/** A listener happens within the step, so only a handler that may be repeated can be one. */
function tell(run: Run, at: At, name: string, fields: Readonly<Record<string, string>>): void {
  if (handlerKind(run, at, name) === 'call') {
    throw executionFailed(at.place, {
      expected: `listener '${name}'`,
      cause: 'its handler is not registered as inline, and a listener cannot wait',
    });
  }
  askHandler(run, at, name, fields);
}
