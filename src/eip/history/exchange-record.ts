/** The record of an exchange that has ended: one for each that a consumer took in. */
export interface ExchangeRecord {
  readonly exchangeId: string;
  /** The route that took it in. */
  readonly routeId: string;
  /** By the domain's clock, in ms since 1970. */
  readonly createdAt: number;
  readonly completedAt: number;
  /** By a clock that goes on by itself, in µs. */
  readonly elapsed: number;
  /** A failure that an error handler dealt with counts as completed. */
  readonly status: 'completed' | 'failed';
  readonly exceptionType: string | null;
  readonly exceptionMessage: string | null;
  /** Of a failure that nobody handled: what failed, where, and what caused it. */
  readonly stackTrace: string | null;
  readonly businessKey: string | null;
  /** The Java class of the body at its end, without its package; null where there was none. */
  readonly bodyType: string | null;
  /** In bytes, of texts and of bytes. */
  readonly bodySize: number | null;
  /** JSON text of the headers that are kept: by name, {type, value}. Null: none. */
  readonly headers: string | null;
  readonly steps: readonly StepRecord[];
  /** How many further steps it entered. */
  readonly forgotten: number;
}

export interface StepRecord {
  readonly routeId: string;
  readonly stepId: string;
  /** The endpoint that it sends to, secrets masked; null: to none. */
  readonly endpointUri: string | null;
  /** In µs since the exchange began. */
  readonly entered: number;
  /** In µs; null: it was not left. */
  readonly taken: number | null;
}
