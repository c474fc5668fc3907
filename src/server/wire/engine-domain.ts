import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  advance,
  BpmnError,
  createEngine,
  DecisionParser,
  DecisionStore,
  DecisionThreads,
  type Engine,
  type FeelQuestion,
  Handlers,
  type LongDecision,
  ModelParser,
  messageReceivers,
  ProgramStore,
  type ReceiversQuestion,
} from '../../engine/index.js';
import { loadFeelin, type ScriptRun, ScriptSandbox } from '../../expression/index.js';
import { systemCaller } from '../../shared/caller.js';
import { badRequest, messageOf, ServiceError, unavailable } from '../../shared/errors.js';
import { log } from '../../shared/log.js';
import { systemTime } from '../../shared/time.js';
import { isCollected } from '../../shared/trace.js';
import { HOUR_MS, type RecurringWork, sendUntilDone } from '../maintenance/recurring.js';
import { engineSpans } from '../telemetry/engine-spans.js';
import { WaitingWorkers } from '../worker/waiting-workers.js';
import { callRoute as callRouteOf } from './call-route.js';
import type { DomainNeeds, OpenDomain } from './domain.js';

/** A run of an instance is cut when it has taken so long, in ms. */
const RUN_MS_MAX = 10;

/** The engine with its threads: the parser of models, and the sandbox of scripts. */
interface EngineDomain extends OpenDomain {
  readonly domain: Engine;
  readonly programs: ProgramStore;
  readonly workers: WaitingWorkers;
}

export async function openEngine({
  config,
  store,
  reader,
  engines,
  now,
  callRoute,
}: DomainNeeds): Promise<EngineDomain> {
  const handlers = new Handlers();
  handlers.register('eip', callRouteOf(callRoute), { waits: true });
  if (config.handlers !== undefined) await loadHandlers(config.handlers, handlers);
  const limits = {
    bytes: config.modelBytesMax,
    elements: config.modelElementsMax,
    depth: config.modelDepthMax,
    namespaceDeclarations: config.modelNamespacesMax,
  };
  const parser = new ModelParser({ budgetMs: config.modelParseTimeoutMs, limits, timeZone: config.timeZone });
  const decisionParser = new DecisionParser({ budgetMs: config.modelParseTimeoutMs, limits });
  const sandbox = new ScriptSandbox({ timeoutMs: config.scriptTimeoutMs, memoryBytes: config.scriptBytesMax });
  const decisionThreads = new DecisionThreads({
    timeoutMs: config.scriptTimeoutMs,
    memoryBytes: config.scriptBytesMax,
  });
  const programs = new ProgramStore();
  const decisions = new DecisionStore();
  const domain = createEngine({
    advance,
    programs,
    decisions,
    handlers,
    parseDecisions: (xml) => decisionParser.parse(xml),
    parseModel: (xml, files, registered) => parser.parse(xml, files, registered),
    evaluators: {
      script: (question) => runScript(sandbox, question as ScriptRun),
      decision: (question) => decideIn(decisionThreads, decisions, question as LongDecision),
      receivers: (question) => receiversIn(reader, question as ReceiversQuestion),
      feel: (question) => decisionThreads.answer({ kind: 'feel', question: question as FeelQuestion }),
    },
    unwaitedStepsMax: config.instanceStepsMax,
    runClock: () => {
      const end = performance.now() + RUN_MS_MAX;
      return () => performance.now() > end;
    },
  });
  const workers = new WaitingWorkers(domain.api, systemTime);
  const state = (partition: string) => store().find(partition).replica.read();
  const spans = isCollected()
    ? engineSpans({ state, program: (read, definitionId) => programs.find(read, definitionId), now })
    : undefined;
  return {
    domain,
    engine: 'bpm',
    programs,
    workers,
    warm: warmUp(sandbox),
    followers: (partition) => [workers.follower(partition), ...(spans === undefined ? [] : [spans(partition)])],
    recurring: [cleanHistory(domain, { store, engines, now, keptMs: config.historyKeptMs })],
    close: async () => {
      await Promise.all([parser.close(), sandbox.close(), decisionThreads.close(), decisionParser.close()]);
    },
  };
}

/** FEEL's library takes longer to load than a request may wait; here that costs nothing, for the thread of scripts takes longer still. */
async function warmUp(sandbox: ScriptSandbox): Promise<void> {
  // Where their thread does not start, scripts are tried again with the first one.
  const scripts = sandbox.warmUp().catch((error: unknown) => log.error({ err: error }, 'no script can run'));
  await Promise.all([scripts, loadFeelin()]);
}

/** Erases, hour by hour, the history of instances that ended long enough ago. */
const cleanHistory = (
  { jobs }: Engine,
  { store, engines, now, keptMs }: Pick<DomainNeeds, 'store' | 'engines' | 'now'> & { readonly keptMs: number },
): RecurringWork => ({
  name: 'history cleanup',
  everyMs: HOUR_MS,
  work: (isClosed) => {
    const partitions = store().partitions.filter(({ id }) => engines.isRunning(id, 'bpm'));
    return sendUntilDone({ partitions }, jobs.cleanHistory, {
      input: () => ({ endedBefore: now() - keptMs }),
      isClosed,
    });
  },
});

/** A decision that takes long; its file was read a moment ago. @throws EXECUTION_FAILED, UNAVAILABLE */
function decideIn(threads: DecisionThreads, decisions: DecisionStore, question: LongDecision): Promise<unknown> {
  const model = decisions.known(question.modelId);
  if (model === undefined) throw unavailable('expected fewer decisions at a time');
  return threads.answer({ kind: 'decision', question, model });
}

/** Who waits for a message, among many. @throws UNAVAILABLE, LIMIT_EXCEEDED (it takes too long) */
const receiversIn = async (reader: DomainNeeds['reader'], question: ReceiversQuestion): Promise<unknown> =>
  (await reader.query(question.partition, messageReceivers, question, systemCaller(''))).answer;

/** A script's outcome as the interpreter takes it; its failure is the ask's failure. */
async function runScript(sandbox: ScriptSandbox, run: ScriptRun): Promise<unknown> {
  const result = await sandbox.run(run);
  if (!('error' in result)) return result;
  const { message, line } = result.error;
  throw new ServiceError('EXECUTION_FAILED', line === undefined ? message : `${message} (line ${line})`);
}

/**
 * Loads the operator's module, whose default export registers the handlers of service tasks: `(handlers, { BpmnError }) => void`. It runs in
 * the server's process, with all its rights.
 * @throws BAD_REQUEST when there is no such module, it has no such function, or the function fails
 */
async function loadHandlers(path: string, handlers: Handlers): Promise<void> {
  const register = await importDefault(path);
  if (typeof register !== 'function') {
    throw badRequest(
      `MILLRACE_HANDLERS: expected '${path}' to export a default function that registers handlers, but it exports ${typeof register}`,
    );
  }
  try {
    await register(handlers, { BpmnError });
  } catch (thrown) {
    throw badRequest(`MILLRACE_HANDLERS: the default function of '${path}' failed: ${messageOf(thrown)}`);
  }
}

async function importDefault(path: string): Promise<unknown> {
  try {
    const loaded = (await import(pathToFileURL(resolve(path)).href)) as { default?: unknown };
    return loaded.default;
  } catch (thrown) {
    throw badRequest(
      `MILLRACE_HANDLERS: expected '${path}' to be an ES module that can be loaded: ${messageOf(thrown)}`,
    );
  }
}
