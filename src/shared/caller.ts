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
  readonly jobId?: string;
  /** Of that process instance. */
  readonly businessKey?: string;
}

/** Who acts, and where. Jobs act on behalf of whoever started the chain. */
export interface Caller {
  readonly userId: string;
  readonly groups: readonly string[];
  readonly roles: readonly string[];
  readonly sessionId: string | null;
  /** Tokens of locks that the request shows, beside those of the caller's own locks. */
  readonly lockTokens?: readonly string[];
  /** The workspace's name, as in the request path. */
  readonly workspace: string;
  readonly cause: Cause;
}

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
