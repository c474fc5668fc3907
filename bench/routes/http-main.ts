import type { IncomingMessage, ServerResponse } from 'node:http';
import { Router } from 'express';
import { startServer, type WireParts } from '../../src/server/server.js';
import { readConfig } from '../../src/server/settings/config.js';
import { endOnSignals } from '../../src/server/signals.js';
import { makeWire } from '../../src/server/wire/wire.js';
import '../loop-report.js';

// A whole server with two more paths behind its front, whose handlers do what a route does, and nothing else. It prints its address as the server does.

/** Answers with the body of the request. */
async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const pieces: Buffer[] = [];
  for await (const piece of req) pieces.push(piece as Buffer);
  const body = `hello ${Buffer.concat(pieces).toString()}`;
  res.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': Buffer.byteLength(body) }).end(body);
}

/** Straight behind the front, as routes are. */
async function bare({ signIn }: WireParts, req: IncomingMessage, res: ServerResponse): Promise<void> {
  if ((await signIn.authenticate(req)) === undefined) res.writeHead(401).end();
  else await answer(req, res);
}

const server = await startServer(readConfig(process.env).config, async (parts) => {
  const wire = await makeWire(parts);
  // As all other handlers of the server are: the front signs the caller in.
  const express = Router().post('/bench', (req, res) => answer(req, res));
  return {
    ...wire,
    routes: wire.routes === undefined ? express : Router().use(wire.routes, express),
    routeRequests: (req, res) => {
      if (req.url === '/routes/web/bare') void bare(parts, req, res);
      else wire.routeRequests(req, res);
    },
  };
});
endOnSignals(server.end, (code) => process.exit(code));
process.stdout.write(`  Address    ${server.baseUrl}\n  curl ready\n`);
