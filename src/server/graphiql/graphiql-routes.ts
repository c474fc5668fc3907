import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import express, { type Request, type Response, type Router } from 'express';
import { replyHtml, replyNotAllowed, replyRedirect } from '../http/reply.js';
import type { SignIn } from '../session/sign-in.js';

const ROOT = '/graphiql';
/** Where the build put them. */
const FOLDER = fileURLToPath(new URL('.', import.meta.url));

/** What the page loads, in this order, with the media types. */
const FILES: Readonly<Record<string, string>> = {
  'graphiql.min.css': 'text/css; charset=utf-8',
  'react.production.min.js': 'text/javascript; charset=utf-8',
  'react-dom.production.min.js': 'text/javascript; charset=utf-8',
  'graphiql.min.js': 'text/javascript; charset=utf-8',
  'graphql-sse.min.js': 'text/javascript; charset=utf-8',
  'boot.js': 'text/javascript; charset=utf-8',
  'licenses.txt': 'text/plain; charset=utf-8',
};

/**
 * `/graphiql`: a page in which the API of a workspace (`?workspace=`, default `web`) is explored, for whoever is signed in. Files are read
 * when they are asked for.
 */
export function graphiqlRoutes({ signIn }: { readonly signIn: Pick<SignIn, 'authenticate'> }): Router {
  const router = express.Router();
  router.get(ROOT, async (req, res) => {
    const identity = await signIn.authenticate(req);
    if (identity !== undefined) return showPage(res);
    replyRedirect(res, `/bin/auth.cgi/saml2/login?RelayState=${encodeURIComponent(req.originalUrl)}`);
  });
  router.get(`${ROOT}/:name`, (req, res, next) => {
    const type = FILES[req.params.name];
    if (type === undefined) next();
    else sendFile(req, res, req.params.name, type);
  });
  router.all([ROOT, `${ROOT}/:name`], (req, res, next) =>
    req.method === 'GET' || req.method === 'HEAD' ? next() : replyNotAllowed(res, 'GET, HEAD'),
  );
  return router;
}

/** Compressed where the client takes it. Browsers ask each time whether what they have is still so. */
function sendFile(req: Request, res: Response, name: string, type: string): void {
  const isCompressed = req.acceptsEncodings('gzip', 'identity') === 'gzip' && existsSync(`${FOLDER}${name}.gz`);
  res.setHeader('Vary', 'Accept-Encoding');
  if (isCompressed) res.setHeader('Content-Encoding', 'gzip');
  res.sendFile(isCompressed ? `${name}.gz` : name, {
    root: FOLDER,
    headers: { 'Content-Type': type, 'Cache-Control': 'no-cache' },
  });
}

function showPage(res: Response): void {
  res.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
  replyHtml(res, 200, PAGE);
}

const urls = Object.keys(FILES).map((name) => `${ROOT}/${name}`);

const STYLE = 'body{margin:0}#graphiql{height:100dvh}';

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>GraphiQL · Millrace</title>
<link rel="icon" href="data:,">
${urls
  .filter((url) => url.endsWith('.css'))
  .map((url) => `<link rel="stylesheet" href="${url}">`)
  .join('\n')}
<style>${STYLE}</style>
</head>
<body>
<div id="graphiql">Loading …</div>
${urls
  .filter((url) => url.endsWith('.js'))
  .map((url) => `<script src="${url}" defer></script>`)
  .join('\n')}
</body>
</html>
`;

/** Nothing of others, and neither script nor style but these files: what GraphiQL's editor sets on its elements needs no more. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "img-src 'self' data:",
  'font-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
