import { identityApi, isFor, NOTIFIED, type Notified, SYSTEM_WORKSPACE } from '../../identity/index.js';
import { badRequest } from '../../shared/errors.js';
import type { FeedEvent } from '../../store/index.js';
import { follow } from '../feed-iterator.js';
import type { MutationResolvers, SubscriptionResolvers } from '../generated/schema.js';
import { answerOf } from '../mutate.js';

export const notificationMutations: Required<Pick<MutationResolvers, 'notify'>> = {
  notify: (_, { input }, context, info) => {
    if (context.caller.workspace !== SYSTEM_WORKSPACE)
      throw badRequest(`expected the workspace '${SYSTEM_WORKSPACE}', from which all are told`, {
        reason: 'not_system',
      });
    const { type, severity, data, users, groups, ...texts } = input;
    return answerOf(context, info, identityApi.notify, {
      ...texts,
      ...{ type: type ?? 'INFO', severity: severity ?? 'LOW', data: data ?? null },
      ...{ users: users ?? null, groups: groups ?? null },
    });
  },
};

/** Events of `system`, whichever workspace is asked. Which groups and roles the caller has is looked up when the event comes. */
export const notificationSubscriptions: Required<Pick<SubscriptionResolvers, 'systemNotification'>> = {
  systemNotification: {
    subscribe: (_, { after }, context) => {
      const told = ({ type, data }: FeedEvent) => {
        const notified = data as Notified;
        return type === NOTIFIED && isFor(notified, context.caller) ? notified.notification : undefined;
      };
      return follow(context, 'systemNotification', after, told, { replica: context.services.system().replica });
    },
  },
};
