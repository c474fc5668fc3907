import type { ScriptInterpreter } from './script-interpreter.js';
import { SCRIPT_MEMORY_BYTES } from './script-pool.js';
import type { ScriptFailure } from './script-run.js';

/** Loaded with the first script, and its module too: whoever imports this room seldom asks. */
let interpreter: Promise<ScriptInterpreter> | undefined;

async function load(): Promise<ScriptInterpreter> {
  const { ScriptInterpreter } = await import('./script-interpreter.js');
  return ScriptInterpreter.load(SCRIPT_MEMORY_BYTES);
}

/**
 * Compiles scripts without running them: what is wrong with each, null where nothing is. Takes a millisecond for a hundred of them, and as long
 * as they say for large ones: belongs into a thread that is ended from outside.
 */
export async function scriptProblems(sources: readonly string[]): Promise<readonly (ScriptFailure | null)[]> {
  const found: (ScriptFailure | null)[] = [];
  while (found.length < sources.length) {
    interpreter ??= load();
    const { failures, broken } = (await interpreter).check(sources.slice(found.length));
    found.push(...failures);
    if (broken) interpreter = undefined;
  }
  return found;
}
