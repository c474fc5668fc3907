import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { replyHtml } from './reply.js';

/** What is told at `/` where there is no web desktop: to a browser a page of links, to a program some lines. */
export function showStart(req: Request, res: Response): void {
  res.setHeader('Vary', 'Accept');
  if (req.accepts(['text/plain', 'text/html']) === 'text/html') {
    res.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    return replyHtml(res, 200, PAGE);
  }
  res.writeHead(200, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(TEXT),
    'Cache-Control': 'no-store',
  });
  res.end(TEXT);
}

const ABOUT = 'A content repository and a BPMN process engine behind one GraphQL API, live over server-sent events.';

/** Where it goes on from here: the path, its name, and what is there. */
const LINKS: readonly (readonly [path: string, name: string, what: string])[] = [
  [
    '/bin/auth.cgi/saml2/login?RelayState=/',
    'Sign in',
    'The first start shows the password of admin and says where it is kept.',
  ],
  ['/graphiql', 'GraphiQL', 'Explore the API: every type, field and argument is described.'],
  ['/graphiql?workspace=system', 'GraphiQL of system', 'The same of the workspace that holds the others.'],
  ['/bin/cms.cgi/web/content/', 'Website', 'What lies below /content of the workspace web.'],
  ['/docs/', 'Documentation', 'The pages of the package: a walk, settings, limits, BPMN, content.'],
  ['/health/ready', 'Health', 'Whether the server is ready, and what is to be known about it.'],
];

const API = [
  '/bin/graphql.cgi/web',
  'API',
  'The GraphQL API of the workspace web, for HTTP Basic or the cookie of a session.',
] as const;
const WIDTH = Math.max(...LINKS.map(([path]) => path.length));

const TEXT = `Millrace
${ABOUT}

${[API, ...LINKS].map(([path, , what]) => `  ${path.padEnd(WIDTH)}  ${what}`).join('\n')}
`;

const STYLE = `:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;display:grid;place-items:center;min-height:100vh;margin:0}
main{width:min(36rem,90vw)}
dt{margin-top:1rem;font-weight:600}
dd{margin:0}
code{font-size:.9em}`;

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Millrace</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Millrace</h1>
<p>${ABOUT}</p>
<p>Programs ask <code>/bin/graphql.cgi/web</code>, by HTTP Basic or with the cookie of a session.</p>
<dl>
${LINKS.map(([path, name, what]) => `<dt><a href="${path}">${name}</a></dt>\n<dd>${what}</dd>`).join('\n')}
</dl>
</main>
</body>
</html>
`;

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  'img-src data:',
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');
