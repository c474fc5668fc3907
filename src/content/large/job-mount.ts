import { type LongJob, longJobs } from '../../store/documents.js';
import type { LongJobFile } from '../../store/index.js';
import { type ContentNode, JOBS_ID } from '../tree/node.js';
import type { Mount, Reading } from '../tree/tree.js';
import { dateOfInstant } from '../value/date-value.js';
import type { Property } from '../value/property.js';

/**
 * Long jobs as nodes below /var/jobs: `<year>/<month>/job-<id>`, by the UTC month of the id; in each of them what it keeps, as files. For those
 * who may read the folder, and each job for its owner. Identifiers: `job:<year>`, `job:<year>-<month>`, `job:<id of the job>`,
 * `job:<id of the job>/<kind of the file>`, and of the file's content one more `/content`.
 */
export const jobMount: Mount = {
  rootId: JOBS_ID,
  get: (reading, id) => (id.startsWith(PREFIX) ? shownById(reading, id.slice(PREFIX.length)) : undefined),
  child: (reading, parent, name) => childOf(reading, parent, name),
  children: (reading, parent, after, limit) => childrenOf(reading, parent, after, limit),
};

const PREFIX = 'job:';
const NAME = 'job-';
const PLAIN = { order: null, mixins: [] } as const;
const YEAR = /^\d{4}$/;
const MONTH = /^(\d{4})-(\d{2})$/;

function shownById(reading: Reading, id: string): ContentNode | undefined {
  if (YEAR.test(id)) return yearNode(reading, Number(id));
  const [, year, month] = MONTH.exec(id) ?? [];
  if (year !== undefined) return monthNode(reading, Number(year), Number(month));
  const [jobId = '', kind, content, ...more] = id.split('/');
  const job = reading.get(longJobs, jobId);
  if (job === undefined || more.length > 0) return undefined;
  if (kind === undefined) return jobNode(job);
  const file = job.files?.find((one) => one.kind === kind);
  if (file === undefined) return undefined;
  if (content === undefined) return fileNode(job, file);
  return content === 'content' ? fileContent(job, file) : undefined;
}

function childOf(reading: Reading, parent: ContentNode, name: string): ContentNode | undefined {
  const id = shownId(parent);
  if (id === undefined) return undefined;
  if (id === '') return YEAR.test(name) ? yearNode(reading, Number(name)) : undefined;
  if (YEAR.test(id)) return /^\d{2}$/.test(name) ? monthNode(reading, Number(id), Number(name)) : undefined;
  if (MONTH.test(id)) return jobIn(reading, id, name);
  return filesOf(reading, id).find((child) => child.name === name);
}

function childrenOf(reading: Reading, parent: ContentNode, after: string | null, limit: number): ContentNode[] {
  const id = shownId(parent);
  if (id === undefined) return [];
  if (id === '') return years(reading, after, limit);
  if (YEAR.test(id)) return months(reading, Number(id), after).slice(0, limit);
  const [, year, month] = MONTH.exec(id) ?? [];
  if (year !== undefined) return jobsOf(reading, Number(year), Number(month), { after, limit });
  const isBehind = ({ name }: ContentNode) => after === null || name > after;
  return filesOf(reading, id).filter(isBehind).slice(0, limit);
}

/** What the node is here; empty: the folder that all are in. Undefined: nothing. */
function shownId({ id }: ContentNode): string | undefined {
  if (id === JOBS_ID) return '';
  return id.startsWith(PREFIX) ? id.slice(PREFIX.length) : undefined;
}

function jobIn(reading: Reading, month: string, name: string): ContentNode | undefined {
  const job = name.startsWith(NAME) ? reading.get(longJobs, name.slice(NAME.length)) : undefined;
  return job !== undefined && monthId(job) === month ? jobNode(job) : undefined;
}

/** The files of a job, or the content of one of them; by name. */
function filesOf(reading: Reading, id: string): ContentNode[] {
  const [jobId = '', kind, content] = id.split('/');
  const job = reading.get(longJobs, jobId);
  const files = job?.files ?? [];
  if (job === undefined || content !== undefined) return [];
  if (kind === undefined) return files.map((file) => fileNode(job, file)).sort(byName);
  return files.filter((file) => file.kind === kind).map((file) => fileContent(job, file));
}

const byName = (a: ContentNode, b: ContentNode): number => (a.name < b.name ? -1 : 1);

/** Each year is found by its first job: there may be very many jobs. */
function years(reading: Reading, after: string | null, limit: number): ContentNode[] {
  const found: ContentNode[] = [];
  let from = after === null ? 0 : Date.UTC(Number(after) + 1, 0);
  while (found.length < limit) {
    const first = firstSince(reading, from);
    if (first === undefined) break;
    const year = new Date(first.created).getUTCFullYear();
    found.push(folder(JOBS_ID, String(year), String(year)));
    from = Date.UTC(year + 1, 0);
  }
  return found;
}

