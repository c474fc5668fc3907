import { advance, createEngine, type Engine, Handlers, ModelParser, ProgramStore } from '../../engine/index.js';
import { type ScriptRun, ScriptSandbox } from '../../expression/index.js';
import { ServiceError } from '../../shared/errors.js';
import { log } from '../../shared/log.js';
import type { Config } from '../settings/config.js';

/** A run of an instance is cut when it has taken so long, in ms. */
const RUN_MS_MAX = 10;

/** The engine with its threads: the parser of models, and the sandbox of scripts. */
export interface EngineParts {
  readonly engine: Engine;
  readonly programs: ProgramStore;
  readonly handlers: Handlers;
  /** Resolves when scripts can run at once; they are tried again with the first one where their thread does not start. */
  readonly warm: Promise<void>;
  close(): Promise<void>;
}

export function engineParts(config: Config): EngineParts {
  const parser = new ModelParser({
    budgetMs: config.modelParseTimeoutMs,
    limits: {
      bytes: config.modelBytesMax,
      elements: config.modelElementsMax,
      depth: config.modelDepthMax,
      namespaceDeclarations: config.modelNamespacesMax,
    },
  });
  const sandbox = new ScriptSandbox({ timeoutMs: config.scriptTimeoutMs, memoryBytes: config.scriptBytesMax });
  const warm = sandbox.warmUp().catch((error: unknown) => log.error({ err: error }, 'no script can run'));
  const programs = new ProgramStore();
  const handlers = new Handlers();
  const engine = createEngine({
    advance,
    programs,
    handlers,
    parseModel: (xml) => parser.parse(xml),
    evaluators: { script: (question) => runScript(sandbox, question as ScriptRun) },
    unwaitedStepsMax: config.instanceStepsMax,
    runClock: () => {
      const end = performance.now() + RUN_MS_MAX;
      return () => performance.now() > end;
    },
  });
  const close = async () => {
    await Promise.all([parser.close(), sandbox.close()]);
  };
  return { engine, programs, handlers, warm, close };
}

/** A script's outcome as the interpreter takes it; its failure is the ask's failure. */
async function runScript(sandbox: ScriptSandbox, run: ScriptRun): Promise<unknown> {
  const result = await sandbox.run(run);
  if (!('error' in result)) return result;
  const { message, line } = result.error;
  throw new ServiceError('EXECUTION_FAILED', line === undefined ? message : `${message} (line ${line})`);
}
