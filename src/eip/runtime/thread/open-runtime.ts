import { newSeed } from '../../../shared/ids.js';
import { log } from '../../../shared/log.js';
import { workerThread } from '../../../shared/thread.js';
import { systemTime } from '../../../shared/time.js';
import { isTracing } from '../../../shared/trace.js';
import type { LogLevel } from '../../component/component.js';
import type { ComponentLimits } from '../../component/component-host.js';
import type { HttpFront } from '../../component/http-front.js';
import type { OpenRuntime } from '../../route-port.js';
import type { HistoryBatch } from '../exchange-history.js';
import type { LogLine } from './messages.js';
import type { OpenWorkspace } from './running-thread.js';
import { ThreadedRuntime } from './threaded-runtime.js';

export interface RouteThreadsOptions {
  /** The domain clock. */
  readonly now: () => number;
  /** Whether that clock stands until it is set. */
  readonly isVirtual: boolean;
  /** What `{{…}}` stands for in a partition, by key. */
  readonly properties: (partition: string) => Readonly<Record<string, string>>;
  /** What components may do and reach. */
  readonly limits: ComponentLimits;
  /** URL of the operator's module of beans; null: there is none. */
  readonly beans: string | null;
  /** How much memory the routes of one workspace may take, in MB. */
  readonly memoryMb: number;
  /** Takes over what is kept of exchanges of a partition. */
  readonly history: (partition: string, workspace: string, batch: HistoryBatch) => Promise<void>;
  /** Opens a partition for the routes of one thread. */
  readonly openWorkspace: (partition: string) => OpenWorkspace;
  /** Where HTTP requests for the routes of a partition come in. */
  readonly front: (partition: string) => HttpFront;
}

/** Runs the routes of each workspace in a thread of their own. */
export function routeThreads({
  now,
  isVirtual,
  properties,
  limits,
  beans,
  memoryMb,
  history,
  openWorkspace,
  front,
}: RouteThreadsOptions): OpenRuntime {
  const module = new URL('./route-thread.js', import.meta.url);
  return ({ partition, workspace }, told) =>
    new ThreadedRuntime({
      thread: (data) =>
        workerThread(module, {
          data,
          name: `millrace-routes-${workspace}`,
          resourceLimits: { maxOldGenerationSizeMb: memoryMb },
          ended: 'it ended by itself',
        }),
      begin: () => ({
        name: workspace,
        collectsSpans: isTracing(),
        seed: newSeed().slice(0, 12),
        virtualNow: isVirtual ? now() : null,
        limits,
        beans,
      }),
      properties: () => properties(partition),
      told,
      log: (line) => tell(workspace, line),
      history: (batch) => history(partition, workspace, batch),
      workspace: () => openWorkspace(partition),
      front: front(partition),
      now,
      time: systemTime,
    });
}

const METHODS: Readonly<Record<Exclude<LogLevel, 'OFF'>, 'trace' | 'debug' | 'info' | 'warn' | 'error'>> = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
};

function tell(workspace: string, { level, logger, message, exchangeId }: LogLine): void {
  if (level === 'OFF') return;
  log[METHODS[level]]({ workspace, logger, ...(exchangeId !== null && { exchangeId }) }, message);
}
