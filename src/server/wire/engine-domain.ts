import { advance, createEngine, type Engine, Handlers, ModelParser, ProgramStore } from '../../engine/index.js';
import { type ScriptRun, ScriptSandbox } from '../../expression/index.js';
import { ServiceError } from '../../shared/errors.js';
import { log } from '../../shared/log.js';
import { HOUR_MS, type RecurringWork, sendUntilDone } from '../maintenance/recurring.js';
import { engineSpans } from '../telemetry/engine-spans.js';
import type { DomainNeeds, OpenDomain } from './domain.js';
import { loadHandlers } from './handlers-module.js';

/** A run of an instance is cut when it has taken so long, in ms. */
const RUN_MS_MAX = 10;

/** The engine with its threads: the parser of models, and the sandbox of scripts. */
export interface EngineDomain extends OpenDomain {
  readonly domain: Engine;
  readonly programs: ProgramStore;
}

export async function openEngine({ config, store, now }: DomainNeeds): Promise<EngineDomain> {
  const handlers = new Handlers();
  if (config.handlers !== undefined) await loadHandlers(config.handlers, handlers);
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
  const programs = new ProgramStore();
  const domain = createEngine({
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
  const state = (partition: string) => store().find(partition).read();
  return {
    domain,
    programs,
    // Where their thread does not start, scripts are tried again with the first one.
    warm: sandbox.warmUp().catch((error: unknown) => log.error({ err: error }, 'no script can run')),
    committed: engineSpans({ state, program: (read, definitionId) => programs.find(read, definitionId), now }),
    recurring: [cleanHistory(domain, { store, now, keptMs: config.historyKeptMs })],
    close: async () => {
      await Promise.all([parser.close(), sandbox.close()]);
    },
  };
}

/** Erases, hour by hour, the history of instances that ended long enough ago. */
const cleanHistory = (
  { jobs }: Engine,
  { store, now, keptMs }: Pick<DomainNeeds, 'store' | 'now'> & { readonly keptMs: number },
): RecurringWork => ({
  name: 'history cleanup',
  everyMs: HOUR_MS,
  work: (isClosed) =>
    sendUntilDone(store(), jobs.cleanHistory, { input: () => ({ endedBefore: now() - keptMs }), isClosed }),
});

/** A script's outcome as the interpreter takes it; its failure is the ask's failure. */
async function runScript(sandbox: ScriptSandbox, run: ScriptRun): Promise<unknown> {
  const result = await sandbox.run(run);
  if (!('error' in result)) return result;
  const { message, line } = result.error;
  throw new ServiceError('EXECUTION_FAILED', line === undefined ? message : `${message} (line ${line})`);
}
