export { type AppDescriptor, brokenDescriptor } from './app/app-descriptor.js';
export { AppDescriptors } from './app/app-descriptors.js';
export { type AppFile, contentApps } from './app/app-files.js';
export { type Content, contentModule, createContent } from './content.js';
export { refusedStep, requireCount, type StepAnswer, type TransactionStep } from './edit/content-transaction.js';
export { moveTo } from './edit/move-node.js';
export type { GivenProperty, GivenValue } from './edit/set-properties.js';
export type { ExpectNode, WriteAnswer, WriteNode } from './edit/write-node.js';
export type { CopyAnswer } from './large/copy-node.js';
export { removeSubtree } from './large/delete-node.js';
export type { LargeWork } from './large/make-ready.js';
export { type ContentApi, type ContentJobs, type NodeOperations, nodeBlock, viewBehind } from './operations.js';
export { wholeXml } from './transfer/xml/export-xml.js';
export { exportXml } from './transfer/xml/export-xml-page.js';
export { XML_NODES_MAX, type XmlLimits } from './transfer/xml/xml-document.js';
export { XmlParser } from './transfer/xml/xml-parser.js';
export {
  type AccessControlPolicy,
  accessControlOf,
  CHANGERS_MAX,
  type ChangerBelow,
  changersBelow,
  effectiveAccessControlOf,
  privilegesAt,
} from './tree/access-control-view.js';
export { placeNode } from './tree/add-node.js';
export { Change } from './tree/change.js';
export {
  type Followed,
  isFollowed,
  NODE_CHANGED,
  type NodeChanged,
  type SeenChange,
  seenChange,
} from './tree/change-event.js';
export { type ChildrenPage, contentChildren, isMounted } from './tree/children.js';
export { type ContentOperation, isAsking, type NodeAnswer } from './tree/content-operation.js';
export { ContentView } from './tree/content-view.js';
export { type ContentFile, contentFiles } from './tree/files.js';
export { type AccessEntry, type ContentNode, EXCHANGES_ID, type Lock, nodes, ROOT_ID } from './tree/node.js';
export type { NodeFilter } from './tree/node-filter.js';
export { contentBelow, type FoundNode, type FoundNodes, nodesBelow } from './tree/nodes-below.js';
export { contentReferences, type ReferencesPage } from './tree/property-references.js';
export { smallChildren } from './tree/small-children.js';
export type { Mount } from './tree/tree.js';
export { autoCreated } from './type/auto-created.js';
export { BUILT_IN_TYPES } from './type/built-in-types.js';
export { readCnd, writeCnd } from './type/cnd.js';
export { EffectiveType, lostProperties } from './type/effective-type.js';
export type { ChildDefinition, NodeType, PropertyDefinition } from './type/node-type.js';
export { registryOf, TypeRegistry } from './type/type-registry.js';
export { type NodeFacts, validateNode } from './type/validate-node.js';
export { mimeTypeOf, sniffedTypeOf, sniffMimeType } from './upload/mime-type.js';
export { type SpendUpload, spendUpload } from './upload/sealed-upload.js';
export type { UploadLimits } from './upload/staged-bytes.js';
export { PendingChunks, StagedUploads } from './upload/staged-bytes.js';
export { storedBytes, storedText } from './upload/stored-bytes.js';
export {
  findUpload,
  type UploadProgress,
  uploadMachine,
  uploadPerformers,
  uploadProgress,
  uploads,
} from './upload/upload.js';
export { base64Bytes } from './value/binary-value.js';
export { compareValues, equalValues } from './value/compare-values.js';
export { dateOfInstant, instantOf } from './value/date-value.js';
export { builtInNamespaces, expandedName, namespacesOf, qualifiedName } from './value/names.js';
export { formatPath, parseAbsolutePath, parsePath } from './value/path.js';
export {
  type BlobValue,
  bytesIn,
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
} from './value/property.js';
export { lengthOf } from './value/value.js';
export { sweepVersionsOf } from './version/version-sweep.js';
export { contentVersions, type HistoryView, type VersionView, versionView } from './version/version-view.js';
