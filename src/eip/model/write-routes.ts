import { stringify } from 'yaml';
import { type PlainItem, plainFile, plainRoute } from './plain-file.js';
import type { RouteFile, RouteModel } from './route-model.js';
import { xmlOf } from './write-xml-text.js';

/** Writes routes in Camel's canonical YAML DSL. */
export const writeYaml = (of: RouteFile | RouteModel): string =>
  stringify(
    itemsOf(of).map(([name, value]) => ({ [name]: value })),
    { lineWidth: 0, aliasDuplicateObjects: false },
  );

/** Writes routes in Camel's XML DSL. Parameters become part of their URIs; characters that XML does not have become U+FFFD. */
export const writeXml = (of: RouteFile | RouteModel): string => xmlOf(itemsOf(of));

const itemsOf = (of: RouteFile | RouteModel): PlainItem[] => ('routes' in of ? plainFile(of) : [plainRoute(of)]);
