export {
  type AccessControlPolicy,
  accessControlOf,
  effectiveAccessControlOf,
  privilegesAt,
} from './access-control-view.js';
export * from './collection/upload.js';
export { type Version, versionHistories, versions } from './collection/version.js';
export { contentCollections, nodes } from './collections.js';
export { type Content, contentModule, createContent } from './content.js';
export type { ContentServices } from './content-services.js';
export { ContentView } from './content-view.js';
export { wholeXml } from './export-xml.js';
export type { LargeWork } from './large-work.js';
export { uploadMachine } from './machine/upload.js';
export { mimeTypeOf, sniffedTypeOf } from './mime-type.js';
export { BUILT_IN_TYPES } from './model/built-in-types.js';
export { type Cnd, readCnd } from './model/cnd-reader.js';
export { writeCnd } from './model/cnd-writer.js';
export { compareValues, equalValues } from './model/compare-values.js';
export { convertValue, valueText } from './model/convert-value.js';
export { dateOf, dateOfInstant, instantOf } from './model/date-value.js';
export { type EffectiveChild, type EffectiveProperty, EffectiveType } from './model/effective-type.js';
export { expandedName, localNameOf, NAME_MAX, prefixOf, qualifiedName } from './model/name.js';
export { BUILT_IN_NAMESPACES, builtInNamespaces, NamespaceRegistry, namespacesOf } from './model/namespaces.js';
export { type AccessEntry, type ContentNode, type Lock, ROOT_ID } from './model/node.js';
export {
  type ChildDefinition,
  childDefinition,
  type NodeType,
  nodeType,
  type OnParentVersion,
  type PropertyDefinition,
  propertyDefinition,
  type QueryOperator,
} from './model/node-type.js';
export { formatPath, type Path, type PathSegment, parseAbsolutePath, parsePath } from './model/path.js';
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
export { changesOf, type TypeChange } from './model/type-changes.js';
export { registryOf, TypeRegistry } from './model/type-registry.js';
export { checkValue, lengthOf, type ValueContext } from './model/value.js';
export {
  refusedStep,
  requireCount,
  type StepAnswer,
  type TransactionStep,
} from './operation/content-transaction.js';
export type { CopyAnswer } from './operation/copy-node.js';
export { type UploadProgress, uploadProgress } from './operation/upload-progress.js';
export type { ContentApi, ContentJobs, NodeOperations } from './operations.js';
export { type ChunkName, type HeldChunk, PendingChunks } from './pending-chunks.js';
export { CHANGERS_MAX, type ChangerBelow, type ChangersBelow } from './reader/changers-below.js';
export type { ExportXmlQuery } from './reader/export-xml.js';
export type { ContentFile } from './reader/files.js';
export { isMounted } from './reader/mounted-children.js';
export type { ReferenceRow, ReferencesPage } from './reader/references.js';
export { changersOf } from './rule/access.js';
export { type AutoCreated, autoCreated, type CreationContext } from './rule/auto-created.js';
export { base64Bytes } from './rule/base64-bytes.js';
export { Change } from './rule/change.js';
export { NODE_CHANGED, type NodeChanged, type NodeEventType } from './rule/change-event.js';
export type { ContentOperation, NodeAnswer } from './rule/content-operation.js';
export { fitProperty } from './rule/fit-property.js';
export { holdsLock } from './rule/locking.js';
export { lostProperties } from './rule/lost-properties.js';
export { findUpload } from './rule/open-upload.js';
export { type ChildFreezing, childFreezing, type FrozenFacts, frozenProperties } from './rule/opv.js';
export type { GivenProperty, GivenValue } from './rule/set-property.js';
export { type SpendUpload, spendUpload } from './rule/spend-upload.js';
export {
  type ChildFacts,
  type NodeFacts,
  type NodeProblem,
  type NodeRule,
  validateNode,
} from './rule/validate-node.js';
export { type HistoryView, historyView, type VersionView, versionView } from './rule/version-view.js';
export { type SeenChange, seenChange } from './seen-change.js';
export type { SmallReads } from './siblings.js';
export { type ChildrenPage, type SmallPage, smallChildren } from './small-children.js';
export { SNIFFED_BYTES, type SniffedType, sniffMimeType } from './sniff-mime-type.js';
export { StagedUploads } from './staged-uploads.js';
export type { UploadLimits } from './upload-limits.js';
export { sweepVersionsOf, type VersionSweep } from './version-sweep.js';
export type { XmlPart } from './xml/exported-node.js';
export { XML_NODES_MAX, type XmlLimits } from './xml/xml-document.js';
export { XmlParser } from './xml/xml-parser.js';
