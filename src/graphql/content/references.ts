import { responsePathAsArray } from 'graphql';
import { contentReferences, nodes, type ReferencesPage } from '../../content/index.js';
import { isShown } from '../../shared/connection.js';
import type { QueryResolvers } from '../generated/schema.js';
import { connectionOf, selects } from '../list-field.js';

const NOTHING: ReferencesPage = { rows: [], hasNextPage: false, hasPreviousPage: false, totalCount: 0, revision: 0 };

export const referenceQueries: Required<Pick<QueryResolvers, 'references'>> = {
  async references(_, { path, first, after }, context, info) {
    const target = context.content.require(path);
    const args = {
      targetId: target.id,
      first: first ?? 20,
      after: after ?? null,
      count: selects(info, 'totalCount'),
      partition: context.workspace.partition.id,
      now: context.services.now(),
    };
    const isReferenceable = context.content.types.isA(target, 'mix:referenceable');
    const page = isReferenceable ? await context.query(contentReferences, args) : NOTHING;
    context.shown(page, responsePathAsArray(info.path));
    const { edges, ...rest } = await connectionOf(nodes, page, (node) => node);
    const shown = page.rows.filter(isShown);
    const by = (at: number) => ({
      propertyNames: shown[at]?.propertyNames ?? null,
      isWeak: shown[at]?.isWeak ?? null,
    });
    return { ...rest, edges: edges.map((edge, at) => ({ ...edge, ...by(at) })) };
  },
};
