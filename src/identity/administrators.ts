import { type ContentNode, nodes } from '../content/index.js';
import type { Homes } from './homes.js';
import { KINDS, PROFILE, userProfileOf } from './profile.js';
import { refusal } from './refusal.js';

/** The role whose holders may do all. */
export const ADMINISTRATOR = 'administrator';

/**
 * Requires that somebody is left who may do all: an enabled user that people sign in as, with the role: its own, a group's that it is in, or one
 * that is nested in it. @throws CONFLICT
 */
export function requireAdministratorLeft(homes: Homes): void {
  if (new Holders(homes).anyOf('role', homes.require('role', ADMINISTRATOR, 'role').home)) return;
  throw refusal('CONFLICT', 'expected an enabled user to be left that is an administrator, but this was the last one');
}

/** How many that refer to one profile are looked at, at most: who is not among the first counts as nobody. */
const LOOKED_AT_MAX = 300;

/** Looks for one enabled user. */
class Holders {
  readonly #homes: Homes;
  readonly #seen = new Set<string>();

  constructor(homes: Homes) {
    this.#homes = homes;
  }

  /** Whether somebody is in the group or has the role, or one of those nested in it. */
  anyOf(kind: 'group' | 'role', home: ContentNode): boolean {
    const { draft, tree } = this.#homes.change;
    const profile = tree.child(home, PROFILE);
    if (profile === undefined || this.#seen.has(profile.id)) return false;
    this.#seen.add(profile.id);
    const referring = draft.findMulti(nodes, 'weak', profile.id, LOOKED_AT_MAX);
    return (
      referring.some((node) => this.#isHolder(node)) ||
      this.#homes.below(kind, home, LOOKED_AT_MAX).some((one) => this.anyOf(kind, one))
    );
  }

  #isHolder(node: ContentNode): boolean {
    if (node.type === KINDS.user.profile) {
      const { enabled, isService } = userProfileOf(node);
      return enabled && !isService;
    }
    if (node.type !== KINDS.group.profile) return false;
    const home = this.#homes.change.tree.parentOf(node);
    return home !== undefined && this.anyOf('group', home);
  }
}
