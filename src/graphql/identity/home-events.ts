import { ContentView, NODE_CHANGED, type NodeChanged } from '../../content/index.js';
import { preferencesOf, SYSTEM_WORKSPACE, userProfileOf } from '../../identity/index.js';
import type { FeedEvent } from '../../store/index.js';
import type { ApiContext } from '../api-context.js';
import { follow } from '../feed-iterator.js';
import type {
  AvatarChangedEvent,
  PreferenceChangedEvent,
  SubscriptionResolvers,
  WallpaperChangedEvent,
} from '../generated/schema.js';

type Events = 'avatarChanged' | 'preferenceChanged' | 'wallpaperChanged';

/** Subscriptions to the caller's own home; users have none elsewhere than in `system`. */
export const homeSubscriptions: Required<Pick<SubscriptionResolvers, Events>> = {
  preferenceChanged: {
    subscribe: (_, { after }, context) =>
      follow(context, 'preferenceChanged', after, inHome(context, preferenceOf(context))),
  },
  wallpaperChanged: {
    subscribe: (_, { after }, context) => follow(context, 'wallpaperChanged', after, inHome(context, wallpaperOf)),
  },
  avatarChanged: {
    subscribe: (_, { after }, context) =>
      follow(
        context,
        'avatarChanged',
        after,
        inHome(context, ({ userId, timestamp, from, to }): AvatarChangedEvent | undefined =>
          from === 'avatar' || to === 'avatar' ? { userId, timestamp } : undefined,
        ),
      ),
  },
};

/** A change of a node in a home. */
interface HomeChange {
  readonly userId: string;
  /** ms */
  readonly timestamp: number;
  /** Where it was below the home; null: elsewhere, or nowhere. */
  readonly from: string | null;
  /** Where it is below the home; null: elsewhere, or nowhere any more. */
  readonly to: string | null;
}

/** What a payload makes of changes in the caller's home. */
function inHome<T>({ caller }: ApiContext, payload: (change: HomeChange) => T | undefined) {
  const { userId, workspace } = caller;
  const home = `/home/users/${userId}/`;
  const within = (path: string | null) => (path?.startsWith(home) === true ? path.slice(home.length) : null);
  return ({ type, data }: FeedEvent): T | undefined => {
    if (type !== NODE_CHANGED || workspace !== SYSTEM_WORKSPACE) return undefined;
    const { eventType, path, sourcePath, timestamp } = data as NodeChanged;
    const isThere = eventType !== 'DELETED';
    const was = eventType === 'CREATED' ? null : (sourcePath ?? path);
    const change = { userId, timestamp, from: within(was), to: isThere ? within(path) : null };
    return change.from === null && change.to === null ? undefined : payload(change);
  };
}

function wallpaperOf({ userId, timestamp, from, to }: HomeChange): WallpaperChangedEvent | undefined {
  const [was, is] = [fileIn('wallpapers', from), fileIn('wallpapers', to)];
  const filename = is ?? was;
  if (filename === null) return undefined;
  const action = is === null ? 'deleted' : was === is ? 'updated' : 'added';
  return { userId, action, filename, timestamp };
}

/** The name of what lies right in the folder. */
function fileIn(folder: string, path: string | null): string | null {
  const name = path?.startsWith(`${folder}/`) === true ? path.slice(folder.length + 1) : '';
  return name === '' || name.includes('/') ? null : name;
}

/** The category that has changed, with all that it holds now; a profile is one, too. */
const preferenceOf =
  (context: ApiContext) =>
  ({ userId, timestamp, to }: HomeChange): PreferenceChangedEvent | undefined => {
    const category = to === 'profile' ? 'profile' : fileIn('preferences', to);
    if (category === null) return undefined;
    const view = new ContentView(context.workspace.partition.replica.read(), context.caller);
    const home = `/home/users/${userId}`;
    if (category === 'profile') {
      const profile = view.at(`${home}/profile`);
      const displayName = profile && userProfileOf(profile).displayName;
      return { category, userId, timestamp, data: displayName == null ? {} : { displayName } };
    }
    const content = view.at(`${home}/preferences/${category}/jcr:content`);
    return content && { category, userId, timestamp, data: preferencesOf(content) };
  };
