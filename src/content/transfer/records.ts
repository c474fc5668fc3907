import type { Entry } from 'yauzl';
import { badRequest, limitExceeded, refuse } from '../../shared/errors.js';
import { privilegeName } from '../../shared/rights/nodes.js';
import type { AccessEntry } from '../tree/node.js';
import { dateOfInstant } from '../value/date-value.js';
import { PROPERTY_TYPES, type PropertyType } from '../value/property.js';
import { ACCESS, ARCHIVE_FORMAT, ARCHIVE_VERSION, MANIFEST, NODES, SIDECAR } from './zip/sidecar.js';
import type { ZipSource } from './zip/zip-source.js';

/** A value as the archive gives it: its bytes are in an entry, or it is as it stands. */
export type GivenValue = { readonly entry: Entry } | { readonly given: unknown };

/** A property as the archive gives it. */
export interface GivenProperty {
  readonly type: PropertyType;
  readonly multiple: boolean;
  readonly values: readonly GivenValue[];
}

/** A node of an archive, before anything of it is checked against the workspace. */
export interface ImportRecord {
  /** Relative, with names as they stand in paths. */
  readonly path: string;
  /** Null: the archive knows none. */
  readonly id: string | null;
  readonly type: string;
  readonly mixins: readonly string[];
  readonly properties: Readonly<Record<string, GivenProperty>>;
  /** Whether the archive says all of it; else it is a file or folder and no more. */
  readonly isDescribed: boolean;
}

/** The nodes of an archive, parents first; read anew whenever asked. */
export interface ImportRecords {
  readonly namespaces: Readonly<Record<string, string>>;
  records(): AsyncIterable<ImportRecord>;
  /** Lists by the path of their node. */
  access(): AsyncIterable<{ readonly path: string; readonly entries: unknown }>;
  /** Files that no node stands for. */
  readonly strays: readonly string[];
}

const MANIFEST_BYTES_MAX = 1_048_576;

/** @throws BAD_REQUEST the sidecar is of another format or version, or broken */
export async function recordsOf(zip: ZipSource): Promise<ImportRecords> {
  const hasSidecar = [...zip.entries.keys()].some((name) => name.startsWith(SIDECAR));
  if (!hasSidecar) return plainRecords(zip);
  const entry = zip.entries.get(MANIFEST) ?? refuse(broken(`'${MANIFEST}' is missing`));
  const manifest = parsed(String(await zip.bytes(entry, MANIFEST_BYTES_MAX)), MANIFEST);
  if (manifest.format !== ARCHIVE_FORMAT || manifest.version !== ARCHIVE_VERSION) {
    throw badRequest(
      `expected an archive of format '${ARCHIVE_FORMAT}' version ${ARCHIVE_VERSION}, but found '${String(manifest.format)}' version ${String(manifest.version)}`,
      { reason: 'archive_version_unknown' },
    );
  }
  return describedRecords(zip, manifest);
}

function describedRecords(zip: ZipSource, manifest: Record<string, unknown>): ImportRecords {
  const nodes = zip.entries.get(NODES) ?? refuse(broken(`'${NODES}' is missing`));
  const used = new Set<string>();
  async function* records(): AsyncGenerator<ImportRecord> {
    for await (const line of linesOf(zip.read(nodes), NODES)) yield described(line, zip, used);
  }
  async function* access(): AsyncGenerator<{ path: string; entries: unknown }> {
    const lists = zip.entries.get(ACCESS);
    if (lists === undefined) return;
    for await (const { path, entries } of linesOf(zip.read(lists), ACCESS)) yield { path: String(path), entries };
  }
  return {
    namespaces: namespacesIn(manifest.namespaces),
    records,
    access,
    get strays() {
      const names = [...zip.entries.keys()].filter((name) => !name.endsWith('/') && !name.startsWith(SIDECAR));
      return names.filter((name) => !used.has(name) && !isForeign(name));
    },
  };
}

function namespacesIn(given: unknown): Record<string, string> {
  if (given === undefined || given === null) return {};
  if (typeof given !== 'object') throw broken('its namespaces are none');
  return Object.fromEntries(Object.entries(given).map(([prefix, uri]) => [prefix, String(uri)]));
}

function described(line: Record<string, unknown>, zip: ZipSource, used: Set<string>): ImportRecord {
  const { path, id, type, mixins = [], properties = {} } = line;
  if (typeof path !== 'string' || path === '' || typeof type !== 'string')
    throw broken('a node has no path or no type');
  if (!isTexts(mixins)) throw broken(`the mixins of '${path}' are none`);
  if (typeof properties !== 'object' || properties === null) throw broken(`the properties of '${path}' are none`);
  const given = Object.entries(properties).map(([name, value]) => [name, propertyOf(value, { zip, used, path, name })]);
  return {
    path,
    id: typeof id === 'string' && /^[\w-]{1,64}$/.test(id) ? id : null,
    type,
    mixins,
    properties: Object.fromEntries(given),
    isDescribed: true,
  };
}

