import type { Request, Response, Router } from 'express';
import express from 'express';
import type { Caller } from '../../shared/caller.js';
import { badRequest } from '../../shared/errors.js';
import { type BodyRules, jsonOf, withBody } from '../http/body.js';
import { replyNotAllowed, replyRedirect } from '../http/reply.js';
import { type ContentOrigin, refuseForeign } from '../http/request-origin.js';
import { DESKTOP } from './desktop-trust.js';
import { type DownloadRouteParts, rawPath } from './download-routes.js';
import type { FileAccess, FileSource } from './file-access.js';
import { contentOriginPage, contentType, isActive, OWN_PAGE, SANDBOXED_PAGE, SHARED } from './file-headers.js';
import { encodedPath, type Place, placeOf } from './request-path.js';
import {
  callerOrGuest,
  fileNotFound,
  forbidden,
  guest,
  isGuest,
  refuseAway,
  refuseServiceWorker,
  signedInCaller,
} from './route-caller.js';
import { serveFile } from './serve-file.js';

export interface WebRouteParts extends DownloadRouteParts {
  /** How the body of a preview is read. */
  readonly body: Omit<BodyRules, 'clientOf'>;
  /** How clients reach the server. */
  readonly baseUrl: () => string;
  readonly contentOrigin: Pick<ContentOrigin, 'has'>;
}

const ROOT = '/bin/cms.cgi';
const PREVIEW = 'application/vnd.cms.preview+json';
/** What the text editor shows is asked for by the server's own pages. */
const NOBODY: ReadonlySet<string> = new Set();
/** What stands for a folder, the first that is there. */
const WELCOME = ['index.html', 'index.gsp'];

/** `/bin/cms.cgi/{workspace}/content/…`: what lies below /content as a website, for guests too; and `/`, where a web desktop lies there. */
export function webRoutes(parts: WebRouteParts): Router {
  const router = express.Router();
  router.post(`${ROOT}{/*path}`, async (req, res) => {
    if (!isPreview(req)) return replyNotAllowed(res, 'GET, HEAD');
    refuseForeign(req, { baseUrl: parts.baseUrl(), allowedOrigins: NOBODY });
    // Before the body is read: a guest's is not worth it.
    const { userId } = await signedInCaller(parts, req, placeOf(rawPath(req, ROOT)).workspace);
    const rules = { ...parts.body, clientOf: () => `user:${userId}` };
    await withBody(req, rules, jsonOf, (body) => preview(parts, req, res, body));
  });
  router.all(`${ROOT}{/*path}`, (req, res) => serve(parts, req, res));
  router.get('/', async (_req, res, next) => {
    const isThere = await hasDesktop(parts);
    if (isThere) replyRedirect(res, `${ROOT}/system${encodedPath(DESKTOP)}/`);
    else next();
  });
  return router;
}

async function serve(parts: WebRouteParts, req: Request, res: Response): Promise<void> {
  if (isPreview(req)) return replyNotAllowed(res, 'POST');
  if (req.method !== 'GET' && req.method !== 'HEAD') return replyNotAllowed(res, 'GET, HEAD');
  if (!parts.contentOrigin.has(req)) refuseServiceWorker(req);
  const { place, caller, found } = await look(parts, req, res);
  if (found === 'folder') return replyRedirect(res, await welcome(parts.files, place, caller, req));
  if (typeof found === 'string') throw fileNotFound(encodedPath(place.segments));
  const trust = await trustOf(parts, req, place, found);
  await serveFile(req, res, found, {
    cacheControl: cacheControl(found, trust === 'trusted' ? undefined : req.query.v),
    mimeType: mimeTypeOf(found),
    contentSecurityPolicy: trust === 'content origin' ? contentOriginPage(parts.baseUrl()) : POLICIES[trust],
    isShared: found.isPublic,
  });
}

