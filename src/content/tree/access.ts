import { type Caller, isAdministrator, SYSTEM_USER } from '../../shared/caller.js';
import { badRequest } from '../../shared/errors.js';
import { type AccessEntry, type ContentNode, JOBS_ID, SYSTEM_ID } from './node.js';
import type { Tree } from './tree.js';

/** A set of privileges as bits (JCR 2.0 §16.2). */
export type Privileges = number;

const BITS = {
  'jcr:read': 1,
  'jcr:modifyProperties': 1 << 1,
  'jcr:addChildNodes': 1 << 2,
  'jcr:removeNode': 1 << 3,
  'jcr:removeChildNodes': 1 << 4,
  'jcr:readAccessControl': 1 << 5,
  'jcr:modifyAccessControl': 1 << 6,
  'jcr:lockManagement': 1 << 7,
  'jcr:versionManagement': 1 << 8,
  'jcr:nodeTypeManagement': 1 << 9,
  'jcr:retentionManagement': 1 << 10,
  'jcr:lifecycleManagement': 1 << 11,
} as const;

export type Privilege = keyof typeof BITS;

/** jcr:all */
const ALL: Privileges = Object.values(BITS).reduce((all, bit) => all | bit, 0);
/** jcr:write: the four that change nodes and properties. */
const WRITE: Privileges =
  BITS['jcr:modifyProperties'] | BITS['jcr:addChildNodes'] | BITS['jcr:removeNode'] | BITS['jcr:removeChildNodes'];

const AGGREGATES: Readonly<Record<string, Privileges>> = { 'jcr:all': ALL, 'jcr:write': WRITE };
const JCR_URI = '{http://www.jcp.org/jcr/1.0}';

export const bitOf = (privilege: Privilege): Privileges => BITS[privilege];

/** The name as it is stored: `jcr:read` for `read` and `{http://www.jcp.org/jcr/1.0}read` too. @throws BAD_REQUEST no such privilege */
export function privilegeName(given: string): string {
  const local = given.startsWith(JCR_URI) ? given.slice(JCR_URI.length) : given.replace(/^jcr:/, '');
  const name = `jcr:${local}`;
  if (name in BITS || name in AGGREGATES) return name;
  const known = [...Object.keys(BITS), ...Object.keys(AGGREGATES)].join(', ');
  throw badRequest(`expected a privilege (${known}), but found '${given}'`);
}

/** The names of all privileges in the set, and of the aggregates that are whole in it. */
export const privilegeNames = (privileges: Privileges): string[] =>
  Object.entries({ ...BITS, ...AGGREGATES })
    .filter(([, bits]) => (privileges & bits) === bits)
    .map(([name]) => name);

/** The privileges as bits; names as {@link privilegeName} gives them. */
export const privilegesOf = (names: readonly string[]): Privileges =>
  names.reduce((all, name) => all | (BITS[name as Privilege] ?? AGGREGATES[name] ?? 0), 0);

/**
 * The rights of a caller, the one gate of the repository. From the root down, each node's entries in their order, as far as they name the user,
 * one of its groups, or everyone: allow adds privileges, deny takes them away. Whoever nothing names may do nothing.
 */
export class Access {
  readonly #tree: Tree;
  readonly #principals: ReadonlySet<string>;
  readonly #isSystem: boolean;
  readonly #isAdministrator: boolean;
  readonly #known = new Map<string, Privileges>();

  constructor(tree: Tree, caller: Caller) {
    this.#tree = tree;
    this.#principals = new Set([...caller.groups, caller.userId, 'everyone']);
    this.#isSystem = caller.userId === SYSTEM_USER;
    this.#isAdministrator = this.#isSystem || isAdministrator(caller);
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
    const granted = this.#isAdministrator ? ALL : (this.#shown(chain) ?? this.#along(chain));
    const isSystems = chain.some(({ id }) => id === SYSTEM_ID || id === JOBS_ID);
    return isSystems && !this.#isSystem ? granted & READ_ONLY : granted;
  }

  /** Whether the caller could read a child, with its own entries or without, of this parent. */
  canReadBelow(parent: ContentNode, acl: readonly AccessEntry[] | undefined): boolean {
    return (this.below(this.of(parent), acl) & bitOf('jcr:read')) !== 0;
  }

  /** The caller's privileges at a child, with its own entries or without, of a parent that grants so much. */
  below(parent: Privileges, acl: readonly AccessEntry[] | undefined): Privileges {
    return this.#isAdministrator || acl === undefined ? parent : this.#apply(parent, acl);
  }

  /**
   * What a mount shows of another node is for those who may read that; of one that is gone, for those who could read it then, where it lay in
   * one that may be read. Undefined: nothing of that kind.
   */
  #shown(chain: readonly ContentNode[]): Privileges | undefined {
    for (const { rootId, original } of this.#tree.mounts) {
      const from = chain.findIndex(({ id }) => id === rootId) + 1;
      if (original === undefined || from === 0 || from === chain.length) continue;
      return chain.slice(from).reduce((granted, shown) => this.#asOriginal(granted, shown, original(shown.id)), 0);
    }
    return undefined;
  }

  #asOriginal(granted: Privileges, shown: ContentNode, originalId: string | undefined): Privileges {
    if (originalId === undefined) return granted;
    const live = this.#tree.get(originalId);
    const chain = live && this.#tree.chainOf(live);
    return chain === undefined ? this.below(granted, shown.acl) : this.#at(chain);
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

  #apply(inherited: Privileges, acl: readonly AccessEntry[]): Privileges {
    let granted = inherited;
    for (const entry of acl) if (this.#principals.has(entry.principal)) granted = withEntry(granted, entry);
    return granted;
  }
}

/**
 * Who may do more than read where these nodes lead, the root first: each name that the lists give so much, by itself or with what everyone
 * has. Administrators, whom no list binds, are not among them. A user that only several lists together let do so does it by one of these names.
 */
export function changersOf(chain: readonly Pick<ContentNode, 'acl'>[]): string[] {
  const granted = new Map<string, Privileges>([['everyone', 0]]);
  const grantedTo = (name: string): Privileges => granted.get(name) ?? granted.get('everyone') ?? 0;
  for (const entry of chain.flatMap(({ acl = [] }) => acl)) {
    const names = entry.principal === 'everyone' ? [...granted.keys()] : [entry.principal];
    for (const name of names) granted.set(name, withEntry(grantedTo(name), entry));
  }
  return [...granted].filter(([, bits]) => (bits & ~READ_ONLY) !== 0).map(([name]) => name);
}

function withEntry(granted: Privileges, { privileges, allow }: AccessEntry): Privileges {
  const bits = privilegesOf(privileges);
  return allow ? granted | bits : granted & ~bits;
}

const READ_ONLY = bitOf('jcr:read') | bitOf('jcr:readAccessControl');
