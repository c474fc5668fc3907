import { base64Bytes, findUpload, uploadProgress } from '../../content/index.js';
import type { MutationResolvers, QueryResolvers } from '../generated/schema.js';
import { answerOf } from '../mutate.js';

export const uploadQueries: Required<Pick<QueryResolvers, 'multipartUpload'>> = {
  multipartUpload(_, { uploadId }, { state, caller }) {
    const upload = findUpload(state, uploadId, caller);
    return upload === undefined ? null : uploadProgress(upload);
  },
};

type UploadMutations = Required<
  Pick<MutationResolvers, 'initiateMultipartUpload' | 'appendMultipartUploadChunk' | 'abortMultipartUpload'>
>;

export const uploadMutations: UploadMutations = {
  initiateMultipartUpload: (_, __, context, info) =>
    answerOf(context, info, context.services.content.api.initiateMultipartUpload, {}),

  async appendMultipartUploadChunk(_, { input }, context, info) {
    const { content, chunks } = context.services;
    const { uploadId, offset = null, sha256 = null } = input;
    const chunk = await chunks.hold(base64Bytes('data', input.data));
    try {
      const command = { uploadId, chunk: chunk.name, offset, sha256 };
      return await answerOf(context, info, content.api.appendMultipartUploadChunk, command);
    } finally {
      chunk.release();
    }
  },

  abortMultipartUpload: (_, { input }, context, info) =>
    answerOf(context, info, context.services.content.api.abortMultipartUpload, input),
};
