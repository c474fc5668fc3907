import { badRequest } from '../../shared/errors.js';
import { type PathSegment, parseAbsolutePath } from '../value/path.js';
import { addNode, requireFree } from './add-node.js';
import type { Change } from './change.js';
import { type ContentNode, ROOT_ID } from './node.js';

export interface ParentOptions {
  /** Whether missing folders on the way are made. Default: true. */
  readonly createParents?: boolean | null;
}

/**
 * The node at the path; missing ones are made as nt:folder.
 * @throws BAD_REQUEST it is missing and must not be made, or is no folder; ALREADY_EXISTS one on the way may not be read; as `addNode`
 */
export function parentAt(change: Change, path: string, { createParents }: ParentOptions): ContentNode {
  const known = change.find(path);
  if (known !== undefined) return known;
  if (createParents === false) return change.at(path, 'Parent node');
  const root = change.tree.get(ROOT_ID) ?? change.at('/');
  const steps = parseAbsolutePath(path, change.types.namespaces);
  return steps.reduce((node, step) => folderIn(change, node, step, path), root);
}

function folderIn(change: Change, parent: ContentNode, { name, index }: PathSegment, path: string): ContentNode {
  const child = change.tree.child(parent, name, index);
  // What is there but cannot be read is neither shown nor gone round: only who might make a folder there learns that the name is taken.
  if (child !== undefined && !change.access.canRead(child)) requireFreeFor(change, parent, name);
  if (child !== undefined) return child;
  // A second of its name is no folder on the way: made, it would be the first.
  if (index > 1) throw badRequest(`Parent node not found: ${path}`, { reason: 'node_not_found' });
  return addNode(change, parent, { name, type: 'nt:folder' });
}

/** As when the child would be added: rights and locks first, so that the name says nothing to whoever could not add it. */
export function requireFreeFor(change: Change, parent: ContentNode, name: string): void {
  change.require(parent, 'jcr:addChildNodes');
  change.requireOpenFor(parent, null);
  requireFree(change, parent, name);
}
