import type { Mutation, Query } from '../../src/graphql/generated/schema.js';
import { basic } from './test-server.js';

/** What a request may give besides its document. */
export interface Request {
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly idempotencyKey?: string;
  readonly lockTokens?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error of the API as a client sees it. */
export interface ApiError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions: {
    readonly code: string;
    readonly reason: string;
    readonly resourceId?: string;
    readonly details?: unknown;
    readonly committed?: boolean;
  };
}

/** What a query or mutation may give: the fields that were selected. */
export type ApiData = Mutation & Query;

/** A whole answer. */
export interface ApiReply {
  readonly status: number;
  readonly headers: Headers;
  readonly data?: ApiData | null;
  readonly errors?: readonly ApiError[];
  readonly extensions?: {
    readonly position?: string;
    readonly refusedModels?: readonly { readonly path: string; readonly problem: string }[];
    readonly copiesWithoutAccessControl?: readonly string[];
  };
}

/** The API has refused. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly code: string;
  readonly errors: readonly ApiError[];

  constructor(errors: readonly ApiError[]) {
    super(errors.map(({ message, extensions }) => `${extensions?.code}: ${message}`).join('; '));
    this.code = errors[0]?.extensions?.code ?? '';
    this.errors = errors;
  }
}

/** What a request of a session carries. */
export type SessionCookie = { readonly cookie: string };

/** What a program is given that acts as a user. */
export type TokenSecret = { readonly token: string };

/** A client of one workspace that signs in with every request. */
export class GraphqlClient {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;

  /** Without credentials it is a guest. */
  constructor(
    url: string,
    credentials?: { readonly userId: string; readonly password: string } | SessionCookie | TokenSecret,
  ) {
    this.url = url;
    if (credentials === undefined) this.headers = {};
    else if ('token' in credentials) this.headers = { Authorization: `Bearer ${credentials.token}` };
    else this.headers = 'cookie' in credentials ? credentials : basic(credentials.userId, credentials.password);
  }

  /** The data. @throws Refused when there are errors */
  async run(query: string, variables: Readonly<Record<string, unknown>> = {}): Promise<ApiData> {
    const { data, errors } = await this.ask(query, { variables });
    if (errors !== undefined) throw new Refused(errors);
    if (data == null) throw new Error('expected data or errors, but found neither');
    return data;
  }

  /** The whole answer, whatever it is. */
  async ask(query: string, { variables = {}, headers, ...sent }: Request = {}): Promise<ApiReply> {
    const extensions = Object.keys(sent).length === 0 ? {} : { extensions: sent };
    const response = await fetch(this.url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...this.headers, ...headers },
      body: JSON.stringify({ query, variables, ...extensions }),
    });
    return { status: response.status, headers: response.headers, ...((await response.json()) as Partial<ApiReply>) };
  }
}

/** The code with which a call is refused, and its sentence. */
export async function refusal(call: Promise<unknown>): Promise<Refused> {
  try {
    await call;
  } catch (thrown) {
    if (thrown instanceof Refused) return thrown;
    throw thrown;
  }
  throw new Error('expected a refusal, but the call went well');
}
