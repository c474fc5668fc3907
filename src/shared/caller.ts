/** Why a command was sent: travels from command to commit to job to command. */
export interface Cause {
  /** W3C trace context of the span that caused it: that of the command. */
  readonly traceparent?: string;
  /** When that trace began here, ms of the domain clock. */
  readonly traceStart?: number;
  /** The command at the root of the chain: what a client asked for. */
  readonly commandId?: string;
  /** The process instance that caused it. */
  readonly instanceId?: string;
  readonly exchangeId?: string;
  /** The route in which that exchange was. */
  readonly routeId?: string;
  readonly jobId?: string;
  /** Of that process instance. */
  readonly businessKey?: string;
}

/** The limits of a proof of identity, such as an API token, within the rights of its user. */
export interface Scope {
  /** What the limited thing is called where somebody is told of its limits. */
  readonly name: string;
  readonly access: readonly Access[];
  /** Ids of their partitions. Null: all, also those that are made later. */
  readonly workspaces: readonly string[] | null;
  /** Null: all of them, and what lies in none. */
  readonly domains: readonly ScopedDomain[] | null;
}

export type Access = 'READ' | 'WRITE';
export type ScopedDomain = 'CONTENT' | 'BPM' | 'EIP';

/** By what a request that has no session shows who sends it. */
export interface Proof {
  /** In which way: a password by HTTP Basic, an API token … */
  readonly way: string;
  /** Names it among the user's of its way: the version of a password, the id of a token. */
  readonly id: string;
  /** When it ends by itself, ms UTC. Undefined: never. */
  readonly expiresAt?: number;
  /** Undefined: it is for whatever its user may do. */
  readonly scope?: Scope;
}

/** Who acts, and where. Jobs act on behalf of whoever started the chain. */
export interface Caller {
  readonly userId: string;
  /** Who the user was when the request came: another one may have the name by now. Not given: nobody has signed in for it. */
  readonly principalId?: string;
  readonly groups: readonly string[];
  readonly roles: readonly string[];
  /** When the user and its groups were made, ms, by their names. Who is not named in it was always there. */
  readonly made?: ReadonlyMap<string, number>;
  readonly sessionId: string | null;
  /** Of a request that has no session. */
  readonly proof?: Proof;
  /** Tokens of locks that the request shows, beside those of the caller's own locks. */
  readonly lockTokens?: readonly string[];
  /** The workspace's name, as in the request path. */
  readonly workspace: string;
  readonly cause: Cause;
}

/** Whether both are in the same groups and have the same roles. */
export const haveSameRights = (one: Caller, other: Caller): boolean =>
  String([one.groups, '', one.roles]) === String([other.groups, '', other.roles]);

/** Whether the caller holds the role `administrator`. */
export const isAdministrator = (caller: Caller): boolean => caller.roles.includes('administrator');

/** Whether the caller holds the role `administrator` or `supervisor`. */
export const isSupervisor = (caller: Caller): boolean => isAdministrator(caller) || caller.roles.includes('supervisor');

/** The user that acts where nobody asked: recovery, takes, reactions. */
export const SYSTEM_USER = 'system';

/** The system itself as a caller: what nobody asked for is done in its name. */
export const systemCaller = (workspace: string, cause: Cause = {}): Caller => ({
  userId: SYSTEM_USER,
  groups: [],
  roles: ['administrator'],
  sessionId: null,
  workspace,
  cause,
});
