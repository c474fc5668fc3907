import type { Router } from 'express';
import express from 'express';
import type { Histories } from '../../eip/index.js';
import type { ServiceError } from '../../shared/errors.js';
import type { PartitionPort, Reader } from '../../store/index.js';
import { ContentOrigin } from '../http/request-origin.js';
import type { WireParts } from '../server.js';
import type { ContentDomain } from '../wire/content-domain.js';
import type { Workspaces } from '../wire/workspaces.js';
import { ContentFiles } from './content-files.js';
import { DesktopTrust } from './desktop-trust.js';
import { archiveRoutes, downloadRoutes } from './download-routes.js';
import { guest } from './route-caller.js';
import { type WebRouteParts, webRoutes } from './web-routes.js';

/** Sources of files: content, exchanges, and the workspaces they are in. */
interface FileDomains {
  readonly content: ContentDomain;
  readonly reader: Reader;
  readonly histories: Histories;
  readonly workspaces: Workspaces;
  /** Why a workspace that is none of them takes no calls. */
  readonly away: (workspace: string) => ServiceError;
}

/** The routes to the files of the tree. */
export function fileParts(
  parts: WireParts,
  { content, reader, histories: history, workspaces, away }: FileDomains,
): Router {
  const { config, principals, bodies, baseUrl } = parts;
  // A workspace that is started anew has another partition.
  const desktops = new WeakMap<PartitionPort, DesktopTrust>();
  const desktop = (partition: PartitionPort) => {
    const trust = desktops.get(partition) ?? new DesktopTrust({ partition, reader, principals });
    desktops.set(partition, trust);
    return trust;
  };
  const guestOf = (workspace: string) => guest(parts, workspace);
  return fileRoutes({
    ...parts,
    workspaceId: (name) => workspaces.get(name)?.id,
    files: new ContentFiles({ workspaces, away, blobs: content.blobs, history, desktop, guest: guestOf }),
    body: { bodies, bytesMax: config.bodyBytesMax },
    baseUrl: () => baseUrl,
    contentOrigin: new ContentOrigin(config.contentOrigin),
  });
}

/** All routes to files: downloads, archives, the website below /content. */
export function fileRoutes(parts: WebRouteParts): Router {
  const router = express.Router();
  router.use(downloadRoutes(parts), archiveRoutes(parts), webRoutes(parts));
  return router;
}
