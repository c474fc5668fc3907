import type { ScriptDone, ScriptFailure, ScriptResult, ScriptRun, ScriptSandbox } from '../../src/expression/routes.js';
import { NOW } from './context.js';

/** A run of this source, with these variables. */
export const scriptRun = (source: string, more: Partial<ScriptRun> = {}): ScriptRun => ({
  source,
  variables: {},
  now: NOW,
  seed: 'seed-1',
  execution: {
    id: 'e-1',
    processInstanceId: 'p-1',
    processDefinitionId: 'order:1:d-1',
    processBusinessKey: 'key-1',
    currentActivityId: 'check',
  },
  ...more,
});

export async function done(sandbox: ScriptSandbox, source: string, more?: Partial<ScriptRun>): Promise<ScriptDone> {
  const result = await sandbox.run(scriptRun(source, more));
  if ('error' in result) throw new Error(`${source}: ${result.error.message}`);
  return result;
}

export async function failure(
  sandbox: ScriptSandbox,
  source: string,
  more?: Partial<ScriptRun>,
): Promise<ScriptFailure> {
  const result: ScriptResult = await sandbox.run(scriptRun(source, more));
  if (!('error' in result))
    throw new Error(`${source}: expected a failure, but found ${JSON.stringify(result.result)}`);
  return result.error;
}
