import type { Caller } from '../../shared/caller.js';
import { badRequest, limitExceeded, ServiceError } from '../../shared/errors.js';
import { mayAdminister } from '../../shared/rights/roles.js';
import { type FeedEvent, operation, type State } from '../../store/index.js';

/** The event of a notification; users and groups see it from every workspace. */
export const NOTIFIED = 'system.notified';

export type NotificationType = 'INFO' | 'WARNING' | 'ERROR' | 'TASK' | 'PROCESS' | 'CONTENT';
export type Severity = 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL';

/** A notification to people while they work: shown, and not kept. */
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

/** Whom a notification is for: those who are in any of these. All null: everybody. */
interface Addressed {
  readonly users: readonly string[] | null;
  readonly groups: readonly string[] | null;
  readonly roles: readonly string[] | null;
}

/** A notification that is to be given. */
interface NewNotification extends Omit<SystemNotification, 'id' | 'timestamp'>, Addressed {}

/** Input of a notification by an administrator: to users and groups, or to everybody. */
export type Notify = Omit<NewNotification, 'roles'>;

/** Input of a notification by the system: to whoever has one of the roles. */
export type SystemNotify = Omit<NewNotification, 'users' | 'groups'> & { readonly roles: readonly string[] };

/** Data of the event by which a notification is delivered. */
export interface Notified extends Addressed {
  readonly notification: SystemNotification;
}

const TITLE_MAX = 255;
const MESSAGE_MAX = 10_000;
const DATA_MAX = 65_536;
const ADDRESSED_MAX = 1_000;
const NAME_MAX = 255;

/** Tells all, or named users and groups. @throws FORBIDDEN for others than administrators, LIMIT_EXCEEDED, BAD_REQUEST */
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
  requireTexts(given, [...(users ?? []), ...(groups ?? [])]);
  const { notification, event } = notified(state, { ...given, users, groups, roles: null });
  return { events: [event], answer: notification };
});

/** The event by which the system tells users of some roles something; a decision of the partition `system` gives it. */
export const systemNotified = (state: State, given: SystemNotify): FeedEvent =>
  notified(state, { ...given, users: null, groups: null }).event;

function notified(state: State, { users, groups, roles, ...given }: NewNotification) {
  const notification: SystemNotification = { ...given, id: state.ids.next(), timestamp: state.now };
  const data: Notified = { notification, users, groups, roles };
  const event: FeedEvent = { type: NOTIFIED, ids: { notificationId: notification.id }, data };
  return { notification, event };
}

/** Whether the notification is for the user, with the groups and roles of now. */
export const isFor = (
  { users, groups, roles }: Notified,
  caller: Pick<Caller, 'userId' | 'groups' | 'roles'>,
): boolean =>
  (users === null && groups === null && roles === null) ||
  users?.includes(caller.userId) === true ||
  groups?.some((group) => caller.groups.includes(group)) === true ||
  roles?.some((role) => caller.roles.includes(role)) === true;

/** Texts that look the same wherever they are shown: a title is one line that says something. @throws BAD_REQUEST, LIMIT_EXCEEDED */
function requireTexts({ title, message }: Pick<Notify, 'title' | 'message'>, names: readonly string[]): void {
  if (title.trim() === '' || CONTROL.test(title))
    throw badRequest("expected 'title' to be a line of text without control characters");
  if (CONTROL.test(message.replaceAll(/[\n\r\t]/g, '')))
    throw badRequest("expected 'message' to be text without control characters, but for line breaks and tabs");
  if (names.some((name) => name.length > NAME_MAX))
    throw limitExceeded(`expected names of users and groups to have at most ${NAME_MAX} characters`);
}

const CONTROL = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

function requireAdministrator(caller: Caller): void {
  if (!mayAdminister(caller))
    throw new ServiceError('FORBIDDEN', `expected an administrator to notify, but '${caller.userId}' is none`);
}
