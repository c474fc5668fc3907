import type { ContentServices } from './content-services.js';
import { abortMultipartUpload } from './operation/abort-multipart-upload.js';
import { addMixin } from './operation/add-mixin.js';
import { appendMultipartUploadChunk } from './operation/append-multipart-upload-chunk.js';
import { registerNodeTypes, unregisterNamespace, unregisterNodeTypes } from './operation/change-node-types.js';
import { completeMultipartUpload } from './operation/complete-multipart-upload.js';
import { contentTransaction } from './operation/content-transaction.js';
import { copyNode } from './operation/copy-node.js';
import { createFile } from './operation/create-file.js';
import { createFolder } from './operation/create-folder.js';
import { createNode } from './operation/create-node.js';
import { deleteAccessControl } from './operation/delete-access-control.js';
import { deleteMixin } from './operation/delete-mixin.js';
import { deleteNode } from './operation/delete-node.js';
import { deleteSome, deleteTogether } from './operation/delete-some.js';
import { expireLock } from './operation/expire-lock.js';
import { expireUploads } from './operation/expire-uploads.js';
import { importXml } from './operation/import-xml.js';
import { initiateMultipartUpload } from './operation/initiate-multipart-upload.js';
import { lockNode } from './operation/lock-node.js';
import { moveNode } from './operation/move-node.js';
import { orderNode } from './operation/order-node.js';
import { publishImport } from './operation/publish-import.js';
import { refreshLock } from './operation/refresh-lock.js';
import { registerNamespace } from './operation/register-namespace.js';
import { releaseSessionLocks } from './operation/release-session-locks.js';
import { renameNode } from './operation/rename-node.js';
import { sealUpload } from './operation/seal-upload.js';
import { setAccessControl } from './operation/set-access-control.js';
import { setProperties } from './operation/set-properties.js';
import { stageImport } from './operation/stage-import.js';
import { abandonStaging, beginStaging, stageNodes } from './operation/stage-nodes.js';
import { beginXmlImport, fillXmlNodes, hasNodes, placeXmlNodes } from './operation/stage-xml.js';
import { sweepDetached } from './operation/sweep-detached.js';
import { sweepForsaken } from './operation/sweep-forsaken.js';
import { unlockNode } from './operation/unlock-node.js';
import { endTreeSetup, ensureStandardTree } from './rule/standard-tree.js';
import { versionJobs, versionOperations } from './version-operations.js';

/** What may be done with the tree, by the names of the API's fields. Each may be part of a `contentTransaction`. */
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
};

export type NodeOperations = typeof nodeOperations;

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
  beginXmlImport,
  placeXmlNodes,
  fillXmlNodes,
  hasNodes,
  sweepDetached,
  sweepForsaken,
  deleteSome: deleteSome.operation,
  deleteTogether: deleteTogether.operation,
  stageImport,
  publishImport,
  ...versionJobs,
  expireLock,
  expireUploads,
  releaseSessionLocks,
  sealUpload,
});

export type ContentApi = ReturnType<typeof contentApi>;
export type ContentJobs = ReturnType<typeof contentJobs>;
