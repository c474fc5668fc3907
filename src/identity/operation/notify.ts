import type { Caller } from '../../shared/caller.js';
import { limitExceeded, ServiceError } from '../../shared/errors.js';
import { mayAdminister } from '../../shared/rights/roles.js';
import { type FeedEvent, operation } from '../../store/index.js';

/** The event of a notification; users and groups see it from every workspace. */
export const NOTIFIED = 'system.notified';

export type NotificationType = 'INFO' | 'WARNING' | 'ERROR' | 'TASK' | 'PROCESS' | 'CONTENT';
export type Severity = 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL';

/** What people are told while they work. */
export interface SystemNotification {
  readonly id: string;
  readonly type: NotificationType;
  readonly title: string;
  readonly message: string;
  readonly severity: Severity;
  /** ms */
  readonly timestamp: number;
  /** Plain JSON. */
  readonly data: unknown;
}

/** A notification that is to be given. */
export interface Notify extends Omit<SystemNotification, 'id' | 'timestamp'> {
  /** For whom, beside the members of the groups; null: for nobody else, or for all where no groups are given either. */
  readonly users: readonly string[] | null;
  readonly groups: readonly string[] | null;
}

/** Data of the event. */
export interface Notified extends Pick<Notify, 'users' | 'groups'> {
  readonly notification: SystemNotification;
}

const TITLE_MAX = 255;
const MESSAGE_MAX = 10_000;
const DATA_MAX = 65_536;
const ADDRESSED_MAX = 1_000;

/** Tells all, or named users and groups. @throws FORBIDDEN for others than administrators, LIMIT_EXCEEDED */
export const notify = operation('notify', (state, { users, groups, ...given }: Notify, { caller }) => {
  requireAdministrator(caller);
  const limited = [
    ['title', given.title.length, TITLE_MAX],
    ['message', given.message.length, MESSAGE_MAX],
    ['data', JSON.stringify(given.data ?? null).length, DATA_MAX],
    ['users', users?.length ?? 0, ADDRESSED_MAX],
    ['groups', groups?.length ?? 0, ADDRESSED_MAX],
  ] as const;
  for (const [name, size, most] of limited)
    if (size > most) throw limitExceeded(`expected '${name}' to have at most ${most}, but it has ${size}`);
  const notification: SystemNotification = { ...given, id: state.ids.next(), timestamp: state.now };
  const data: Notified = { notification, users, groups };
  const event: FeedEvent = { type: NOTIFIED, ids: { notificationId: notification.id }, data };
  return { events: [event], answer: notification };
});

/** Whether the notification is for the user. */
export const isFor = ({ users, groups }: Notified, userId: string, groupsOf: () => readonly string[]): boolean =>
  (users === null && groups === null) ||
  users?.includes(userId) === true ||
  (groups !== null && groupsOf().some((group) => groups.includes(group)));

function requireAdministrator(caller: Caller): void {
  if (!mayAdminister(caller))
    throw new ServiceError('FORBIDDEN', `expected an administrator to notify, but '${caller.userId}' is none`);
}