function months(reading: Reading, year: number, after: string | null): ContentNode[] {
  const all = Array.from({ length: 12 }, (_, n) => n + 1).filter((month) => after === null || month > Number(after));
  return all.flatMap((month) => monthNode(reading, year, month) ?? []);
}

function jobsOf(
  reading: Reading,
  year: number,
  month: number,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): ContentNode[] {
  const end = Date.UTC(year, month);
  const behind = after?.slice(NAME.length) ?? '';
  const from = after === null ? Date.UTC(year, month - 1) : Number.parseInt(behind, 10);
  // Jobs of the same millisecond come again when one goes on from there: more are asked for then.
  for (let wanted = limit + 1; ; wanted *= 2) {
    const some = reading.find(longJobs, 'created', [], { from, limit: wanted });
    const fitting = some.filter(({ id, created }) => created < end && (after === null || id > behind));
    const isAll = some.length < wanted || (some.at(-1)?.created ?? end) >= end;
    if (isAll || fitting.length >= limit) return fitting.slice(0, limit).map(jobNode);
  }
}

const firstSince = (reading: Reading, from: number): LongJob | undefined =>
  reading.find(longJobs, 'created', [], { from, limit: 1 })[0];

function yearNode(reading: Reading, year: number): ContentNode | undefined {
  const first = firstSince(reading, Date.UTC(year, 0));
  const isThere = first !== undefined && first.created < Date.UTC(year + 1, 0);
  return isThere ? folder(JOBS_ID, String(year), String(year)) : undefined;
}

function monthNode(reading: Reading, year: number, month: number): ContentNode | undefined {
  if (month < 1 || month > 12) return undefined;
  const first = firstSince(reading, Date.UTC(year, month - 1));
  if (first === undefined || first.created >= Date.UTC(year, month)) return undefined;
  const name = String(month).padStart(2, '0');
  return folder(`${PREFIX}${year}`, name, `${year}-${name}`);
}

const folder = (parent: string, name: string, id: string): ContentNode => ({
  id: `${PREFIX}${id}`,
  parent,
  name,
  ...PLAIN,
  type: 'nt:folder',
  properties: {},
  version: 0,
});

function monthId({ created }: LongJob): string {
  const date = new Date(created);
  return `${date.getUTCFullYear()}-${String(date.getUTCMonth() + 1).padStart(2, '0')}`;
}

/** The job in its properties, readable for its owner. */
function jobNode(job: LongJob): ContentNode {
  const { id, type, userId, priority, figures, actor } = job;
  const told = Object.entries(figures).flatMap(([name, value]) => {
    const property = propertyOf(value);
    return property === undefined ? [] : [[name, property] as const];
  });
  const times = Object.entries({ queued: job.queued, started: job.started, ended: job.ended });
  const properties: Record<string, Property> = {
    ...Object.fromEntries(told),
    type: text(type),
    status: text(actor.value),
    owner: text(userId),
    priority: { type: 'Long', value: priority },
    created: date(job.created),
    modified: date(job.updated),
    ...Object.fromEntries(times.flatMap(([name, at]) => (at === null ? [] : [[name, date(at)]]))),
  };
  return {
    id: `${PREFIX}${id}`,
    parent: `${PREFIX}${monthId(job)}`,
    name: `${NAME}${id}`,
    ...PLAIN,
    type: 'nt:unstructured',
    properties,
    acl: [{ principal: userId, privileges: ['jcr:read'], allow: true }],
    version: job.version,
  };
}

function propertyOf(value: unknown): Property | undefined {
  if (typeof value === 'number') return { type: 'Long', value };
  if (typeof value === 'boolean') return { type: 'Boolean', value };
  if (typeof value === 'string') return text(value);
  return Array.isArray(value) ? { type: 'String', values: value.map(String) } : undefined;
}

const fileNode = (job: LongJob, { kind, name }: LongJobFile): ContentNode => ({
  id: `${PREFIX}${job.id}/${kind}`,
  parent: `${PREFIX}${job.id}`,
  // Names of clients may hold what no node's name does.
  name: kind === 'report' ? 'report.csv' : kind === 'source' ? 'source.zip' : 'archive.zip',
  ...PLAIN,
  type: 'nt:file',
  properties: { 'jcr:created': date(job.created), 'jcr:createdBy': text(job.userId), title: text(name) },
  version: job.version,
});

const fileContent = (job: LongJob, { kind, mimeType, data }: LongJobFile): ContentNode => ({
  id: `${PREFIX}${job.id}/${kind}/content`,
  parent: `${PREFIX}${job.id}/${kind}`,
  name: 'jcr:content',
  ...PLAIN,
  type: 'nt:resource',
  properties: {
    'jcr:data': { type: 'Binary', value: data },
    'jcr:mimeType': text(mimeType),
    'jcr:lastModified': date(job.ended ?? job.created),
    'jcr:lastModifiedBy': text(job.userId),
  },
  version: job.version,
});

const text = (value: string): Property => ({ type: 'String', value });
const date = (ms: number): Property => ({ type: 'Date', value: dateOfInstant(ms) ?? '' });
