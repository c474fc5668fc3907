/** A group or a role of the model. */
export interface ModelNested {
  name: string;
  parent: ModelNested | null;
  /** Of a group: what its members have. */
  readonly roles: Set<ModelNested>;
}

export interface ModelUser {
  readonly name: string;
  enabled: boolean;
  readonly roles: Set<ModelNested>;
  readonly memberOf: Set<ModelNested>;
}

export interface ModelEntry {
  readonly principal: string;
  readonly allow: boolean;
  readonly privileges: readonly string[];
}

export interface ModelNode {
  readonly id: string;
  name: string;
  parent: ModelNode | null;
  acl: readonly ModelEntry[];
}

export interface ModelTask {
  readonly assignee: string | null;
  readonly owner: string | null;
  readonly users: readonly string[];
  readonly groups: readonly string[];
}

/** It, and all that it is nested in. */
const withAbove = (nested: ModelNested): ModelNested[] =>
  nested.parent === null ? [nested] : [nested, ...withAbove(nested.parent)];

export const idOf = ({ name, parent }: ModelNested): string => (parent === null ? name : `${idOf(parent)}/${name}`);

export const isWithin = (nested: ModelNested, above: ModelNested): boolean => withAbove(nested).includes(above);

export const pathOf = ({ name, parent }: ModelNode): string => (parent === null ? name : `${pathOf(parent)}/${name}`);

const chainOf = (node: ModelNode): ModelNode[] => [...(node.parent === null ? [] : chainOf(node.parent)), node];

export const isBelow = (node: ModelNode, above: ModelNode): boolean => chainOf(node).includes(above);

/**
 * Who may do and see what, as the documentation says it, worked out anew from users, groups, roles and lists each time it is asked: a user that is
 * disabled or gone may nothing.
 */
export class RightsModel {
  readonly users: ModelUser[] = [];
  readonly groups: ModelNested[] = [];
  readonly roles: ModelNested[] = [];
  readonly nodes: ModelNode[] = [];

  user(name: string): ModelUser | undefined {
    return this.users.find((user) => user.name === name && user.enabled);
  }

  groupsOf(name: string): string[] {
    const user = this.user(name);
    if (user === undefined) return [];
    return [...new Set(['everyone', ...[...user.memberOf].flatMap(withAbove).map((group) => group.name)])].sort();
  }

  rolesOf(name: string): string[] {
    const user = this.user(name);
    if (user === undefined) return [];
    const ofGroups = [...user.memberOf].flatMap(withAbove).flatMap(({ roles }) => [...roles]);
    return [...new Set([...user.roles, ...ofGroups].flatMap(withAbove).map(idOf))].sort();
  }

  mayAt(name: string, node: ModelNode, privilege: string): boolean {
    return this.#mayBelow(name, node.parent, node.acl, privilege);
  }

  /** Whether the user could read what has these entries, below the parent. */
  mayReadBelow(name: string, parent: ModelNode | null, acl: readonly ModelEntry[]): boolean {
    return this.#mayBelow(name, parent, acl, 'jcr:read');
  }

  #mayBelow(name: string, parent: ModelNode | null, acl: readonly ModelEntry[], privilege: string): boolean {
    const roles = this.rolesOf(name);
    if (this.user(name) === undefined) return false;
    if (roles.includes('administrator')) return true;
    const names = [name, ...this.groupsOf(name)];
    // Whoever is signed in may read, to begin with.
    let may = privilege === 'jcr:read';
    for (const entry of [...(parent === null ? [] : chainOf(parent).flatMap((one) => one.acl)), ...acl])
      if (names.includes(entry.principal) && entry.privileges.includes(privilege)) may = entry.allow;
    return may;
  }

  seesTask(name: string, { assignee, owner, users, groups }: ModelTask): boolean {
    if (this.user(name) === undefined) return false;
    if ([assignee, owner].includes(name) || this.supervises(name)) return true;
    if (users.includes(name) || this.groupsOf(name).some((group) => groups.includes(group))) return true;
    return assignee === null && users.length + groups.length === 0;
  }

  mayComplete(name: string, task: ModelTask): boolean {
    if (this.user(name) === undefined) return false;
    if (task.assignee === name || this.supervises(name)) return true;
    return task.assignee === null && this.seesTask(name, { ...task, owner: null });
  }

  supervises(name: string): boolean {
    return this.rolesOf(name).some((role) => role === 'administrator' || role === 'supervisor');
  }

  mayDeploy(name: string): boolean {
    return this.supervises(name) || this.rolesOf(name).includes('deployer');
  }
}
