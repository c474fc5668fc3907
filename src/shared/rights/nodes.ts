import { type Caller, SYSTEM_USER } from '../caller.js';
import { badRequest } from '../errors.js';
import { mayAdminister, mayManageOf } from './roles.js';
import { seesExchanges } from './routes.js';

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
export const ALL: Privileges = Object.values(BITS).reduce((all, bit) => all | bit, 0);
/** jcr:write: the four that change nodes and properties. */
const WRITE: Privileges =
  BITS['jcr:modifyProperties'] | BITS['jcr:addChildNodes'] | BITS['jcr:removeNode'] | BITS['jcr:removeChildNodes'];

const AGGREGATES: Readonly<Record<string, Privileges>> = { 'jcr:all': ALL, 'jcr:write': WRITE };
const JCR_URI = '{http://www.jcp.org/jcr/1.0}';

export const bitOf = (privilege: Privilege): Privileges => BITS[privilege];

const READ_ONLY = bitOf('jcr:read') | bitOf('jcr:readAccessControl');

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

/** An entry of an access control list: allows or denies a user, a group, or `everyone`. */
interface Entry {
  readonly principal: string;
  /** By their JCR names: `jcr:read`, `jcr:write`, … */
  readonly privileges: readonly string[];
  readonly allow: boolean;
}

/**
 * The rights of a caller on nodes, by their access control lists. The entries count in their order, as far as they name the user, one of its groups, or everyone: allow
 * adds privileges, deny takes them away. Whoever nothing names may do nothing. Administrators are not asked; what is the system's own, they only read.
 */
export class NodeRights {
  readonly #principals: ReadonlySet<string>;
  readonly #made: ReadonlyMap<string, number>;
  readonly #isSystem: boolean;
  readonly #seesExchanges: boolean;
  /** Whether lists do not bind the caller. */
  readonly isFree: boolean;

  constructor(caller: Caller) {
    this.#principals = new Set([...caller.groups, caller.userId, 'everyone']);
    this.#made = caller.made ?? new Map();
    this.#isSystem = caller.userId === SYSTEM_USER;
    this.#seesExchanges = seesExchanges(caller);
    this.isFree = this.#isSystem || mayAdminister(caller);
  }

  /**
   * The privileges at a child, with its own entries or without, of a parent that grants so much. `since`: when the entries were kept, ms; they are for
   * nobody who was made later.
   */
  below(parent: Privileges, acl: readonly Entry[] | undefined, since?: number): Privileges {
    if (this.isFree || acl === undefined) return parent;
    let granted = parent;
    for (const entry of acl) if (this.#isNamed(entry, since)) granted = withEntry(granted, entry);
    return granted;
  }

  #isNamed({ principal }: Entry, since: number | undefined): boolean {
    if (!this.#principals.has(principal)) return false;
    return since === undefined || (this.#made.get(principal) ?? Number.NEGATIVE_INFINITY) <= since;
  }

  /** So much of what was granted as counts at what is the system's own. */
  atSystems(granted: Privileges): Privileges {
    return this.#isSystem ? granted : granted & READ_ONLY;
  }

  /** What counts where exchanges of routes show, whatever lists say: those know no roles. */
  atExchanges(): Privileges {
    return this.#isSystem || this.#seesExchanges ? this.atSystems(ALL) : 0;
  }
}

/**
 * Who may do more than read where these lists lead, the root's first: each name that they give so much, by itself or with what everyone
 * has. Administrators, whom no list binds, are not among them. A user that only several lists together let do so does it by one of these names.
 */
export function changersOf(chain: readonly { readonly acl?: readonly Entry[] }[]): string[] {
  const granted = new Map<string, Privileges>([['everyone', 0]]);
  const grantedTo = (name: string): Privileges => granted.get(name) ?? granted.get('everyone') ?? 0;
  for (const entry of chain.flatMap(({ acl = [] }) => acl)) {
    const names = entry.principal === 'everyone' ? [...granted.keys()] : [entry.principal];
    for (const name of names) granted.set(name, withEntry(grantedTo(name), entry));
  }
  return [...granted].filter(([, bits]) => (bits & ~READ_ONLY) !== 0).map(([name]) => name);
}

function withEntry(granted: Privileges, { privileges, allow }: Entry): Privileges {
  const bits = privilegesOf(privileges);
  return allow ? granted | bits : granted & ~bits;
}

/** Whom a lock is for. */
interface LockPeople {
  readonly token: string;
  readonly owner: string;
  /** Null: it outlives the session that took it. */
  readonly sessionId: string | null;
}

/** Changing what is locked: its owner (in its session, where the lock is bound to one), or whoever shows its token. */
export const holdsLock = (lock: LockPeople, { userId, sessionId, lockTokens = [] }: Caller): boolean =>
  lockTokens.includes(lock.token) ||
  (lock.owner === userId && (lock.sessionId === null || lock.sessionId === sessionId));

/** Taking a lock away: its holder, its owner in any session, and administrators. */
export const mayBreak = (lock: LockPeople, caller: Caller): boolean =>
  holdsLock(lock, caller) || mayManageOf(caller, lock.owner);
