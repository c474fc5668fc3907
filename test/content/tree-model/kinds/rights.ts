import { PRINCIPALS } from '../actors.js';
import { PRIVILEGES, seen } from '../model-rights.js';
import type { ModelEntry } from '../model-tree.js';
import { isPath, someNode, somePath } from '../places.js';
import { NOT_FOUND, Rules } from '../rules.js';
import { type Chance, stepKind } from '../step.js';

interface SetEntries {
  readonly path: string;
  readonly entries?: readonly ModelEntry[];
  readonly principal?: string;
  readonly privileges?: readonly string[];
  readonly allow?: boolean;
}

export const setAccessControl = stepKind<SetEntries>({
  weight: 6,
  make: (chance) => {
    const { random } = chance;
    const path = somePath(chance, someNode(chance));
    if (path === chance.lab && !random.chance(0.05)) return { path, entries: OPEN };
    if (random.chance(0.25)) return { path, entries: [] };
    if (random.chance(0.5)) return { path, ...someEntry(chance) };
    return { path, entries: Array.from({ length: 1 + random.below(3) }, () => someEntry(chance)) };
  },
  apply: (world, { path, entries, principal, privileges, allow = true }, caller) => {
    const node = isPath(path) ? seen(world, path, caller) : undefined;
    if (node === undefined) return NOT_FOUND;
    const one = principal === undefined || privileges === undefined ? [] : [{ principal, privileges, allow }];
    const list = entries ?? [...node.acl.filter((entry) => entry.principal !== principal), ...one];
    const known = list.every((entry) => entry.privileges.length > 0 && entry.privileges.every(isPrivilege));
    const rules = new Rules(world, caller)
      .granted(node, 'jcr:modifyAccessControl')
      .changeable(node)
      .that(known, 'BAD_REQUEST');
    if (rules.refusal !== undefined) return rules.refusal;
    node.acl = list.map((entry) => ({ ...entry, privileges: [...new Set(entry.privileges)] }));
    return { answer: node };
  },
});

/** The lab is open again. */
export const OPEN: readonly ModelEntry[] = [{ principal: 'everyone', privileges: ['jcr:all'], allow: true }];

const isPrivilege = (name: string): boolean => [...PRIVILEGES, 'jcr:all', 'jcr:write'].includes(name);

const SOME_PRIVILEGES = [
  'jcr:all',
  'jcr:write',
  'jcr:read',
  'jcr:read',
  'jcr:addChildNodes',
  'jcr:removeNode',
  'jcr:removeChildNodes',
  'jcr:modifyProperties',
  'jcr:lockManagement',
  'jcr:nodeTypeManagement',
  'jcr:modifyAccessControl',
  'jcr:versionManagement',
];

function someEntry({ random }: Chance): ModelEntry {
  const privileges = random.chance(0.03)
    ? ['jcr:nonsense']
    : random.chance(0.02)
      ? []
      : random.some(SOME_PRIVILEGES, 0.15);
  return { principal: random.pick(PRINCIPALS), privileges, allow: random.chance(0.65) };
}

export const deleteAccessControl = stepKind<{ readonly path: string; readonly principal: string }>({
  weight: 2,
  make: (chance) => {
    const { random, world } = chance;
    const listed = world.all().filter(({ acl, parent }) => acl.length > 0 && parent !== null);
    const node = listed.length > 0 && random.chance(0.9) ? random.pick(listed) : someNode(chance);
    const principals = node.acl.map(({ principal }) => principal);
    return {
      path: somePath(chance, node),
      principal: random.pick(principals.length > 0 && random.chance(0.8) ? principals : PRINCIPALS),
    };
  },
  apply: (world, { path, principal }, caller) => {
    const node = isPath(path) ? seen(world, path, caller) : undefined;
    if (node === undefined) return NOT_FOUND;
    const left = node.acl.filter((entry) => entry.principal !== principal);
    const rules = new Rules(world, caller)
      .granted(node, 'jcr:modifyAccessControl')
      .changeable(node)
      .that(left.length < node.acl.length, 'BAD_REQUEST');
    if (rules.refusal !== undefined) return rules.refusal;
    node.acl = left;
    return { answer: true };
  },
});
