import type { Caller } from '../../../src/shared/caller.js';
import { chainOf, type ModelNode, type World } from './model-tree.js';

const WRITE = ['jcr:modifyProperties', 'jcr:addChildNodes', 'jcr:removeNode', 'jcr:removeChildNodes'];

export const PRIVILEGES = [
  'jcr:read',
  ...WRITE,
  'jcr:readAccessControl',
  'jcr:modifyAccessControl',
  'jcr:lockManagement',
  'jcr:versionManagement',
  'jcr:nodeTypeManagement',
  'jcr:retentionManagement',
  'jcr:lifecycleManagement',
];

const partsOf = (privilege: string): readonly string[] =>
  privilege === 'jcr:all' ? PRIVILEGES : privilege === 'jcr:write' ? WRITE : [privilege];

/** What the caller may do with the node: all entries from the root down to it, those that name the caller, each allows or denies. */
export function privilegesAt(node: ModelNode, caller: Caller): ReadonlySet<string> {
  const chain = chainOf(node);
  const granted = new Set<string>(caller.roles.includes('administrator') ? PRIVILEGES : []);
  const names = ['everyone', caller.userId, ...caller.groups];
  const entries = granted.size > 0 ? [] : chain.flatMap(({ acl }) => acl);
  for (const { principal, privileges, allow } of entries) {
    if (!names.includes(principal)) continue;
    for (const part of privileges.flatMap(partsOf)) {
      if (allow) granted.add(part);
      else granted.delete(part);
    }
  }
  if (!isSystems(chain)) return granted;
  if (chain[2]?.name === 'eip' && !caller.roles.some((role) => ROLES_OF_EXCHANGES.includes(role))) return new Set();
  return new Set(['jcr:read', 'jcr:readAccessControl'].filter((one) => granted.has(one)));
}

/** Who reads what shows of exchanges, whatever lists say. */
const ROLES_OF_EXCHANGES = ['administrator', 'supervisor', 'operator'];

/** What is the system's to write: what lies below `/jcr:system`, the jobs, and what shows of exchanges. */
const isSystems = ([, first, second]: readonly ModelNode[]): boolean =>
  first?.name === 'jcr:system' || (first?.name === 'var' && (second?.name === 'jobs' || second?.name === 'eip'));

export const mayRead = (node: ModelNode, caller: Caller): boolean => privilegesAt(node, caller).has('jcr:read');

/** The node at the path, if the caller may know of it. */
export function seen(world: World, path: string, caller: Caller): ModelNode | undefined {
  const node = world.at(path);
  return node !== undefined && mayRead(node, caller) ? node : undefined;
}