/** What is at the request's path. @throws NOT_FOUND (also of what no website shows), FORBIDDEN */
async function look(parts: WebRouteParts, req: Request, res: Response) {
  const place = placeOf(rawPath(req, ROOT));
  const { workspace, segments } = place;
  const isContentOrigin = parts.contentOrigin.has(req);
  const caller = isContentOrigin ? guest(parts, workspace) : await callerOrGuest(parts, req, workspace);
  // What anybody is told, the website's own pages may read: in their sandbox they are of no origin.
  if (isGuest(caller)) for (const [name, value] of Object.entries(SHARED)) res.setHeader(name, value);
  refuseAway(parts.files, workspace);
  const path = encodedPath(segments);
  if (!isShown(segments)) throw fileNotFound(path);
  const found = await parts.files.file(caller, segments);
  if (found === 'forbidden') throw forbidden(path);
  return { place, caller, found };
}

const isShown = (segments: readonly string[]): boolean =>
  segments[0] === 'content' && segments[1] !== 'WEB-INF' && !segments.includes('.web.yml');

/** Where the page is that stands for a folder. */
async function welcome(files: FileAccess, place: Place, caller: Caller, req: Request): Promise<string> {
  const { workspace, segments } = place;
  const [, query = ''] = req.originalUrl.split(/(?=\?)/);
  for (const name of WELCOME) {
    const page = [...segments, name];
    const found = await files.file(caller, page);
    if (typeof found !== 'string') return `${ROOT}/${encodeURIComponent(workspace)}${encodedPath(page)}${query}`;
  }
  throw fileNotFound(encodedPath(segments));
}

/** Shows the file as if it held what was sent: what the text editor has not saved yet. */
async function preview(parts: WebRouteParts, req: Request, res: Response, body: unknown): Promise<void> {
  const { place, caller, found } = await look(parts, req, res);
  // The session may have ended while the body came.
  if (isGuest(caller)) throw forbidden(encodedPath(place.segments));
  if (typeof found === 'string') throw fileNotFound(encodedPath(place.segments));
  const { content } = (body ?? {}) as { readonly content?: unknown };
  if (typeof content !== 'string') {
    throw badRequest("expected a text as 'content'", { reason: 'argument_invalid', details: { argument: 'content' } });
  }
  const bytes = Buffer.from(content, 'utf8');
  res.writeHead(200, {
    'Content-Type': contentType(mimeTypeOf(found), 'UTF-8'),
    'Content-Length': bytes.length,
    'Content-Security-Policy': SANDBOXED_PAGE,
    'Cache-Control': 'no-store',
  });
  res.end(bytes);
}

/** `inert`: runs nothing. `trusted`: a page of the desktop, as long as that is trusted: asked for again each time, however it is addressed. */
type Trust = 'content origin' | 'inert' | 'trusted' | 'none';

const POLICIES = { inert: OWN_PAGE, trusted: OWN_PAGE, none: SANDBOXED_PAGE };

/** What a document may do, by where it is shown and who may have written it. */
async function trustOf(parts: WebRouteParts, req: Request, place: Place, file: FileSource): Promise<Trust> {
  if (parts.contentOrigin.has(req)) return 'content origin';
  if (!isActive(contentType(mimeTypeOf(file), file.encoding))) return 'inert';
  return (await isTrusted(parts, place)) ? 'trusted' : 'none';
}

/** Whether what lies there is of a web desktop that only administrators may change. */
const isTrusted = async ({ files }: WebRouteParts, { workspace, segments }: Place): Promise<boolean> =>
  DESKTOP.every((name, at) => segments[at] === name) && (await files.isDesktopTrusted(workspace));

/** Server pages hold no code that would be run here: they are pages. */
const mimeTypeOf = ({ name, mimeType }: FileSource): string => (name.endsWith('.gsp') ? 'text/html' : mimeType);

/** Also of a request without a body, which `req.is` does not look at. */
const isPreview = (req: Request): boolean =>
  req.headers['content-type']?.split(';')[0]?.trim().toLowerCase() === PREVIEW;

function cacheControl({ isPublic }: FileSource, version: unknown): string {
  if (version === undefined || version === '') return 'no-cache, must-revalidate';
  return `${isPublic ? 'public' : 'private'}, max-age=31536000, immutable`;
}

async function hasDesktop(parts: WebRouteParts): Promise<boolean> {
  for (const name of WELCOME) {
    const page = await parts.files.file(guest(parts, 'system'), [...DESKTOP, name]);
    if (typeof page !== 'string') return true;
  }
  return false;
}
