import type { ContentNode } from '../../content/index.js';
import type { Page } from '../../store/index.js';
import type { ApiContext } from '../api-context.js';

/** Which page of a node's children. */
export interface ChildrenPage {
  readonly first: number;
  readonly after: string | null;
  readonly count: boolean;
}

/** One page of the children that the caller may read. */
export const childrenOf = (context: ApiContext, parent: ContentNode, page: ChildrenPage): Promise<Page> =>
  context.query<Page>('contentChildren', {
    parentId: parent.id,
    partition: context.workspace.partition.id,
    now: context.services.now(),
    ...page,
  });
