import type { Request, Response, Router } from 'express';
import express from 'express';
import { badRequest, ServiceError } from '../../shared/errors.js';
import { replyNotAllowed } from '../http/reply.js';
import type { FileAccess, FileSource, PropertyName } from './file-access.js';
import { contentType, isActive, SHOWN_FILE } from './file-headers.js';
import { encodedPath, type Place, placeOf } from './request-path.js';
import {
  fileNotFound,
  forbidden,
  noFile,
  type RouteCallers,
  refuseAway,
  refuseServiceWorker,
  signedInCaller,
} from './route-caller.js';
import { serveFile } from './serve-file.js';

export interface DownloadRouteParts extends RouteCallers {
  readonly files: FileAccess;
}

const ROOT = '/bin/download.cgi';

/** `/bin/download.cgi/{workspace}{path}`: files, and binary properties of them (`?property=name&index=n`), for signed-in callers. */
export function downloadRoutes(parts: DownloadRouteParts): Router {
  const router = express.Router();
  router.all(`${ROOT}{/*path}`, async (req, res) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') return replyNotAllowed(res, 'GET, HEAD');
    refuseServiceWorker(req);
    const place = placeOf(rawPath(req, ROOT));
    const file = await wantedFile(parts, req, place);
    const isAttachment = req.query.attachment !== undefined && req.query.attachment !== 'false';
    await serveFile(req, res, file, {
      cacheControl: cacheControl(file, req.query.v),
      disposition: isAttachment ? 'attachment' : 'inline',
      // What users upload must not act for whoever looks at it.
      contentSecurityPolicy: isActive(contentType(file.mimeType, file.encoding)) ? SHOWN_FILE : undefined,
    });
  });
  return router;
}

/** The path behind the route's own, as it came. */
export const rawPath = (req: Request, root: string): string => (req.originalUrl.split('?')[0] ?? '').slice(root.length);

/** Only the address of these very bytes may be kept without asking again; never where others might find it. */
const cacheControl = ({ lastModified }: FileSource, version: unknown): string =>
  version === String(lastModified) ? 'private, max-age=31536000, immutable' : 'private, no-cache, must-revalidate';

async function wantedFile(parts: DownloadRouteParts, req: Request, place: Place): Promise<FileSource> {
  const { files } = parts;
  const { workspace, segments } = place;
  const caller = await signedInCaller(parts, req, workspace);
  refuseAway(files, workspace);
  const property = wantedProperty(req);
  const found = await (property === undefined
    ? files.file(caller, segments)
    : files.property(caller, segments, property));
  if (typeof found === 'string') throw noFile(found, encodedPath(segments));
  return found;
}

function wantedProperty({ query }: Request): PropertyName | undefined {
  const { property: name, index } = query;
  if (name === undefined) return undefined;
  if (typeof name !== 'string' || name === '') throw badQuery('the name of one property', 'property');
  if (/^(jcr|rep|oak):/.test(name)) {
    throw new ServiceError('FORBIDDEN', `expected a property of the user's, but '${name}' is the repository's own`, {
      reason: 'property_protected',
    });
  }
  if (index === undefined) return { name, index: null };
  if (typeof index !== 'string' || !/^\d{1,9}$/.test(index)) throw badQuery('a number from 0', 'index');
  return { name, index: Number(index) };
}

const badQuery = (expected: string, parameter: string) =>
  badRequest(`expected ${expected} as '${parameter}', but found something else`, {
    reason: 'argument_invalid',
    details: { argument: parameter },
  });

const ARCHIVES = '/bin/download-archive.cgi';
const JOB_ID = /^\d{1,16}-[0-9a-f]{1,16}$/;

/** `/bin/download-archive.cgi/{workspace}/{jobId}`, the ZIP of an archive job, and `…/report`, the CSV of an import: for who started it. */
export function archiveRoutes(parts: DownloadRouteParts): Router {
  const router = express.Router();
  router.all(`${ARCHIVES}{/*path}`, (req, res) => serveArchive(parts, req, res));
  return router;
}

async function serveArchive(parts: DownloadRouteParts, req: Request, res: Response): Promise<void> {
  if (req.method !== 'GET' && req.method !== 'HEAD') return replyNotAllowed(res, 'GET, HEAD');
  const path = rawPath(req, ARCHIVES);
  const { workspace, segments } = placeOf(path);
  const [jobId = '', kind, ...more] = segments;
  if (!JOB_ID.test(jobId)) {
    throw badRequest('expected a job id of the form <milliseconds>-<hex> behind the workspace', {
      reason: 'job_id_invalid',
    });
  }
  const caller = await signedInCaller(parts, req, workspace);
  if (more.length > 0 || (kind !== undefined && kind !== 'report')) throw fileNotFound(path);
  const { files } = parts;
  refuseAway(files, workspace);
  const found = await (kind === undefined ? files.archive(caller, jobId) : files.report(caller, jobId));
  if (found === 'forbidden') throw forbidden(path);
  if (found === 'missing') throw fileNotFound(path);
  await serveFile(req, res, found, { cacheControl: 'no-store', disposition: 'attachment' });
}
