import { evaluationFailed } from './errors.js';
import { compileFeel } from './feel/feel.js';
import { fromFeel } from './feel/feel-value.js';
import { dateBean } from './juel/date-bean.js';
import { compileExpression } from './juel/expression.js';

/** The value of an expression where no instance is there yet: it sees the time and nothing else; undefined: not even that. @throws EXECUTION_FAILED */
export function evaluateAlone(text: string, now?: number): unknown {
  const clock = now === undefined ? undefined : () => dateBean(now);
  return compileExpression(text).evaluate({
    variable: () => undefined,
    bean: (name) => {
      if (name === 'feel') return (feel: unknown) => feelAlone(String(feel), now);
      return name === 'now' || name === 'dateTime' ? clock : undefined;
    },
  });
}

function feelAlone(text: string, now: number | undefined): unknown {
  const expression = compileFeel(text);
  if (expression.heaviest === 0) throw evaluationFailed(text, 'it may take long, and no instance is there yet');
  if (now === undefined && expression.names.some((name) => name === 'now' || name === 'today'))
    throw evaluationFailed(text, 'it asks for the time');
  const { value, cause } = expression.evaluate({ now: now ?? 0, variable: () => undefined });
  if (value === null && cause !== null) throw evaluationFailed(text, cause);
  return fromFeel(value);
}
