import type { Caller } from '../../shared/caller.js';
import { ALL, bitOf, NodeRights, type Privilege, type Privileges } from '../../shared/rights/nodes.js';
import { type AccessEntry, type ContentNode, EIP_ID, EXCHANGES_ID, JOBS_ID, SYSTEM_ID } from './node.js';
import type { Mount, Tree } from './tree.js';

/** The rights of a caller at each node of the tree, the one gate of the repository: what the lists from the root down give it. */
export class Access {
  readonly #tree: Tree;
  readonly #rights: NodeRights;
  readonly #known = new Map<string, Privileges>();

  constructor(tree: Tree, caller: Caller) {
    this.#tree = tree;
    this.#rights = new NodeRights(caller);
  }

  has(node: ContentNode, privilege: Privilege): boolean {
    return (this.of(node) & bitOf(privilege)) !== 0;
  }

  canRead(node: ContentNode): boolean {
    return this.has(node, 'jcr:read');
  }

  /** All that the caller may do with the node; nothing when it is not in the tree. */
  of(node: ContentNode): Privileges {
    const chain = this.#tree.chainOf(node);
    return chain === undefined ? 0 : this.#at(chain);
  }

  /** As {@link of}, by the nodes from the root to the node. */
  #at(chain: readonly ContentNode[]): Privileges {
    if (chain.some(({ id }) => id === EIP_ID || id === EXCHANGES_ID)) return this.#rights.atExchanges();
    const granted = this.#rights.isFree ? ALL : (this.#shown(chain) ?? this.#along(chain));
    const isSystems = chain.some(({ id }) => id === SYSTEM_ID || id === JOBS_ID);
    return isSystems ? this.#rights.atSystems(granted) : granted;
  }

  /** Whether the caller could read a child, with its own entries or without, of this parent. */
  canReadBelow(parent: ContentNode, acl: readonly AccessEntry[] | undefined): boolean {
    return (this.below(this.of(parent), acl) & bitOf('jcr:read')) !== 0;
  }

  /** The caller's privileges at a child, with its own entries or without, of a parent that grants so much. */
  below(parent: Privileges, acl: readonly AccessEntry[] | undefined): Privileges {
    return this.#rights.below(parent, acl);
  }

  /**
   * What a mount shows of another node is for those who may read that; of one that is gone, for those who could read it then, where it lay in
   * one that may be read, and were there by then. Undefined: nothing of that kind.
   */
  #shown(chain: readonly ContentNode[]): Privileges | undefined {
    for (const mount of this.#tree.mounts) {
      const { rootId, original } = mount;
      const from = chain.findIndex(({ id }) => id === rootId) + 1;
      if (original === undefined || from === 0 || from === chain.length) continue;
      return chain.slice(from).reduce((granted, shown) => this.#asOriginal(granted, shown, mount), 0);
    }
    return undefined;
  }

  #asOriginal(granted: Privileges, shown: ContentNode, mount: Mount): Privileges {
    const originalId = mount.original?.(shown.id);
    if (originalId === undefined) return granted;
    const live = this.#tree.get(originalId);
    const chain = live && this.#tree.chainOf(live);
    if (chain !== undefined) return this.#at(chain);
    const since = shown.acl && mount.since?.(this.#tree.reading, shown.id);
    return this.#rights.below(granted, shown.acl, since);
  }

  #along(chain: readonly ContentNode[]): Privileges {
    let granted = 0;
    for (const node of chain) granted = this.#known.get(node.id) ?? this.#learnt(node, this.below(granted, node.acl));
    return granted;
  }

  #learnt({ id }: ContentNode, granted: Privileges): Privileges {
    this.#known.set(id, granted);
    return granted;
  }
}
