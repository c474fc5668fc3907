import type { Scalar } from '../collection.js';
import type { CommitRecord, DocumentRecord } from './log.js';
import type { RedisKeys } from './redis-keys.js';
import { MORE_FIELDS } from './redis-scripts.js';
import type { TableShape } from './schema.js';

/** A stored document: `revision`, a line; its columns by name as JSON, a line; its text. */
export interface StoredDocument {
  readonly revision: number;
  readonly document: DocumentRecord;
}

/** A kept outcome as Redis holds it. */
export interface StoredOutcome {
  readonly at: number;
  readonly revision: number;
  readonly body: string;
}

type Shapes = ReadonlyMap<string, TableShape>;

/** A batch of commits, as the script that appends is given it. */
export interface Batch {
  readonly keys: readonly string[];
  readonly args: readonly string[];
}

/** Keys and arguments of a batch, in the order that the script reads them. */
export function batchOf(group: readonly CommitRecord[], keys: RedisKeys, shapes: Shapes): Batch {
  const collections: string[] = [];
  const commits: string[] = [];
  for (const { revision, id, at, events, body, outcome, documents } of group) {
    commits.push(String(revision), id, String(at), String(events), body, outcome?.id ?? '', outcome?.body ?? '');
    commits.push(String(documents.length));
    for (const document of documents) {
      let place = collections.indexOf(document.collection);
      if (place < 0) place = collections.push(document.collection) - 1;
      commits.push(String(place + 1), document.id, textOf(document, revision, shapeOf(shapes, document.collection)));
    }
  }
  return {
    keys: [keys.meta, keys.log, keys.outcome, keys.outcomeAt, ...collections.map(keys.documents)],
    args: [String(group.length), String(collections.length), ...collections, ...commits],
  };
}

/** A stream's entry as the commit that it was. */
export function commitOf([id, fields]: readonly [id: string, fields: readonly string[]], shapes: Shapes): CommitRecord {
  const [, commitId = '', , at, , events, , body = ''] = fields;
  const revision = Number.parseInt(id, 10);
  let outcome: CommitRecord['outcome'] = null;
  const documents: DocumentRecord[] = [];
  const read = (pairs: readonly string[], from: number) => {
    for (let i = from; i < pairs.length; i += 2) {
      const [name = '', value = ''] = [pairs[i], pairs[i + 1]];
      if (name.startsWith('o:')) outcome = { id: name.slice(2), body: value };
      else if (name === MORE_FIELDS) read(JSON.parse(value) as string[], 0);
      else {
        const slash = name.indexOf('/');
        const collection = name.slice(2, slash);
        documents.push(documentOf(shapeOf(shapes, collection), name.slice(slash + 1), value).document);
      }
    }
  };
  read(fields, 8);
  return { revision, id: commitId, at: Number(at), events: Number(events), body, outcome, documents };
}

/** A document as Redis holds it; an empty text is one that was removed. */
export function documentOf(shape: TableShape, id: string, text: string): StoredDocument {
  const collection = shape.name;
  if (text === '') return { revision: 0, document: { collection, id, body: null, columns: [], multi: [] } };
  const first = text.indexOf('\n');
  const second = text.indexOf('\n', first + 1);
  const { c, m } = JSON.parse(text.slice(first + 1, second)) as Columns;
  const columns = shape.columns.map((name) => c?.[name] ?? null);
  const multi = shape.multi.map((name) => m?.[name] ?? []);
  const revision = Number(text.slice(0, first));
  return { revision, document: { collection, id, body: text.slice(second + 1), columns, multi } };
}

/** `at revision body`, as the script wrote it. */
export function outcomeOf(text: string): StoredOutcome {
  const [at, revision] = text.split(' ', 2);
  return { at: Number(at), revision: Number(revision), body: text.slice(`${at} ${revision} `.length) };
}

/** By name, so that a collection may get more columns; what is null or empty is left out. */
interface Columns {
  readonly c?: Readonly<Record<string, Scalar>>;
  readonly m?: Readonly<Record<string, readonly string[]>>;
}

function textOf({ body, columns, multi }: DocumentRecord, revision: number, shape: TableShape): string {
  if (body === null) return '';
  const c: Record<string, Scalar> = {};
  shape.columns.forEach((name, i) => {
    const value = columns[i] ?? null;
    if (value !== null) c[name] = value;
  });
  const m: Record<string, readonly string[]> = {};
  shape.multi.forEach((name, i) => {
    const values = multi[i] ?? [];
    if (values.length > 0) m[name] = values;
  });
  return `${revision}\n${JSON.stringify({ c, m } satisfies Columns)}\n${body}`;
}

/** A collection that this server does not know has no columns here. */
const shapeOf = (shapes: Shapes, name: string): TableShape =>
  shapes.get(name) ?? { name, columns: [], multi: [], steady: [], indexes: [] };
