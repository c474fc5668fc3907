import { badRequest } from '../../shared/errors.js';
import { qualifiedName } from '../model/name.js';
import { type ContentNode, ROOT_ID } from '../model/node.js';
import { parseAbsolutePath } from '../model/path.js';
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
  for (const { name, index } of parseAbsolutePath(path, change.types.namespaces)) {
    if (node === undefined) break;
    const child = change.tree.child(node, name, index);
    // What is there but cannot be read is neither shown nor gone round.
    if (child !== undefined && !change.access.canRead(child)) throw badRequest(`Parent node not found: ${path}`);
    node = child ?? addNode(change, node, { name, type: 'nt:folder' });
  }
  return node ?? change.at(path, 'Parent node');
}

/**
 * The name as it is stored, which nothing has yet: also where the type would let names repeat, as who makes a file by name means that name.
 * @throws ALREADY_EXISTS, BAD_REQUEST it is none
 */
export function freeName(change: Change, parent: ContentNode, text: string): string {
  const name = qualifiedName(text, change.types.namespaces);
  requireFree(change, parent, name);
  return name;
}
