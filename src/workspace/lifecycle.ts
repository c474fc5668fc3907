import { messageOf, ServiceError } from '../shared/errors.js';
import { log } from '../shared/log.js';
import { type PartitionPort, readFault } from '../store/index.js';
import type { WorkspaceEvent } from './machine.js';
import { forgetWorkspace, moveWorkspace } from './operations.js';
import { refusal } from './refusal.js';
import { allWorkspaces, SYSTEM_WORKSPACE, type Workspace, workspaces } from './workspace.js';

/** Partitions of workspaces, as far as they come and go. Each of these may be asked again, and then goes on or does nothing. */
export interface WorkspacePartitions {
  /** Opens it, with what a new one begins with; it takes calls from then on. @throws CONFLICT where it is gone and was open before */
  open(workspace: Workspace): Promise<unknown>;
  /** Closes it: whoever uses it is refused from then on. */
  close(workspace: Workspace): Promise<unknown>;
  /** Removes all that is kept of a closed one. */
  remove(workspace: Workspace): Promise<unknown>;
}

/** How far a step has come, as its job tells. */
export type Phase = 'creating' | 'starting' | 'stopping' | 'deleting';

/** How many workspaces are opened at once when the server starts: opening one waits for the disk and for threads that start. */
const OPENED_AT_ONCE = 8;

/** Starts, stops and deletes workspaces: of each one thing at a time, in the order in which that was asked. */
export class WorkspaceLifecycle {
  readonly #partitions: WorkspacePartitions;
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(partitions: WorkspacePartitions) {
    this.#partitions = partitions;
  }

  /** Does the work behind whatever else is being done about the workspace. */
  async inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(id) ?? Promise.resolve();
    const done = before.catch(() => {}).then(work);
    this.#turns.set(id, done);
    try {
      return await done;
    } finally {
      if (this.#turns.get(id) === done) this.#turns.delete(id);
    }
  }

  /**
   * Opens the workspaces that are started with the server. What was stopped, or is being removed, stays closed; one that cannot be opened is `FAILED`, and
   * keeps no other from being opened.
   */
  async begin(system: PartitionPort): Promise<void> {
    const waiting = allWorkspaces(system.replica.read()).filter(({ id }) => id !== SYSTEM_WORKSPACE);
    const openNext = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const { id } = next;
        await this.inTurn(id, () => new WorkspaceSteps(this.#partitions, system, id).begin());
      }
    };
    await Promise.all(Array.from({ length: OPENED_AT_ONCE }, openNext));
  }

  /** What can be done about a workspace; each of it {@link inTurn}. */
  of(system: PartitionPort, id: string): WorkspaceSteps {
    return new WorkspaceSteps(this.#partitions, system, id);
  }
}

/** Steps of the life of one workspace. Each bears to be done again: one that was cut off is done from its beginning. */
class WorkspaceSteps {
  readonly #partitions: WorkspacePartitions;
  readonly #system: PartitionPort;
  readonly #id: string;

  constructor(partitions: WorkspacePartitions, system: PartitionPort, id: string) {
    this.#partitions = partitions;
    this.#system = system;
    this.#id = id;
  }

  /** Opens it with the server, where it is to be. */
  async begin(): Promise<void> {
    const workspace = this.#now();
    if (workspace === undefined || workspace.actor.value === 'STOPPED' || workspace.actor.value === 'DELETED') return;
    if (!workspace.autoStart) return void (await this.#move({ type: 'stop' }));
    try {
      await this.#open(workspace);
    } catch (thrown) {
      // Where not even that could be told, the server cannot start.
      if (this.#now()?.actor.value !== 'FAILED') throw thrown;
      const facts = thrown instanceof ServiceError ? { reason: thrown.message } : { err: thrown };
      log.error({ workspace: workspace.name, ...facts }, 'a workspace cannot be opened; the others are');
    }
  }

  /** @throws what keeps it from being opened; it is `FAILED` then */
  async start(told: (phase: Phase) => void): Promise<void> {
    const before = this.#now();
    if (before === undefined) throw isGone();
    if (before.actor.value === 'ONLINE') return;
    const workspace = await this.#move({ type: 'start' });
    if (workspace.wasOpened) told('starting');
    await this.#open(workspace);
    told('starting');
  }

  async stop(told: (phase: Phase) => void): Promise<void> {
    const workspace = this.#now();
    if (workspace === undefined) throw isGone();
    told('stopping');
    await this.#partitions.close(workspace);
    if (workspace.actor.value !== 'DELETED') await this.#move({ type: 'stop' });
  }

  async delete(told: (phase: Phase) => void): Promise<void> {
    // One that was cut off behind its end, or another one was quicker.
    if (this.#now() === undefined) return;
    await this.stop(told);
    const workspace = await this.#move({ type: 'delete' });
    told('deleting');
    await this.#partitions.remove(workspace);
    await this.#system.sendAsSystem(forgetWorkspace, { id: this.#id });
  }

  async #open(workspace: Workspace): Promise<void> {
    try {
      await this.#partitions.open(workspace);
    } catch (thrown) {
      await this.#move({ type: 'fail', message: reasonOf(thrown) });
      throw thrown;
    }
    // Where it is known already nothing is written.
    if (workspace.actor.value !== 'ONLINE' || !workspace.wasOpened) await this.#move({ type: 'opened' });
  }

  #now(): Workspace | undefined {
    return this.#system.replica.read().get(workspaces, this.#id);
  }

  #move(event: WorkspaceEvent): Promise<Workspace> {
    return this.#system.sendAsSystem(moveWorkspace, { id: this.#id, event });
  }
}

const isGone = () => refusal('NOT_FOUND', 'expected a workspace, but it was deleted before the job began');

/** Why it failed, as whoever may see the workspace is told: what the machine says is said, a bug is the server's log's. */
function reasonOf(thrown: unknown): string {
  const fault = readFault(thrown);
  const isKnown = fault instanceof ServiceError || typeof (fault as NodeJS.ErrnoException).errno === 'number';
  return isKnown ? messageOf(fault) : 'Internal error';
}
