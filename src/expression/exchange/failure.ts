/**
 * Failure in a route, by the Java name that routes know it by (`onException`, `doCatch`, `${exception}`): `java.lang.IllegalArgumentException`.
 * Whatever else is thrown counts as `java.lang.RuntimeException`.
 */
export class ExchangeFailure extends Error {
  /** The Java class that Camel throws in its place. */
  readonly type: string;
  /** Where in its file the fault is, of something that was defined wrong. */
  readonly at: { readonly line: number; readonly column: number } | undefined;
  /** What its Java class has getters for beside those of every exception, by the names of the properties: `statusCode`. */
  readonly members: Readonly<Record<string, unknown>> | undefined;

  constructor(
    type: string,
    message: string,
    options: {
      readonly cause?: unknown;
      readonly at?: { readonly line: number; readonly column: number };
      readonly members?: Readonly<Record<string, unknown>>;
    } = {},
  ) {
    super(message, options);
    this.type = type;
    this.at = options.at;
    this.members = options.members;
  }

  override get name(): string {
    return this.type;
  }
}

/** The Java class of anything thrown. */
export const failureType = (thrown: unknown): string =>
  thrown instanceof ExchangeFailure ? thrown.type : 'java.lang.RuntimeException';
