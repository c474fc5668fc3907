import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import express, { type Router } from 'express';
import { packagePath } from '../package-path.js';
import { replyHtml } from './reply.js';

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

const indexOf = (pages: readonly string[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Documentation · Millrace</title>
</head>
<body>
<main>
<h1>Documentation</h1>
<ul>
${pages.map((page) => `<li><a href="/docs/${page}">${page.slice(0, -'.md'.length)}</a></li>`).join('\n')}
</ul>
</main>
</body>
</html>
`;
