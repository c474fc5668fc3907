import {
  CHANGERS_MAX,
  type ChangerBelow,
  type ContentNode,
  ContentView,
  changersBelow,
  nodes,
} from '../../content/index.js';
import { type Caller, systemCaller } from '../../shared/caller.js';
import type { Principals } from '../../shared/principals.js';
import { changersOf } from '../../shared/rights/nodes.js';
import type { PartitionPort, Reader, State } from '../../store/index.js';

/** Where the web desktop of a workspace lies. */
export const DESKTOP = ['content', 'webtop'] as const;

interface DesktopTrustParts {
  readonly partition: Pick<PartitionPort, 'replica' | 'workspace'>;
  readonly reader: Pick<Reader, 'query'>;
  readonly principals: Pick<Principals, 'describe' | 'rolesOf'>;
}

/** Findings below the desktop's folder, and the revision up to which they hold. */
interface Seen {
  /** The nodes down to the folder, each with its version. */
  readonly chain: string;
  readonly changers: readonly ChangerBelow[];
  /** Up to here nothing was written below the folder since. */
  revision: number;
}

/** Nodes written since, which are looked at one by one; where there are more, all is looked at anew. */
const WRITTEN_MAX = 50;
const ROUNDS_MAX = 5;

/**
 * Whether the desktop of a workspace may act for whoever looks at it: nobody but administrators may change anything of what lies in its folder. Asked at
 * every page of it, so it is told by the rights as they are: those down to the folder are read each time, those below it are remembered as
 * long as nothing is written there.
 */
export class DesktopTrust {
  readonly #parts: DesktopTrustParts;
  readonly #caller: Caller;
  #seen: Seen | undefined;
  #looking: Promise<void> | undefined;

  constructor(parts: DesktopTrustParts) {
    this.#parts = parts;
    this.#caller = systemCaller(parts.partition.workspace);
  }

  /** @throws UNAVAILABLE the readers are busy */
  async holds(): Promise<boolean> {
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const view = new ContentView(this.#parts.partition.replica.read(), this.#caller);
      const chain = view.tree.along(DESKTOP.map((name) => ({ name, index: 1 })));
      const folder = chain?.at(-1);
      if (chain === undefined || folder === undefined) return false;
      if (changersOf(chain).some((principal) => this.#isOther(principal))) return false;
      const known = this.#below(view, chain, folder);
      if (known !== undefined) return known;
      await this.#look(chain, folder);
    }
    return false; // so much is written there that nobody can tell
  }

  /** Whether nobody else may change what lies below the folder; undefined: that is not known. */
  #below(view: ContentView, chain: readonly ContentNode[], folder: ContentNode): boolean | undefined {
    const seen = this.#stillSeen(view, chain, folder);
    if (seen === undefined) return undefined;
    if (seen.changers.length >= CHANGERS_MAX) return false;
    const others = seen.changers.filter(({ principal }) => this.#isOther(principal));
    if (others.length === 0) return true;
    // Where it is no more, another one may let somebody do so, or none.
    return others.some(({ nodeId }) => isWithin(view, nodeId, folder)) ? false : undefined;
  }

  /** What is known of the nodes below the folder, if it is still true but for nodes that are gone. */
  #stillSeen(view: ContentView, chain: readonly ContentNode[], folder: ContentNode): Seen | undefined {
    const seen = this.#seen;
    if (seen === undefined || seen.chain !== keyOf(chain)) return undefined;
    const revision = revisionOf(view.state);
    if (revision === seen.revision) return seen;
    const written = view.state.range(nodes, 'version', [seen.revision + 1], WRITTEN_MAX + 1);
    if (written.length > WRITTEN_MAX || written.some((node) => view.tree.isWithin(node, folder.id))) return undefined;
    seen.revision = revision;
    return seen;
  }

  /** Those who ask meanwhile wait for the same look: what is written after it they find themselves. */
  #look(chain: readonly ContentNode[], folder: ContentNode): Promise<void> {
    this.#looking ??= this.#lookBelow(chain, folder).finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #lookBelow(chain: readonly ContentNode[], folder: ContentNode): Promise<void> {
    const { reader, partition } = this.#parts;
    const { id } = partition.replica;
    const { answer, revision } = await reader.query(
      id,
      changersBelow,
      { partition: id, nodeId: folder.id },
      this.#caller,
    );
    this.#seen = { chain: keyOf(chain), changers: answer, revision };
  }

  #isOther(principal: string): boolean {
    const { principals } = this.#parts;
    return principals.describe(principal)?.isGroup === true || !principals.rolesOf(principal).includes('administrator');
  }
}

const keyOf = (chain: readonly ContentNode[]): string => chain.map(({ id, version }) => `${id}:${version}`).join(' ');
const revisionOf = ({ revision }: State): number => revision - 1;

function isWithin({ tree }: ContentView, nodeId: string, folder: ContentNode): boolean {
  const node = tree.get(nodeId);
  return node !== undefined && tree.isWithin(node, folder.id);
}
