import { exportXml, wholeXml } from '../../content/index.js';
import { badRequest } from '../../shared/errors.js';
import type { ApiContext } from '../api-context.js';
import type { ImportXmlInput, MutationResolvers, QueryResolvers } from '../generated/schema.js';
import { answerOf } from '../mutate.js';
import { spendingUploads, tellRefusedModels } from './change-node.js';

export const xmlQueries: Required<Pick<QueryResolvers, 'exportXml'>> = {
  async exportXml(_, { path, view, noRecurse, skipBinary }, context) {
    const query = {
      partition: context.workspace.partition.id,
      now: context.services.now(),
      path,
      view,
      noRecurse: noRecurse ?? false,
      skipBinary: skipBinary ?? false,
      charsMax: context.services.content.xmlCharsMax,
    };
    const parts = await context.query(exportXml, query);
    return wholeXml(parts, context.services.blobs, query);
  },
};

export const xmlMutations: Required<Pick<MutationResolvers, 'importXml'>> = {
  async importXml(_, { input }, context, info) {
    const { path, uploadId = null, uuidBehavior } = input;
    const xml = await storedXml(input, context);
    const command = { path, xml, uploadId, uuidBehavior: uuidBehavior ?? ('CREATE_NEW' as const) };
    const answer = await spendingUploads(context, uploadId === null ? [] : [uploadId], () =>
      answerOf(context, info, context.services.content.api.importXml, command),
    );
    // What the caller may make without being allowed to read it is not shown.
    const nodes = answer.nodeIds.flatMap((id) => context.content.get(id) ?? []);
    await tellRefusedModels(context, nodes);
    return { ...answer, nodes };
  },
};

/** The XML as a blob; null: it is an upload. @throws BAD_REQUEST neither or both are given */
async function storedXml({ xml, uploadId }: ImportXmlInput, { services }: ApiContext) {
  if ((xml == null) === (uploadId == null))
    throw badRequest(`expected either 'xml' or 'uploadId', but found ${xml == null ? 'neither' : 'both'}`, {
      reason: 'two_forms',
    });
  if (xml == null) return null;
  const { sha256, size } = await services.blobs.write(Buffer.from(xml));
  return { blob: sha256, size };
}
