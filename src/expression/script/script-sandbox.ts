import { seedOf } from '../../shared/ids.js';
import type { PreludeInput } from './prelude.js';
import { ScriptPool, type ScriptSandboxOptions } from './script-pool.js';
import type { ScriptDone, ScriptResult, ScriptRun, ThreadRequest } from './script-run.js';

/**
 * Runs JavaScript of models apart from the server: QuickJS in WebAssembly in a thread, each run in a fresh context without any way to the
 * host. Threads start with the first run, or with {@link warmUp}.
 */
export class ScriptSandbox {
  readonly #pool: ScriptPool<ScriptDone>;

  constructor(options: ScriptSandboxOptions = {}) {
    this.#pool = new ScriptPool(options, 'process');
  }

  /** Starts a thread ahead of the first script, and resolves when it can take one. @throws why it cannot start; the first script tries again */
  async warmUp(): Promise<void> {
    await this.run(NOTHING);
  }

  /**
   * Runs a script. Whatever the script does is an answer, failures included. @throws UNAVAILABLE when 1,000 scripts wait already, or after
   * {@link close}; nothing was run then, so a retry is safe
   */
  async run(script: ScriptRun): Promise<ScriptResult> {
    return this.#pool.ask(requestOf(script));
  }

  /** Ends the threads. Scripts that run or wait are refused with UNAVAILABLE. */
  async close(): Promise<void> {
    await this.#pool.close();
  }
}

/** Runs scripts in the thread that it is called in, which somebody ends from outside. */
export async function loadScripts(memoryBytes: number): Promise<(script: ScriptRun) => ScriptResult> {
  const { ScriptInterpreter } = await import('./script-interpreter.js');
  const interpreter = await ScriptInterpreter.load(memoryBytes);
  return (script) => interpreter.run(requestOf(script)).result as ScriptResult;
}

const NOTHING: ScriptRun = {
  source: '',
  variables: {},
  now: 0,
  seed: '',
  execution: {
    id: '',
    processInstanceId: '',
    processDefinitionId: '',
    processBusinessKey: null,
    currentActivityId: null,
  },
};

function requestOf({ source, now, seed, ...run }: ScriptRun): ThreadRequest {
  const { variables, withheld = [], own = [], inner = [], hidden = {}, execution, task = null } = run;
  const input: PreludeInput = { variables, withheld, own, inner, hidden, now, seed: seedWords(seed), execution, task };
  return { source, input: JSON.stringify(input) };
}

/** The seed as words of 32 bits. */
export const seedWords = (seed: string): number[] =>
  (seedOf(seed).match(/.{8}/g) ?? []).map((word) => Number.parseInt(word, 16));
