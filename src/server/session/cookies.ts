import type { IncomingMessage } from 'node:http';

/** A cookie that carries a secret: that of a session. */
export interface SessionCookie {
  /** The secret that the request carries, if any. */
  read(req: IncomingMessage): string | undefined;
  /** The value of `Set-Cookie` that hands the secret over. */
  give(secret: string, lifeMs: number): string;
  /** The value of `Set-Cookie` that takes it away. */
  take(): string;
}

/** `millrace`; over https `__Host-millrace`, which no other host and no plain http connection can set (RFC 6265bis §4.1.3.2). */
export function sessionCookie(baseUrl: string): SessionCookie {
  return cookieNamed('millrace', baseUrl);
}

/** Whether `name=value` is one of these cookies. */
export const isServerCookie = (pair: string): boolean => /^\s*(__Host-)?millrace/i.test(pair);

/** A cookie of the server's own, of that name, which no script of a page reads. */
export function cookieNamed(plainName: string, baseUrl: string): SessionCookie {
  const secure = baseUrl.startsWith('https:');
  const name = secure ? `__Host-${plainName}` : plainName;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  return {
    read: (req) => cookieOf(req.headers.cookie ?? '', name),
    give: (secret, lifeMs) => `${name}=${secret}; Max-Age=${Math.floor(lifeMs / 1000)}; ${attributes}`,
    take: () => `${name}=; Max-Age=0; ${attributes}`,
  };
}

function cookieOf(header: string, name: string): string | undefined {
  const pairs = header.split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
