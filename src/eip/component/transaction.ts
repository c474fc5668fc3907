import { idSource, seedOf } from '../../shared/ids.js';
import type { BlockStep, ReadVersion, WorkspaceCommand } from './workspace-port.js';

/** A `transacted` block under way: the changes that are to be one commit, and the versions of nodes that they rest on. */
export class Transaction {
  readonly steps: BlockStep[] = [];
  /** Versions of the nodes that were read; null: there was none. */
  readonly #read = new Map<string, number | null>();
  readonly #key: string;
  readonly #began: number;
  /** The block has come to its end: what is sent by now is no part of it. */
  isOver = false;

  /** `key`: the same whenever the block begins anew; `began`: ms. The ids that it gives are made of both. */
  constructor(key: string, began: number) {
    this.#key = key;
    this.#began = began;
  }

  get reads(): readonly ReadVersion[] {
    return [...this.#read].map(([path, version]) => ({ path, version }));
  }

  /** Nothing of the block is to be written. */
  get isEmpty(): boolean {
    return this.steps.length === 0;
  }

  /** Takes a command in. Its answer, as far as that is known by now: the id of a process that is to be started; null of all others. */
  add(command: WorkspaceCommand, routeId: string): unknown {
    if (command.kind !== 'bpm.start') {
      this.steps.push({ command, routeId });
      return null;
    }
    const instanceId = idSource(seedOf(`${this.#key}/${this.steps.length}`), this.#began).next();
    this.steps.push({ command: { ...command, instanceId }, routeId });
    return instanceId;
  }

  /** A node was read, as it was without the block. The first time counts: what is written rests on that. */
  saw(path: string, version: number | null): void {
    if (!this.#read.has(path)) this.#read.set(path, version);
  }
}
