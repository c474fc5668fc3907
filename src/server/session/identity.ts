/** Who sends a request, as its session or its credentials say, with the groups and roles of this moment. */
export interface Identity {
  readonly userId: string;
  readonly groups: readonly string[];
  readonly roles: readonly string[];
  /** Null when the request brought its own credentials. */
  readonly sessionId: string | null;
}
