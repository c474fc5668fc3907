import express, { type Request, type Response, type Router } from 'express';
import { badRequest } from '../../shared/errors.js';
import { replyNotAllowed } from '../http/reply.js';
import { type DownloadRouteParts, rawPath } from './download-routes.js';
import { placeOf } from './request-path.js';
import { signedInCaller } from './route-caller.js';
import { fileNotFound, forbidden, noWorkspace } from './route-errors.js';
import { serveFile } from './serve-file.js';

const ROOT = '/bin/download-archive.cgi';
const JOB_ID = /^\d{1,16}-[0-9a-f]{1,16}$/;

/** `/bin/download-archive.cgi/{workspace}/{jobId}`, the ZIP of an archive job, and `…/report`, the CSV of an import: for who started it. */
export function archiveRoutes(parts: DownloadRouteParts): Router {
  const router = express.Router();
  router.all(`${ROOT}{/*path}`, (req, res) => serve(parts, req, res));
  return router;
}

async function serve(parts: DownloadRouteParts, req: Request, res: Response): Promise<void> {
  if (req.method !== 'GET' && req.method !== 'HEAD') return replyNotAllowed(res, 'GET, HEAD');
  const path = rawPath(req, ROOT);
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
  if (!files.hasWorkspace(workspace)) throw noWorkspace(workspace);
  const found = await (kind === undefined ? files.archive(caller, jobId) : files.report(caller, jobId));
  if (found === 'forbidden') throw forbidden(path);
  if (found === 'missing') throw fileNotFound(path);
  await serveFile(req, res, found, { cacheControl: 'no-store', disposition: 'attachment' });
}
