import type { Upload } from './upload.js';

/** How far an upload is. */
export interface UploadProgress {
  readonly uploadId: string;
  /** bytes */
  readonly totalSize: number;
}

export const uploadProgress = ({ id, size }: Upload): UploadProgress => ({ uploadId: id, totalSize: size });
