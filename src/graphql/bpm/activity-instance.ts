import type { GraphQLResolveInfo } from 'graphql';
import { type ActivityInstance, activityPage } from '../../engine/index.js';
import type { Connection } from '../../shared/connection.js';
import type { ApiContext } from '../api-context.js';
import type { ActivityInstanceResolvers } from '../generated/schema.js';
import { keysetConnection, keysetRequest, type PageArguments } from '../list-field.js';

export const activityInstanceResolvers: ActivityInstanceResolvers = {
  durationInMillis: ({ startTime, endTime }) => (endTime === null ? null : endTime - startTime),
};

/** A page of what a process instance did and does. */
export async function activityConnection(
  context: ApiContext,
  instanceId: string,
  args: PageArguments,
  info: GraphQLResolveInfo,
): Promise<Connection<ActivityInstance> & { readonly totalCount: number }> {
  return keysetConnection(await context.query(activityPage, { instanceId, ...keysetRequest(args, 20, info) }));
}
