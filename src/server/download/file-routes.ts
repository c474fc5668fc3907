import express, { type Router } from 'express';
import { archiveRoutes } from './archive-routes.js';
import { downloadRoutes } from './download-routes.js';
import { type WebRouteParts, webRoutes } from './web-routes.js';

/** All routes to files: downloads, archives, the website below /content. */
export function fileRoutes(parts: WebRouteParts): Router {
  const router = express.Router();
  router.use(downloadRoutes(parts), archiveRoutes(parts), webRoutes(parts));
  return router;
}
