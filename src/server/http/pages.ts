import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import express, { type Request, type Response, type Router } from 'express';
import { packagePath } from '../usage.js';
import { replyHtml } from './reply.js';

/** Answers at `/` where there is no web desktop: to a browser a page of links, to a program some lines. */
export function showStart(req: Request, res: Response): void {
  res.setHeader('Vary', 'Accept');
  if (req.accepts(['text/plain', 'text/html']) === 'text/html') {
    res.setHeader('Content-Security-Policy', START_POLICY);
    return replyHtml(res, 200, START_PAGE);
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

const START_STYLE = styled(`main{width:min(36rem,90vw)}
dt{margin-top:1rem;font-weight:600}
dd{margin:0}
code{font-size:.9em}`);

const START_PAGE = page(
  'Millrace',
  `<h1>Millrace</h1>
<p>${ABOUT}</p>
<p>Programs ask <code>/bin/graphql.cgi/web</code>, by HTTP Basic or with the cookie of a session.</p>
<dl>
${LINKS.map(([path, name, what]) => `<dt><a href="${path}">${name}</a></dt>\n<dd>${what}</dd>`).join('\n')}
</dl>`,
  START_STYLE,
);

const START_POLICY = [
  "default-src 'none'",
  'img-src data:',
  `style-src ${sourceOf(START_STYLE)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

const LOGIN_STYLE = styled(`main{width:min(20rem,90vw)}
form{display:grid;gap:.5rem}
input,button{font:inherit;padding:.5rem}
button{margin-top:.5rem}`);

/** The style of the sign-in page, as a source of a Content-Security-Policy. */
export const LOGIN_STYLE_SOURCE = sourceOf(LOGIN_STYLE);

/** The form that signs a person in and then leads to `relayState`. `problem`: what was wrong with the last try. */
export const loginPage = (relayState: string, problem?: string): string =>
  page(
    'Sign in · Millrace',
    `<h1>Millrace</h1>
${problem === undefined ? '' : `<p role="alert">${escaped(problem)}</p>`}
<form method="post" action="/bin/auth.cgi/saml2/login">
<input type="hidden" name="RelayState" value="${escaped(relayState)}">
<label for="username">User</label>
<input id="username" name="username" autocomplete="username" autocapitalize="none" spellcheck="false" required autofocus>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button type="submit">Sign in</button>
</form>`,
    LOGIN_STYLE,
  );

/** A page that says what went wrong, and where it goes on: sentences, and links as `[path, text]`. */
export const problemPage = (
  title: string,
  sentences: readonly string[],
  links: readonly (readonly [path: string, text: string])[],
): string =>
  page(
    `${title} · Millrace`,
    `<h1>${escaped(title)}</h1>
${sentences.map((sentence) => `<p>${escaped(sentence)}</p>`).join('\n')}
<ul>
${links.map(([path, text]) => `<li><a href="${escaped(path)}">${escaped(text)}</a></li>`).join('\n')}
</ul>`,
    LOGIN_STYLE,
  );

/** `/docs/`: the pages of the package's documentation, as they are written; nothing where the package has none. */
export function docsRoutes(folder: string | undefined = packagePath('docs')): Router {
  const router = express.Router();
  if (folder === undefined) return router;
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  router.get('/docs', (_req, res) => replyHtml(res, 200, indexOf(pages)));
  router.get('/docs/*page', (req, res, next) => {
    const page = join(...req.params.page);
    if (!pages.includes(page)) return next();
    res.sendFile(page, { root: folder, headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
  });
  return router;
}

const indexOf = (pages: readonly string[]): string =>
  page(
    'Documentation · Millrace',
    `<h1>Documentation</h1>
<ul>
${pages.map((name) => `<li><a href="/docs/${name}">${name.slice(0, -'.md'.length)}</a></li>`).join('\n')}
</ul>`,
  );

/** A page of the server's own. */
function page(title: string, main: string, style?: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
${style === undefined ? '' : `<style>${style}</style>\n`}</head>
<body>
<main>
${main}
</main>
</body>
</html>
`;
}

/** The style of a page whose `main` stands in the middle. */
function styled(rest: string): string {
  return `:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;display:grid;place-items:center;min-height:100vh;margin:0}
${rest}`;
}

/** The style as a source of a Content-Security-Policy. */
function sourceOf(style: string): string {
  return `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => ENTITIES[letter] ?? letter);
}
