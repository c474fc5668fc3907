import { type ContentNode, instantOf, nodes, ROOT_ID } from '../content/index.js';
import type { State } from '../store/index.js';
import { KINDS, nestedProfileOf, PROFILE, userProfileOf } from './profile.js';

/** A user as the directory holds it. */
export interface User {
  /** The node's. */
  readonly profileId: string;
  readonly username: string;
  readonly displayName: string | null;
  readonly mail: string | null;
  readonly enabled: boolean;
  readonly isService: boolean;
  /** ms; null: not known */
  readonly created: number | null;
  /** Ids of profiles of roles. */
  readonly roles: readonly string[];
  /** Ids of profiles of groups. */
  readonly memberOf: readonly string[];
}

export type NestedKind = 'group' | 'role';

/** A group or a role as the directory holds it. */
export interface Nested<K extends NestedKind = NestedKind> {
  readonly kind: K;
  /** The node's. */
  readonly profileId: string;
  readonly homeId: string;
  /** The last segment of its id. */
  readonly name: string;
  readonly displayName: string | null;
  /** Of a group: ids of profiles of the roles that its members have. */
  readonly roles: readonly string[];
  /** ms; null: not known */
  readonly created: number | null;
}

export function userOf(node: ContentNode): User {
  const { username, displayName, mail, enabled, isService, roles, memberOf } = userProfileOf(node);
  const facts = { username, displayName, mail, enabled, isService, roles, memberOf };
  return { profileId: node.id, ...facts, created: createdOf(node) };
}

export function nestedOf(kind: NestedKind, node: ContentNode): Nested {
  const { name, displayName, roles } = nestedProfileOf(node);
  return { kind, profileId: node.id, homeId: node.parent ?? '', name, displayName, roles, created: createdOf(node) };
}

/** Types of the homes and profiles of all kinds. */
export const PRINCIPAL_TYPES: ReadonlySet<string> = new Set(
  Object.values(KINDS).flatMap(({ home, profile }) => [home, profile]),
);

/** Types of homes. */
const HOMES: ReadonlySet<string> = new Set(Object.values(KINDS).map(({ home }) => home));

const PAGE = 200;

const createdOf = ({ properties }: ContentNode): number | null => {
  const created = properties['jcr:created'];
  return created !== undefined && 'value' in created ? instantOf(String(created.value)) : null;
};

/** The homes and profiles of all users, groups and roles, each home before what is in it. */
export function* allPrincipals(state: Pick<State, 'find'>): Generator<ContentNode, void, void> {
  for (const { root } of Object.values(KINDS)) yield* principalsBelow(state, root);
}

function* principalsBelow(state: Pick<State, 'find'>, path: string): Generator<ContentNode, void, void> {
  let at: string | undefined = ROOT_ID;
  for (const name of path.slice(1).split('/')) {
    if (at === undefined) return;
    at = state.find(nodes, 'name', [at, name], { limit: 1 })[0]?.id;
  }
  if (at !== undefined) yield* homesIn(state, at);
}

/** What is in a home, page by page: the profiles, and the homes with all that is in them. */
function* homesIn(state: Pick<State, 'find'>, homeId: string): Generator<ContentNode, void, void> {
  for (const node of childrenOf(state, homeId)) {
    if (!PRINCIPAL_TYPES.has(node.type)) continue;
    yield node;
    if (node.type === KINDS.user.home) yield* state.find(nodes, 'name', [node.id, PROFILE], { limit: 1 });
    else if (HOMES.has(node.type)) yield* homesIn(state, node.id);
  }
}

function* childrenOf(state: Pick<State, 'find'>, parentId: string): Generator<ContentNode, void, void> {
  let page = state.find(nodes, 'name', [parentId], { limit: PAGE });
  while (page.length > 0) {
    yield* page;
    const last = page.at(-1)?.name ?? '';
    page = state.find(nodes, 'name', [parentId], { limit: PAGE, from: last }).filter(({ name }) => name !== last);
  }
}
