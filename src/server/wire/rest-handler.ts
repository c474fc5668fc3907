import { DEFAULT_WORKSPACE, ENGINE_REST, type EngineRestParts, engineRest } from '../engine-rest/engine-rest.js';
import type { WireParts } from '../server.js';
import type { Wired } from './open-store.js';
import type { Workspaces } from './workspaces.js';

/** The handler of Camunda's own clients. */
export const restHandler = (
  { config, signIn, bodies, baseUrl, principals }: WireParts,
  { store, engine, engines, audit, reader }: Wired,
  workspaces: Workspaces,
  away: EngineRestParts['away'],
) =>
  engineRest({
    services: {
      api: engine.domain.api,
      principals,
      migrateInstance: engine.domain.jobs.migrateInstance,
      abortLongJob: store.longJobs.operations.abortLongJob,
      programs: engine.programs,
      workers: engine.workers,
      reader,
      answerWaitMs: config.answerWaitMs,
      workspaces: () => [...workspaces.keys()],
      baseUrl: (workspace) =>
        `${baseUrl}${ENGINE_REST}${workspace === DEFAULT_WORKSPACE ? '' : `/engine/${encodeURIComponent(workspace)}`}`,
    },
    signIn,
    bodies,
    bodyBytesMax: config.bodyBytesMax,
    workspace: (name) => workspaces.get(name),
    away,
    isRunning: (partition) => engines.isRunning(partition, 'bpm'),
    denied: (partition, userId, type) => audit.note(partition, { userId, type, targets: [], outcome: 'FORBIDDEN' }),
  });
