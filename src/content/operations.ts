import type { Caller } from '../shared/caller.js';
import { limitExceeded } from '../shared/errors.js';
import type { State } from '../store/index.js';
import { deleteAccessControl, setAccessControl } from './edit/access-control.js';
import { appliedSteps, contentTransaction, type TransactionStep } from './edit/content-transaction.js';
import { createFolder, createNode } from './edit/create-node.js';
import { addMixin, deleteMixin } from './edit/mixins.js';
import { moveNode, orderNode, renameNode } from './edit/move-node.js';
import { setProperties } from './edit/set-properties.js';
import { expectNode, writeNode } from './edit/write-node.js';
import { copyNode } from './large/copy-node.js';
import { deleteNode } from './large/delete-node.js';
import { deleteSome, deleteTogether } from './large/delete-some.js';
import { abandonStaging, beginStaging, stageNodes } from './large/staging.js';
import { sweepDetached, sweepForsaken } from './large/sweep.js';
import { expireLock, releaseSessionLocks } from './lock/end-locks.js';
import { lockNode, refreshLock, unlockNode } from './lock/lock-node.js';
import type { LockServices } from './lock/locks-below.js';
import {
  registerNodeTypes,
  type TypeLimits,
  unregisterNamespace,
  unregisterNodeTypes,
} from './registration/change-node-types.js';
import { registerNamespace } from './registration/namespaces.js';
import type { ImportServices } from './transfer/import-job.js';
import { publishImport } from './transfer/publish-import.js';
import { importXml } from './transfer/xml/import-xml.js';
import type { XmlServices } from './transfer/xml/stage-xml.js';
import { fillXmlNodes, hasNodes, placeXmlNodes } from './transfer/xml/staged-xml.js';
import type { XmlLimits } from './transfer/xml/xml-document.js';
import { Change } from './tree/change.js';
import { isAsking } from './tree/content-operation.js';
import { ContentView } from './tree/content-view.js';
import { endTreeSetup, ensureStandardTree } from './tree/standard-tree.js';
import { completeMultipartUpload, createFile } from './upload/create-file.js';
import {
  abortMultipartUpload,
  appendMultipartUploadChunk,
  expireUploads,
  initiateMultipartUpload,
} from './upload/multipart-upload.js';
import { sealUpload } from './upload/sealed-upload.js';
import type { UploadServices } from './upload/staged-bytes.js';
import { versionJobs, versionOperations } from './version/version-operations.js';

/** Services of the content domain. */
export interface ContentServices extends LockServices, UploadServices, ImportServices, XmlServices {
  readonly typeLimits: TypeLimits;
  readonly xmlLimits: XmlLimits;
}

/** Operations on the tree, by the names of the API's fields. Each may be part of a `contentTransaction`. */
export const nodeOperations = {
  completeMultipartUpload,
  addMixin,
  deleteMixin,
  createFolder,
  createFile,
  createNode,
  deleteNode,
  renameNode,
  moveNode,
  orderNode,
  setProperties,
  copyNode,
  ...versionOperations,
  setAccessControl,
  deleteAccessControl,
  lockNode,
  unlockNode,
  refreshLock,
  writeNode,
  expectNode,
};

export type NodeOperations = typeof nodeOperations;

/** How many operations a block of a route may have, with what it has read. */
const BLOCK_OPERATIONS_MAX = 400;

/** A block of a route: its changes of nodes as one commit, of at most {@link BLOCK_OPERATIONS_MAX} operations. */
export const nodeBlock = contentTransaction(nodeOperations, BLOCK_OPERATIONS_MAX);

/** The tree as a caller would see it behind the operations of a block. @throws whatever they throw; LIMIT_EXCEEDED one of them is too large */
export function viewBehind(state: State, caller: Caller, steps: readonly TransactionStep[]): ContentView {
  const change = new Change(state, caller);
  if (isAsking(appliedSteps(nodeOperations, change, steps)))
    throw limitExceeded('expected changes of a block that can be read before its end, but one of them is too large');
  return new ContentView(change.draft, caller);
}

/** The operations of the API that do not change nodes, by the names of their GraphQL fields. */
export const contentApi = (services: ContentServices) => ({
  abortMultipartUpload,
  appendMultipartUploadChunk: appendMultipartUploadChunk(services),
  initiateMultipartUpload: initiateMultipartUpload(services),
  contentTransaction: contentTransaction(nodeOperations),
  registerNodeTypes: registerNodeTypes(services.typeLimits),
  importXml: importXml(services.xmlLimits),
  unregisterNodeTypes: unregisterNodeTypes(services.typeLimits),
  registerNamespace,
  unregisterNamespace: unregisterNamespace(services.typeLimits),
});

/** The operations that the server itself sends. */
export const contentJobs = () => ({
  ensureStandardTree,
  endTreeSetup,
  beginStaging,
  stageNodes,
  abandonStaging,
  placeXmlNodes,
  fillXmlNodes,
  hasNodes,
  sweepDetached,
  sweepForsaken,
  deleteSome: deleteSome.operation,
  deleteTogether: deleteTogether.operation,
  publishImport,
  ...versionJobs,
  expireLock,
  expireUploads,
  releaseSessionLocks,
  sealUpload,
});

export type ContentApi = ReturnType<typeof contentApi>;
export type ContentJobs = ReturnType<typeof contentJobs>;
