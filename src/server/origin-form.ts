import type { IncomingMessage } from 'node:http';

/** Reads a target in absolute form (`GET http://host/path`, as proxies are asked) as what it means: the path, of that host, whatever `Host` says (RFC 9112 §3.2.2). */
export function toOriginForm(req: IncomingMessage): void {
  const [, authority, target] = /^https?:\/\/(?:[^/?#@]*@)?([^/?#]+)([^#]*)/i.exec(req.url ?? '') ?? [];
  if (authority === undefined || target === undefined) return;
  req.url = target.startsWith('/') ? target : `/${target}`;
  req.headers.host = authority;
}
