import { mayManageOf } from '../../shared/rights/roles.js';
import {
  type AnyCollection,
  type Document,
  type NameChanger,
  type Operation,
  operation,
  put,
  remove,
  type State,
} from '../../store/index.js';
import { apiTokens } from '../api-token.js';
import { refusal } from '../refusal.js';
import { lastSignIns, type SessionRecord, sessions } from '../session.js';
import type { UserAnswer } from './identity-operation.js';

/** A session begins: somebody has signed in. */
export const beginSession = operation('beginSession', (_state, { record }: { readonly record: SessionRecord }) => ({
  write: [put(sessions, record), put(lastSignIns, { id: record.userId, at: record.createdAt })],
  answer: null,
}));

interface NoteSeenInput {
  /** When requests of sessions were last seen, by their ids. */
  readonly sessions: Readonly<Record<string, number>>;
  /** When API tokens were last used, by their ids. */
  readonly tokens: Readonly<Record<string, number>>;
  /** Ids of sessions that have ended. */
  readonly ended: readonly string[];
}

/** When sessions and tokens were last seen, and which sessions have ended. What is gone stays gone. */
export const noteSeen = operation('noteSeen', (state, { sessions: seen, tokens, ended }: NoteSeenInput) => {
  const gone = new Set(ended);
  const later = Object.entries(seen).flatMap(([id, lastSeenAt]) => {
    const record = gone.has(id) ? undefined : state.get(sessions, id);
    return record === undefined || record.lastSeenAt >= lastSeenAt ? [] : [put(sessions, { ...record, lastSeenAt })];
  });
  const used = Object.entries(tokens).flatMap(([id, lastUsedAt]) => {
    const token = state.get(apiTokens, id);
    return token === undefined || (token.lastUsedAt ?? 0) >= lastUsedAt
      ? []
      : [put(apiTokens, { ...token, lastUsedAt })];
  });
  const there = ended.filter((id) => state.get(sessions, id) !== undefined);
  return { write: [...later, ...used, ...there.map((id) => remove(sessions, id))], answer: null };
});

/** Takes in sessions that were kept elsewhere before. */
export const takeOverSessions = operation(
  'takeOverSessions',
  (_state, { records }: { readonly records: readonly SessionRecord[] }) => ({
    write: records.map((record) => put(sessions, record)),
    answer: null,
  }),
);

/** Ends a session: one's own, or, for administrators, anybody's. @throws NOT_FOUND */
export const revokeSession = operation('revokeSession', (state, { id }: { readonly id: string }, { caller }) => {
  const record = state.get(sessions, id);
  if (record === undefined || !mayManageOf(caller, record.userId))
    throw refusal('NOT_FOUND', `expected a session '${id}', but there is none`, 'id');
  return { write: [remove(sessions, id)], answer: { id } };
});

/** Sessions and tokens of users that are gone are gone, too. */
export const signInNames: readonly NameChanger[] = ([sessions, apiTokens] as readonly AnyCollection[]).map(
  (collection) => ({
    collection,
    change: (_state, found: readonly Document[]) => ({ write: found.map(({ id }) => remove(collection, id)) }),
  }),
);

/** How many sessions one call ends. */
const REVOKED_MAX = 10_000;

interface RevokedSessions extends UserAnswer {
  readonly count: number;
}

/** Ends the sessions of a user, but for the one that asks: one's own, or, for administrators, anybody's. @throws ACCESS_DENIED */
export const revokeOtherSessions: Operation<UserAnswer, RevokedSessions> = {
  name: 'revokeOtherSessions',
  limits: { reads: REVOKED_MAX + 1, writes: REVOKED_MAX + 1 },
  decide: (state, { username }, { caller }) => {
    if (!mayManageOf(caller, username))
      throw refusal('ACCESS_DENIED', `expected an administrator to end sessions of '${username}'`, 'username');
    const others = sessionsOf(state, username).filter(({ id }) => id !== caller.sessionId);
    return { write: others.map(({ id }) => remove(sessions, id)), answer: { username, count: others.length } };
  },
};

const sessionsOf = (state: State, username: string): SessionRecord[] =>
  state.find(sessions, 'user', [username], { limit: REVOKED_MAX });
