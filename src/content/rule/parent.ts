import { badRequest } from '../../shared/errors.js';
import { type ContentNode, ROOT_ID } from '../model/node.js';
import { parsePath, requireName } from '../model/name.js';
import { addNode, requireFree } from './add-node.js';
import type { Change } from './change.js';

export interface ParentOptions {
  /** Whether missing folders on the way are made. Default: true. */
  readonly createParents?: boolean | null;
}

/** The node at the path; missing ones are made as nt:folder. @throws BAD_REQUEST it is missing and must not be made, or is no folder */
export function parentAt(change: Change, path: string, { createParents }: ParentOptions): ContentNode {
  const known = change.find(path);
  if (known !== undefined) return known;
  if (createParents === false) return change.at(path, 'Parent node');
  let node = change.tree.get(ROOT_ID);
  for (const { name, index } of parsePath(path)) {
    if (node === undefined) break;
    const child = change.tree.child(node, name, index);
    // What is there but cannot be read is neither shown nor gone round.
    if (child !== undefined && !change.access.canRead(child)) throw badRequest(`Parent node not found: ${path}`);
    node = child ?? addNode(change, node, { name, type: 'nt:folder' });
  }
  return node ?? change.at(path, 'Parent node');
}

/** @throws ALREADY_EXISTS, also where the type would let names repeat: who creates a file by name means that name. BAD_REQUEST no name */
export function requireNoChild(change: Change, parent: ContentNode, name: string): void {
  requireName(name);
  requireFree(change, parent, name);
}
