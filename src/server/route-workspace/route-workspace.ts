import { createHash } from 'node:crypto';
import {
  type BlockCommand,
  type BlockStep,
  type CommandOrigin,
  type Eip,
  type OpenWorkspace,
  type Origin,
  type OriginUser,
  type RouteCommand,
  routes,
  type StageStep,
  type WatchStep,
  type WorkspaceCommand,
  type WorkspaceQuery,
} from '../../eip/index.js';
import type { Caller } from '../../shared/caller.js';
import { ServiceError, unavailable } from '../../shared/errors.js';
import type { RightsOfNow } from '../../shared/rights-of-now.js';
import { pause, systemTime } from '../../shared/time.js';
import { continuing } from '../../shared/trace.js';
import type { BlobStore } from '../../store/index.js';
import { nextChanges } from './node-changes.js';
import { type NodeSources, readNodes } from './node-reads.js';
import { type CommandParts, type PreparedCommand, prepared, preparedBlock } from './prepared-command.js';
import type { RouteBlocks } from './route-blocks.js';
import { readRoutes, whenOperated } from './route-control.js';
import { StagedContent } from './staged-content.js';

export interface RouteWorkspaceParts extends NodeSources, CommandParts {
  readonly blobs: BlobStore;
  readonly rights: Pick<RightsOfNow, 'of'>;
  readonly block: RouteBlocks['block'];
  /** Keeps how far a route has followed changes. */
  readonly keepPlace: Eip['reports']['keepPlace'];
  /** Whether the process engine runs in the workspace. */
  readonly isEngineOn: () => boolean;
  /** How large content may be, in bytes. */
  readonly contentMax: number;
}

/** How long a command waits that could not be taken now, in ms, and how often it is tried. */
const PAUSE_MS = 200;
const TRIES_MAX = 300;

/** What the workspace refuses until it is started anew. */
const LASTING: ReadonlySet<string | undefined> = new Set(['engine_off', 'workspace_stopped']);

/** A workspace as its routes have it: their commands and queries, as the user who deployed the route, with the rights of the instant. */
export class RouteWorkspace implements OpenWorkspace {
  readonly #parts: RouteWorkspaceParts;
  readonly #staged: StagedContent;

  constructor(parts: RouteWorkspaceParts) {
    this.#parts = parts;
    this.#staged = new StagedContent(parts.blobs, parts.contentMax);
  }

  async send(command: WorkspaceCommand | BlockCommand | RouteCommand, by: CommandOrigin): Promise<unknown> {
    const { partition } = this.#parts;
    const { operation, input, answer } = await this.#prepared(command, by);
    const options = { commandId: this.#idOf(by), compared: command.kind, retriesRefused: true };
    const sent = await this.#untilTaken(() =>
      continuing(by.traceparent, () => partition.send(operation, input, { ...options, caller: this.#callerOf(by) })),
    );
    if (command.kind === 'routes.operate') await whenOperated(this.#parts.routes, partition, command);
    return answer(sent.answer);
  }

  async #prepared(
    command: WorkspaceCommand | BlockCommand | RouteCommand,
    by: CommandOrigin,
  ): Promise<PreparedCommand> {
    const { block, isEngineOn } = this.#parts;
    const kinds = command.kind === 'block' ? command.steps.map((step) => step.command.kind) : [command.kind];
    if (kinds.some((kind) => kind.startsWith('bpm.')) && !isEngineOn()) throw engineOff();
    if (command.kind !== 'block') return prepared(this.#parts, command);
    this.#requireOneUser(command.steps, by);
    return { operation: block, input: await preparedBlock(this.#parts, command), answer: () => null };
  }

  async read(query: WorkspaceQuery, by: Origin): Promise<unknown> {
    if (query.kind === 'routes.status' || query.kind === 'routes.statistics') {
      this.#callerOf(by);
      return readRoutes(this.#parts.routes, this.#parts.partition, query, this.#parts.now());
    }
    const { pending = [] } = query.kind === 'cms.bytes' ? {} : query;
    if (pending.length > 0) this.#requireOneUser(pending, by);
    const { nodes } = await preparedBlock(this.#parts, { steps: pending, reads: [] });
    return readNodes(this.#parts, query, this.#callerOf(by), nodes);
  }

  /** What a block does is one commit, and so of one user, whichever routes it has gone through. @throws FORBIDDEN */
  #requireOneUser(steps: readonly BlockStep[], { routeId, user }: Origin): void {
    const own = routeId === null ? user : this.#deployerOf(routeId);
    const others = [...new Set(steps.map((step) => step.routeId))].filter((id) => id !== (routeId ?? ''));
    for (const other of others) {
      const { userId } = this.#deployerOf(other) ?? nobody(other);
      if (userId === own?.userId) continue;
      throw new ServiceError(
        'FORBIDDEN',
        `expected all steps of a block to act as '${own?.userId}', but those of route '${other}' act as '${userId}'`,
        { reason: 'other_deployer' },
      );
    }
  }

  async stage(step: StageStep): Promise<unknown> {
    return this.#staged.take(step);
  }

  async watch(step: WatchStep): Promise<unknown> {
    const { partition, keepPlace } = this.#parts;
    const { routeId } = step;
    if ('place' in step) return partition.sendAsSystem(keepPlace, step);
    const origin = { routeId, exchangeId: '' };
    this.#callerOf(origin);
    const { replica } = partition;
    if (step.after !== null) return nextChanges(replica, { ...step, after: step.after }, () => this.#callerOf(origin));
    const place = replica.read().get(routes, routeId)?.followed ?? replica.feed.position();
    return { changes: [], place, isAnew: false };
  }

  close(): void {
    this.#staged.close();
  }

  /** The same for the same key: a step that is tried again is known. */
  #idOf({ key }: CommandOrigin): string {
    const named = [this.#parts.partition.id, 'route', key];
    return createHash('sha256').update(JSON.stringify(named)).digest('hex');
  }

  /** @throws UNAUTHORIZED the user is disabled or gone; NOT_FOUND the route is gone */
  #callerOf({ routeId, exchangeId, traceparent, user }: Origin): Caller {
    const { partition, rights } = this.#parts;
    const { userId, principalId } = (routeId === null ? user : this.#deployerOf(routeId)) ?? nobody(routeId);
    return rights.of({
      userId,
      ...(principalId !== null && { principalId }),
      ...{ groups: [], roles: [], sessionId: null, workspace: partition.workspace },
      cause: { exchangeId, ...(routeId !== null && { routeId }), ...(traceparent !== undefined && { traceparent }) },
    });
  }

  #deployerOf(routeId: string): OriginUser | undefined {
    return this.#parts.partition.replica.read().get(routes, routeId)?.deployer;
  }

  async #untilTaken<T>(send: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await send();
      } catch (thrown) {
        const isAway = thrown instanceof ServiceError && thrown.code === 'UNAVAILABLE';
        if (!isAway || LASTING.has(thrown.info.reason) || tries >= TRIES_MAX) throw thrown;
        await pause(systemTime, PAUSE_MS);
      }
    }
  }
}

const engineOff = () =>
  unavailable('expected the process engine of the workspace to run, but it is off', { reason: 'engine_off' });

function nobody(routeId: string | null): never {
  const what = routeId === null ? 'somebody who sent the exchange' : `route '${routeId}'`;
  throw new ServiceError('NOT_FOUND', `expected ${what} as whom to act, but there is none`, {
    reason: 'route_not_found',
  });
}
