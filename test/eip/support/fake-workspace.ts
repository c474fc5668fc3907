import type {
  CommandOrigin,
  Origin,
  StageStep,
  WatchStep,
  WorkspaceNode,
  WorkspaceQuery,
} from '../../../src/eip/component/workspace-port.js';
import type { OpenWorkspace } from '../../../src/eip/runtime/thread/running-thread.js';
import { ServiceError } from '../../../src/shared/errors.js';
import { Changes } from '../../support/changes.js';

/** A command as it came. */
export interface Came {
  readonly command: Parameters<OpenWorkspace['send']>[0];
  readonly by: CommandOrigin;
  /** Bytes of its content. */
  readonly bytes: Buffer | undefined;
}

/** A workspace that takes everything, and tells what came. Commands are answered when that is asked for. */
export class FakeWorkspace implements OpenWorkspace {
  readonly came: Came[] = [];
  readonly read_: { readonly query: WorkspaceQuery; readonly by: Origin }[] = [];
  readonly staged = new Map<string, Buffer[]>();
  readonly changes = new Changes();
  readonly nodes = new Map<string, Partial<WorkspaceNode>>();
  readonly blobs = new Map<string, Buffer>();
  /** What commands are answered with, one after the other, before all others succeed. */
  readonly refusals: ServiceError[] = [];
  isClosed = false;
  #isHeld = false;
  #held: (() => void)[] = [];

  /** Answers no command until {@link letGo}. */
  hold(): void {
    this.#isHeld = true;
  }

  letGo(): void {
    this.#isHeld = false;
    for (const go of this.#held.splice(0)) go();
  }

  get inside(): number {
    return this.#held.length;
  }

  async send(command: Parameters<OpenWorkspace['send']>[0], by: CommandOrigin): Promise<unknown> {
    const content = command.kind === 'cms.write' ? command.content : undefined;
    const bytes = content !== undefined && 'blob' in content ? this.blobs.get(content.blob) : undefined;
    this.came.push({ command, by, bytes });
    this.changes.tell();
    if (this.#isHeld) await new Promise<void>((resolve) => this.#held.push(resolve));
    const refusal = this.refusals.shift();
    if (refusal !== undefined) throw refusal;
    if (command.kind === 'cms.write') return { id: 'n', path: command.path, isNew: true, version: this.came.length };
    return command.kind === 'bpm.start' ? `instance-${this.came.length}` : null;
  }

  async read(query: WorkspaceQuery, by: Origin): Promise<unknown> {
    this.read_.push({ query, by });
    if (query.kind === 'cms.bytes')
      return this.blobs.get(query.blob)?.subarray(query.from, query.from + query.length) ?? new Uint8Array(0);
    if (query.kind === 'cms.children' || query.kind === 'cms.query') return { nodes: [], after: null };
    if (query.kind !== 'cms.node') return null;
    const found = this.nodes.get(query.path);
    const none = { id: 'n', name: 'n', nodeType: 'nt:file', mimeType: null, modified: null, size: null, content: null };
    const node = found === undefined ? null : { ...none, properties: {}, path: query.path, version: 1, ...found };
    return { node, version: node?.version ?? null };
  }

  async stage(step: StageStep): Promise<unknown> {
    if (!('piece' in step)) return this.staged.delete(step.name) && null;
    const pieces = this.staged.get(step.name) ?? [];
    this.staged.set(step.name, [...pieces, Buffer.from(step.piece)]);
    if (!('end' in step)) return null;
    const bytes = Buffer.concat(this.staged.get(step.name) ?? []);
    this.blobs.set(step.name, bytes);
    return { blob: step.name, size: bytes.length };
  }

  watch(_: WatchStep): Promise<unknown> {
    return Promise.reject(new ServiceError('NOT_FOUND', 'nothing is followed here'));
  }

  close(): void {
    this.isClosed = true;
  }
}
