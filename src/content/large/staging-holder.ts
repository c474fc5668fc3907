import type { ContentNode } from '../tree/node.js';

/** The node that holds what is staged together until it is in the tree; nobody sees it. `name`: what is made there. */
export const stagingHolder = (id: string, name: 'import' | 'restore', version: number): ContentNode => ({
  id,
  parent: null,
  name,
  order: null,
  type: 'nt:unstructured',
  mixins: [],
  properties: {},
  version,
});
