import { choice } from './choice.js';
import { doTry } from './do-try.js';
import { filter } from './filter.js';
import type { Pattern } from './pattern.js';
import { rollback } from './rollback.js';
import { setBody } from './set-body.js';
import { setHeader } from './set-header.js';
import { stop } from './stop.js';
import { throwException } from './throw-exception.js';
import { to } from './to.js';

/** The steps of the DSL that are run, by their names. */
export const PATTERNS: Readonly<Record<string, Pattern>> = {
  choice,
  doTry,
  filter,
  rollback,
  setBody,
  setHeader,
  stop,
  throwException,
  to,
  transform: setBody,
};
