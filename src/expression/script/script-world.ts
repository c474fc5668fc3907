import { type PreludeInput, preludeSource } from './prelude.js';
import { readOutput } from './script-output.js';
import type { ThreadRequest } from './script-run.js';

/** The world of a script: the globals that it finds, and the reader of the outcome that it leaves. */
export interface ScriptWorld {
  /** The source of a function: given the input as JSON text, it prepares the globals and gives the two functions that end a run. */
  readonly prelude: string;
  /** A script that uses what scripts use, so that the first one that is asked for finds all code compiled. */
  readonly warmUp: ThreadRequest;
  /** The outcome, from the text that came out of the sandbox, or `{ error: ScriptFailure }`. Nothing in it is taken on trust. */
  read(text: string): object;
}

const NOTHING: PreludeInput = {
  variables: {},
  withheld: [],
  own: [],
  inner: [],
  hidden: {},
  now: 0,
  seed: [1, 2, 3, 4],
  execution: {},
  task: null,
};

/** That of scripts of processes: `execution`, `task`, and their variables. */
export const PROCESS_WORLD: ScriptWorld = {
  prelude: preludeSource(),
  warmUp: {
    source: `execution.setVariable('x', [now(), Math.random()].map((it) => String(it).replace(/a/g, 'b'))); throw new BpmnError('x')`,
    input: JSON.stringify(NOTHING),
  },
  read: readOutput,
};
