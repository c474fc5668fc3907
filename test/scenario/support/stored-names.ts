import { join } from 'node:path';
import { contentDeployments } from '../../../src/server/content-deployment/deployment-record.js';
import { domainModules } from '../../../src/server/wire/domains.js';
import { leanDocumentOf } from '../../../src/store/document-text.js';
import { allCollections } from '../../../src/store/index.js';
import { storedCollections } from '../../../src/store/log/stored-rows.js';
import { openDatabase } from '../../../src/store/sqlite.js';
import { workspaces } from '../../../src/workspace/index.js';

const collections = new Map(
  [...allCollections(domainModules), contentDeployments, workspaces].map((one) => [one.name, one]),
);

/** Paths at which documents of a partition have the text: `node acl[].principal`. What stands behind it is where it is only a part of a text. */
export function placesOf(folder: string, partition: string, text: string): Set<string> {
  const database = openDatabase(join(folder, partition, 'log.db'), { readOnly: true });
  const found = new Set<string>();
  try {
    for (const name of storedCollections(database))
      for (const { id, body } of database.prepare(`SELECT id, body FROM "d_${name}"`).all())
        for (const path of pathsTo(leanDocumentOf({ id: String(id), body: String(body) }), text))
          found.add(`${name} ${path}`);
  } finally {
    database.close();
  }
  return found;
}

function* pathsTo(value: unknown, text: string, path = ''): Generator<string> {
  if (typeof value === 'string' && value.includes(text)) yield value === text ? path : `${path} (in a text)`;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, one] of Object.entries(value)) {
    const step = Array.isArray(value) ? '[]' : path === '' ? name : `.${name}`;
    if (!Array.isArray(value) && name.includes(text)) yield `${path} (as a name)`;
    yield* pathsTo(one, text, `${path}${step}`);
  }
}

/** Whether the collection declares the path. */
export function isDeclared(place: string): boolean {
  const at = place.indexOf(' ');
  const [name, path] = [place.slice(0, at), place.slice(at + 1)];
  return path in (collections.get(name)?.principals ?? {});
}
