import type { Domain, ReplicaSide } from '../store/index.js';
import { SYSTEM_WORKSPACE, type Workspace, workspaces } from './workspace.js';

/** The engines of a workspace, each with the setting that switches it on or off from the next start on. */
const SETTINGS = { bpm: 'bpmEnabled', eip: 'eipEnabled' } as const satisfies Readonly<Record<string, keyof Workspace>>;

/** `bpm`: processes. `eip`: routes. */
export type EngineName = keyof typeof SETTINGS;

const ENGINE_NAMES = Object.keys(SETTINGS) as readonly EngineName[];

/** Which engines run in which of the open partitions: as their workspaces were set when these were opened. */
export class Engines {
  readonly #system: () => ReplicaSide;
  readonly #domains: { readonly engine: EngineName; readonly domain: Domain }[] = [];
  readonly #running = new Map<string, ReadonlySet<EngineName>>();

  /** `system`: the open partition that knows the workspaces. */
  constructor(system: () => ReplicaSide) {
    this.#system = system;
  }

  /** The domain belongs to the engine. */
  add(engine: EngineName, domain: Domain): void {
    this.#domains.push({ engine, domain });
  }

  /** The partition is being opened; gives the domains that are at rest in it. */
  begin(replica: ReplicaSide): readonly Domain[] {
    const known = replica.id === SYSTEM_WORKSPACE ? replica : this.#system();
    const workspace = known.read().get(workspaces, replica.id);
    const isOn = (engine: EngineName) => workspace?.[SETTINGS[engine]] ?? true;
    const running = ENGINE_NAMES.filter((engine) => isOn(engine) && this.#domains.some((one) => one.engine === engine));
    this.#running.set(replica.id, new Set(running));
    return this.#domains.filter(({ engine }) => !isOn(engine)).map(({ domain }) => domain);
  }

  /** The partition is closed. */
  end(partition: string): void {
    this.#running.delete(partition);
  }

  isRunning(partition: string, engine: EngineName): boolean {
    return this.#running.get(partition)?.has(engine) === true;
  }
}
