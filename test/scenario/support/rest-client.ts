import type { LiveServer } from '../../support/server.js';

/** An answer of `/engine-rest`. */
export interface RestReply {
  readonly status: number;
  readonly type: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: answers of any shape are looked into
  readonly json: any;
  readonly text: string;
  readonly headers: Headers;
}

interface Asked {
  /** A form, a text as it is, or what becomes JSON. */
  readonly body?: unknown;
  /** Default: `robot`; null: nobody. */
  readonly user?: string | null;
  readonly signal?: AbortSignal;
  /** Default: that of JSON, where there is a body. */
  readonly contentType?: string;
}

/** Asks as Camunda's clients do. */
export const restClient =
  (server: () => LiveServer) =>
  async (
    method: string,
    path: string,
    { body, user = 'robot', contentType, ...more }: Asked = {},
  ): Promise<RestReply> => {
    const isForm = body instanceof FormData;
    const answer = await fetch(`${server().baseUrl}/engine-rest${path}`, {
      method,
      headers: {
        ...(user !== null && server().as(user).headers),
        ...(body !== undefined && !isForm && { 'Content-Type': contentType ?? 'application/json' }),
      },
      ...(body !== undefined && { body: isForm || typeof body === 'string' ? body : JSON.stringify(body) }),
      ...more,
    });
    const text = await answer.text();
    const type = answer.headers.get('content-type');
    return {
      status: answer.status,
      type,
      json: type === 'application/json' && text ? JSON.parse(text) : undefined,
      text,
      headers: answer.headers,
    };
  };
