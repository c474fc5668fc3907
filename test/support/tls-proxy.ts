import { once } from 'node:events';
import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import { type CertificateFiles, textOf } from './certificates.js';

/** A proxy that speaks TLS to clients and plain HTTP to the server, and says as proxies do who asked. */
export async function tlsProxy(files: CertificateFiles, to: () => string): Promise<Server> {
  const proxy = createServer({ cert: textOf(files.cert), key: textOf(files.key) }, (req, res) => {
    const forwarded = [req.headers['x-forwarded-for'], req.socket.remoteAddress].filter(Boolean).join(', ');
    const headers = { ...req.headers, 'x-forwarded-for': forwarded, 'x-forwarded-proto': 'https' };
    const behind = request(`${to()}${req.url}`, { method: req.method ?? 'GET', headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    req.pipe(behind);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  return proxy;
}