interface Where {
  readonly zip: ZipSource;
  readonly used: Set<string>;
  readonly path: string;
  readonly name: string;
}

function propertyOf(given: unknown, where: Where): GivenProperty {
  const what = `property '${where.name}' of '${where.path}'`;
  if (typeof given !== 'object' || given === null) throw broken(`${what} is none`);
  const { type, value, values } = given as { type?: unknown; value?: unknown; values?: unknown };
  const known = PROPERTY_TYPES.find((one) => one === type);
  if (known === undefined) throw broken(`${what} is of no type`);
  const multiple = Array.isArray(values);
  const all: readonly unknown[] = multiple ? values : [value];
  return { type: known, multiple, values: all.map((one) => givenValue(one, what, where)) };
}

function givenValue(given: unknown, what: string, { zip, used }: Where): GivenValue {
  const isObject = typeof given === 'object' && given !== null;
  if (isObject && 'entry' in given) {
    const entry = zip.entries.get(String(given.entry));
    if (entry === undefined) throw broken(`the bytes of ${what} are missing: '${String(given.entry)}'`);
    used.add(entry.fileName);
    return { entry };
  }
  // Bytes in a sidecar are Base64; that of a blob of this server would be a way to what the caller may not read.
  if (isObject) return { given: 'inline' in given ? String(given.inline) : '' };
  return { given };
}

const isTexts = (given: unknown): given is readonly string[] =>
  Array.isArray(given) && given.every((one) => typeof one === 'string');

const broken = (found: string) =>
  badRequest(`expected an archive whose sidecar is whole, but ${found}`, { reason: 'sidecar_broken' });

/** What other programs put into ZIP files for themselves. */
const isForeign = (name: string): boolean => /^(?:__MACOSX\/|(?:.*\/)?\.DS_Store$)/.test(name);

/** The files of a ZIP with the folders that they lie in, and no more. */
const plainRecords = (zip: ZipSource): ImportRecords => ({
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

/** A line of the sidecar holds one node, whose document is smaller than this. In characters. */
const LINE_LENGTH_MAX = 2_000_000;

/** The values of a file of JSON texts, one per line. @throws BAD_REQUEST a line is no JSON object; LIMIT_EXCEEDED it is too long */
async function* linesOf(bytes: AsyncIterable<Buffer>, name: string): AsyncGenerator<Record<string, unknown>> {
  const decoder = new TextDecoder('utf-8', { fatal: false });
  let left = '';
  for await (const piece of bytes) {
    const lines = (left + decoder.decode(piece, { stream: true })).split('\n');
    left = lines.pop() ?? '';
    if (left.length > LINE_LENGTH_MAX)
      throw limitExceeded(
        `expected lines of at most ${LINE_LENGTH_MAX} characters in '${name}', but found a longer one`,
      );
    for (const line of lines) if (line.trim() !== '') yield parsed(line, name);
  }
  const last = left + decoder.decode();
  if (last.trim() !== '') yield parsed(last, name);
}

/** The JSON object of a text. @throws BAD_REQUEST */
function parsed(text: string, name: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // What is no JSON is refused below, as what is no object.
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw badRequest(`expected JSON objects in '${name}', but found '${text.slice(0, 80)}'`, {
    reason: 'sidecar_broken',
  });
}

/** How many lists an import may set. */
const LISTS_MAX = 50_000;

/** The access control lists of an archive, by path. @throws BAD_REQUEST a principal does not exist, or the sidecar is broken; LIMIT_EXCEEDED */
export async function accessIn(
  archive: ImportRecords,
  hasPrincipal: (name: string) => boolean,
): Promise<Map<string, readonly AccessEntry[]>> {
  const found = new Map<string, readonly AccessEntry[]>();
  for await (const { path, entries } of archive.access()) {
    if (found.size >= LISTS_MAX)
      throw limitExceeded(`expected at most ${LISTS_MAX} access control lists in an archive, but there are more`);
    found.set(path, accessOf(path, entries, hasPrincipal));
  }
  return found;
}

/** @throws BAD_REQUEST */
function accessOf(path: string, entries: unknown, hasPrincipal: (name: string) => boolean): AccessEntry[] {
  if (!Array.isArray(entries))
    throw badRequest(`expected the access control list of '${path}' to be one`, { reason: 'sidecar_broken' });
  return entries.map((entry: Partial<Record<keyof AccessEntry, unknown>> | null) => {
    const principal = String(entry?.principal ?? '');
    if (!hasPrincipal(principal))
      throw badRequest(
        `expected the principals of the archive to exist, but '${principal}', in the list of '${path}', does not`,
        {
          reason: 'principal_unknown',
        },
      );
    const privileges = Array.isArray(entry?.privileges)
      ? entry.privileges.map((name) => privilegeName(String(name)))
      : [];
    return { principal, privileges, allow: entry?.allow !== false };
  });
}
