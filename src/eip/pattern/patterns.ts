import { choice } from './choice.js';
import { filter } from './filter.js';
import type { Pattern } from './pattern.js';
import { setBody } from './set-body.js';
import { setHeader } from './set-header.js';
import { stop } from './stop.js';
import { to } from './to.js';

/** The steps of the DSL that are run, by their names. */
export const PATTERNS: Readonly<Record<string, Pattern>> = {
  choice,
  filter,
  setBody,
  setHeader,
  stop,
  to,
  transform: setBody,
};
