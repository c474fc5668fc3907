import { type AppDescriptor, type AppFile, contentApps } from '../../content/index.js';
import type { QueryResolvers } from '../generated/schema.js';
import { keysetConnection, keysetRequest } from '../list-field.js';

/** A web application: what lies in the tree of it, and what its descriptor says. */
type AppView = Omit<AppFile, 'data' | 'hasIcon'> & AppDescriptor;

export const appQueries: Required<Pick<QueryResolvers, 'apps'>> = {
  async apps(_, { path, ...args }, context, info) {
    const { content, workspace, services } = context;
    const request = keysetRequest(args, 100, info);
    const root = content.at(path.replace(/(?<=.)\/+$/, ''));
    if (root === undefined) {
      const none = { rows: [], hasNextPage: false, hasPreviousPage: request.after !== null, totalCount: 0 };
      return keysetConnection<AppView>(none);
    }
    const asked = { partition: workspace.partition.id, now: content.now, rootId: root.id, ...request };
    const page = await context.query(contentApps, asked);
    const rows: { readonly node: AppView; readonly cursor: string }[] = [];
    for (const { node, cursor } of page.rows) {
      context.ending.signal.throwIfAborted();
      const { data, hasIcon, ...file } = node;
      const described = await services.apps.read(data);
      const icon = described.icon ?? (hasIcon ? 'icon.svg' : null);
      rows.push({ node: { ...file, ...described, icon }, cursor });
    }
    return keysetConnection({ ...page, rows });
  },
};
