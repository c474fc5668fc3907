import { findUpload, uploadProgress } from '../../content/index.js';
import type { QueryResolvers } from '../generated/schema.js';

export const uploadQueries: Required<Pick<QueryResolvers, 'multipartUpload'>> = {
  multipartUpload(_, { uploadId }, { state, caller }) {
    const upload = findUpload(state, uploadId, caller);
    return upload === undefined ? null : uploadProgress(upload);
  },
};
