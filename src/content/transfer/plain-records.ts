import type { Entry } from 'yauzl';
import { dateOfInstant } from '../value/date-value.js';
import type { PropertyType } from '../value/property.js';
import type { GivenProperty, GivenValue, ImportRecord, ImportRecords } from './records.js';
import type { ZipSource } from './zip/zip-source.js';

/** What other programs put into ZIP files for themselves. */
export const isForeign = (name: string): boolean => /^(?:__MACOSX\/|(?:.*\/)?\.DS_Store$)/.test(name);

/** The files of a ZIP with the folders that they lie in, and no more. */
export const plainRecords = (zip: ZipSource): ImportRecords => ({
  namespaces: {},
  records: () => nodesOf(zip),
  access: async function* () {},
  strays: [],
});

async function* nodesOf({ entries }: ZipSource): AsyncGenerator<ImportRecord> {
  const known = new Set<string>();
  for (const [name, entry] of entries) {
    if (isForeign(name)) continue;
    const folders = foldersOf(name).filter((path) => !known.has(path));
    for (const path of folders) yield { ...PLAIN, path, type: 'nt:folder' };
    for (const path of folders) known.add(path);
    if (!name.endsWith('/')) yield* fileRecords(name, entry);
  }
}

const PLAIN = { id: null, mixins: [], properties: {}, isDescribed: false } as const;

/** The folders on the way, itself where it is one. */
function foldersOf(name: string): string[] {
  const steps = name.split('/').slice(0, -1);
  return steps.map((_, n) => steps.slice(0, n + 1).join('/'));
}

function* fileRecords(path: string, entry: Entry): Generator<ImportRecord> {
  const modified = dateOfInstant(entry.getLastModDate().getTime());
  const one = (type: PropertyType, value: GivenValue): GivenProperty => ({ type, multiple: false, values: [value] });
  const dated = modified === null ? {} : { 'jcr:lastModified': one('Date', { given: modified }) };
  yield { ...PLAIN, path, type: 'nt:file' };
  const properties = { 'jcr:data': one('Binary', { entry }), ...dated };
  yield { ...PLAIN, path: `${path}/jcr:content`, type: 'nt:resource', properties };
}
