import { routeFiles, routeTemplates } from './collection/route-files.js';
import { routeTexts } from './collection/route-text.js';
import { routes, routeVersions } from './collection/routes.js';

export * from './collection/route-files.js';
export * from './collection/routes.js';

/** The collections of routes, as their domain lists them. */
export const eipCollections = [routeFiles, routes, routeVersions, routeTemplates, routeTexts];
