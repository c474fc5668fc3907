import type { ContentServices } from './content-services.js';
import { addMixin } from './edit/add-mixin.js';
import { contentTransaction } from './edit/content-transaction.js';
import { createFolder } from './edit/create-folder.js';
import { createNode } from './edit/create-node.js';
import { deleteAccessControl } from './edit/delete-access-control.js';
import { deleteMixin } from './edit/delete-mixin.js';
import { moveNode } from './edit/move-node.js';
import { orderNode } from './edit/order-node.js';
import { renameNode } from './edit/rename-node.js';
import { setAccessControl } from './edit/set-access-control.js';
import { setProperties } from './edit/set-properties.js';
import { copyNode } from './large/copy-node.js';
import { deleteNode } from './large/delete-node.js';
import { deleteSome, deleteTogether } from './large/delete-some.js';
import { abandonStaging, beginStaging, stageNodes } from './large/stage-nodes.js';
import { sweepDetached } from './large/sweep-detached.js';
import { sweepForsaken } from './large/sweep-forsaken.js';
import { expireLock } from './lock/expire-lock.js';
import { lockNode } from './lock/lock-node.js';
import { refreshLock } from './lock/refresh-lock.js';
import { releaseSessionLocks } from './lock/release-session-locks.js';
import { unlockNode } from './lock/unlock-node.js';
import { registerNodeTypes, unregisterNamespace, unregisterNodeTypes } from './registration/change-node-types.js';
import { registerNamespace } from './registration/register-namespace.js';
import { publishImport } from './transfer/publish-import.js';
import { stageImport } from './transfer/stage-import.js';
import { importXml } from './transfer/xml/import-xml.js';
import { beginXmlImport, fillXmlNodes, hasNodes, placeXmlNodes } from './transfer/xml/stage-xml.js';
import { endTreeSetup, ensureStandardTree } from './tree/standard-tree.js';
import { abortMultipartUpload } from './upload/abort-multipart-upload.js';
import { appendMultipartUploadChunk } from './upload/append-multipart-upload-chunk.js';
import { completeMultipartUpload } from './upload/complete-multipart-upload.js';
import { createFile } from './upload/create-file.js';
import { expireUploads } from './upload/expire-uploads.js';
import { initiateMultipartUpload } from './upload/initiate-multipart-upload.js';
import { sealUpload } from './upload/seal-upload.js';
import { versionJobs, versionOperations } from './version/version-operations.js';

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
