export { contentCollections, nodes } from './collections.js';
export { type Content, createContent } from './content.js';
export { ContentView } from './content-view.js';
export { type AccessEntry, type ContentNode, type Lock, ROOT_ID } from './model/node.js';
export {
  type BlobValue,
  INLINE_BYTES_MAX,
  type InlineValue,
  isBytes,
  isMultiple,
  type Property,
  type Property as StoredProperty,
  type PropertyType,
  TEXT_INLINE_MAX,
  type Value,
  valuesOf,
} from './model/property.js';
export type { ContentOperations } from './operations.js';
export { type NodeChanged, NODE_CHANGED, type NodeEventType } from './rule/change-event.js';
export type { ContentOperation, NodeAnswer } from './rule/content-operation.js';
export { holdsLock } from './rule/locking.js';
export type { GivenProperty, GivenValue } from './rule/set-property.js';
export { ensureStandardTree } from './rule/standard-tree.js';
