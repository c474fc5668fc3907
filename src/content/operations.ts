import type { ContentServices } from './content-services.js';
import { abortMultipartUpload } from './operation/abort-multipart-upload.js';
import { appendMultipartUploadChunk } from './operation/append-multipart-upload-chunk.js';
import { expireUploads } from './operation/expire-uploads.js';
import { initiateMultipartUpload } from './operation/initiate-multipart-upload.js';
import { sealUpload } from './operation/seal-upload.js';

/** The operations of the API, by the names of their GraphQL fields. */
export const contentApi = (services: ContentServices) => ({
  abortMultipartUpload,
  appendMultipartUploadChunk: appendMultipartUploadChunk(services),
  initiateMultipartUpload: initiateMultipartUpload(services),
});

/** The operations that the server itself sends. */
export const contentJobs = () => ({ expireUploads, sealUpload });

export type ContentApi = ReturnType<typeof contentApi>;
export type ContentJobs = ReturnType<typeof contentJobs>;
