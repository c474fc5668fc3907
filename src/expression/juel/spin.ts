import { cannotCoerce } from './coerce.js';
import { Failure } from './failure.js';
import { kindOf } from './value.js';

/** Characters of a text that is read within an expression. */
const LENGTH_MAX = 1_000_000;

/** Camunda Spin's `S(…)` and `JSON(…)`: a text is read as JSON, what is data already stays as it is. */
export function spinJson(value: unknown): unknown {
  if (typeof value !== 'string') {
    if (kindOf(value) === 'bean') throw cannotCoerce(value, 'JSON');
    return value;
  }
  if (value.length > LENGTH_MAX) throw new Failure(`expected JSON of at most ${LENGTH_MAX} characters`);
  try {
    return JSON.parse(value);
  } catch {
    throw new Failure(`expected JSON, but found '${value.slice(0, 40)}'`);
  }
}
