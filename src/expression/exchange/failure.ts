/**
 * What failed in a route, by the Java name that routes know it by (`onException`, `doCatch`, `${exception}`): `java.lang.IllegalArgumentException`.
 * Whatever else is thrown counts as `java.lang.RuntimeException`.
 */
export class ExchangeFailure extends Error {
  /** The Java class that Camel throws in its place. */
  readonly type: string;

  constructor(type: string, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.type = type;
  }

  override get name(): string {
    return this.type;
  }
}

/** The Java class of anything thrown. */
export const failureType = (thrown: unknown): string =>
  thrown instanceof ExchangeFailure ? thrown.type : 'java.lang.RuntimeException';
