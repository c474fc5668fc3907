import type { Request } from 'express';
import { badRequest, ServiceError } from '../../shared/errors.js';
import type { NoFile } from './file-access.js';

const notFound = (what: string, path: string) =>
  new ServiceError('NOT_FOUND', `expected ${what} at '${path}', but there is none`, { reason: 'file_not_found' });

export const noWorkspace = (workspace: string) =>
  new ServiceError('NOT_FOUND', `expected a workspace '${workspace}', but there is none`, {
    reason: 'workspace_not_found',
    resourceId: workspace,
  });

export const forbidden = (path: string) =>
  new ServiceError('FORBIDDEN', `expected a caller who may read '${path}', but the caller may not`, {
    reason: 'access_denied',
  });

/** A worker of its origin would answer for every page of it, and stay when the file is gone. @throws FORBIDDEN */
export function refuseServiceWorker({ headers }: Request): void {
  if (headers['service-worker'] === undefined) return;
  throw new ServiceError('FORBIDDEN', 'expected a file to be no service worker, but a browser asks for it as one', {
    reason: 'service_worker',
  });
}

export const fileNotFound = (path: string) => notFound('a file', path);

/** What to answer where there is no file to download. */
export function noFile(found: NoFile | 'not binary', path: string): ServiceError {
  if (found === 'forbidden') return forbidden(path);
  if (found === 'missing') return fileNotFound(path);
  const what = found === 'not binary' ? 'a binary property' : 'a file';
  return badRequest(`expected ${what} at '${path}', but found something else`, { reason: 'not_a_file' });
}
