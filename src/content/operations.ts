import { createFile } from './operation/create-file.js';
import { createFolder } from './operation/create-folder.js';
import { createNode } from './operation/create-node.js';
import { deleteNode } from './operation/delete-node.js';
import { moveNode } from './operation/move-node.js';
import { orderNode } from './operation/order-node.js';
import { renameNode } from './operation/rename-node.js';
import { setProperties } from './operation/set-properties.js';

/** What may be done with the tree, by the names of the API's fields. Each may be part of a `contentTransaction`. */
export const contentOperations = {
  createFolder,
  createFile,
  createNode,
  deleteNode,
  renameNode,
  moveNode,
  orderNode,
  setProperties,
};

export type ContentOperations = typeof contentOperations;
