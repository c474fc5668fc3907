export { contentCollections } from './collections.js';
export { type Content, contentModule, createContent } from './content.js';
export type { ContentServices } from './content-services.js';
export {
  refusedStep,
  requireCount,
  type StepAnswer,
  type TransactionStep,
} from './edit/content-transaction.js';
export type { GivenProperty, GivenValue } from './edit/given-property.js';
export type { CopyAnswer } from './large/copy-node.js';
export type { LargeWork } from './large/long-work.js';
export type { ContentApi, ContentJobs, NodeOperations } from './operations.js';
export { wholeXml } from './transfer/xml/export-xml.js';
export { exportXml } from './transfer/xml/export-xml-page.js';
export type { XmlPart } from './transfer/xml/exported-node.js';
export { XML_NODES_MAX, type XmlLimits } from './transfer/xml/xml-document.js';
export { XmlParser } from './transfer/xml/xml-parser.js';
export { changersOf } from './tree/access.js';
export {
  type AccessControlPolicy,
  accessControlOf,
  effectiveAccessControlOf,
  privilegesAt,
} from './tree/access-control-view.js';
export { Change } from './tree/change.js';
export { NODE_CHANGED, type NodeChanged, type NodeEventType } from './tree/change-event.js';
export { CHANGERS_MAX, type ChangerBelow, changersBelow } from './tree/changers-below.js';
export { contentChildren } from './tree/children.js';
export type { ContentOperation, NodeAnswer } from './tree/content-operation.js';
export { ContentView } from './tree/content-view.js';
export { type ContentFile, contentFiles } from './tree/files.js';
export { holdsLock } from './tree/locking.js';
export { type ChildrenPage, isMounted } from './tree/mounted-children.js';
export { type AccessEntry, type ContentNode, type Lock, nodes, ROOT_ID } from './tree/node.js';
export { contentReferences, type ReferencesPage } from './tree/property-references.js';
export { type SeenChange, seenChange } from './tree/seen-change.js';
export type { SmallReads } from './tree/siblings.js';
export { smallChildren } from './tree/small-children.js';
export { type AutoCreated, autoCreated, type CreationContext } from './type/auto-created.js';
export { BUILT_IN_TYPES } from './type/built-in-types.js';
export { type Cnd, readCnd } from './type/cnd-reader.js';
export { writeCnd } from './type/cnd-writer.js';
export { type EffectiveChild, type EffectiveProperty, EffectiveType } from './type/effective-type.js';
export { fitProperty } from './type/fit-property.js';
export { lostProperties } from './type/lost-properties.js';
export {
  type ChildDefinition,
  childDefinition,
  type NodeType,
  nodeType,
  type OnParentVersion,
  type PropertyDefinition,
  propertyDefinition,
  type QueryOperator,
} from './type/node-type.js';
export { type ChildFreezing, childFreezing, type FrozenFacts, frozenProperties } from './type/opv.js';
export { changesOf, type TypeChange } from './type/type-changes.js';
export { registryOf, TypeRegistry } from './type/type-registry.js';
export {
  type ChildFacts,
  type NodeFacts,
  type NodeProblem,
  type NodeRule,
  validateNode,
} from './type/validate-node.js';
export { mimeTypeOf, sniffedTypeOf } from './upload/mime-type.js';
export { findUpload } from './upload/open-upload.js';
export { type ChunkName, type HeldChunk, PendingChunks } from './upload/pending-chunks.js';
export { SNIFFED_BYTES, type SniffedType, sniffMimeType } from './upload/sniff-mime-type.js';
export { type SpendUpload, spendUpload } from './upload/spend-upload.js';
export { StagedUploads } from './upload/staged-uploads.js';
export * from './upload/upload.js';
export { uploadMachine } from './upload/upload-machine.js';
export { type UploadProgress, uploadProgress } from './upload/upload-progress.js';
export type { UploadLimits } from './upload/upload-services.js';
export { base64Bytes } from './value/base64-bytes.js';
export { compareValues, equalValues } from './value/compare-values.js';
export { convertValue, valueText } from './value/convert-value.js';
export { dateOf, dateOfInstant, instantOf } from './value/date-value.js';
export { expandedName, localNameOf, NAME_MAX, prefixOf, qualifiedName } from './value/name.js';
export { BUILT_IN_NAMESPACES, builtInNamespaces, NamespaceRegistry, namespacesOf } from './value/namespaces.js';
export { formatPath, type Path, type PathSegment, parseAbsolutePath, parsePath } from './value/path.js';
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
} from './value/property.js';
export { checkValue, lengthOf, type ValueContext } from './value/value.js';
export { type Version, versionHistories, versions } from './version/version.js';
export { sweepVersionsOf, type VersionSweep } from './version/version-sweep.js';
export { type HistoryView, historyView, type VersionView, versionView } from './version/version-view.js';
export { contentVersions } from './version/versions.js';
