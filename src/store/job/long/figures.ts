/** Figures of a long job while it runs. One that does not belong to its type stays null. */
export interface LongJobFigures {
  /** How many there are to do: the items that were appended, unless the type counts otherwise. */
  readonly itemsTotal: number;
  readonly itemsProcessed: number;
  readonly itemsDeleted: number | null;
  readonly itemsArchived: number | null;
  readonly itemsImported: number | null;
  readonly itemsNew: number | null;
  readonly itemsOverwritten: number | null;
  readonly itemsSkipped: number | null;
  readonly itemsError: number | null;
  /** The first of what failed, `path TAB message`; at most 20. */
  readonly errorSamples: readonly string[] | null;
  readonly dryRunHasErrors: boolean | null;
  readonly dryRunNodeCount: number | null;
  readonly dryRunBinaryCount: number | null;
  readonly dryRunDetail: string | null;
  /** Path that it is at. */
  readonly currentPath: string | null;
  /** Why it failed; also while it runs, when some of it failed. */
  readonly errorMessage: string | null;
  /** Part of the work that it is at. */
  readonly phase: string | null;
  /** The workspace that it is about. */
  readonly targetWorkspace: string | null;
  /** Address of what it has made: a URL relative to the server. */
  readonly downloadUrl: string | null;
}

/** Bytes: a blob by its SHA-256, or so few that they are kept where they are, as Base64. */
type LongJobBytes =
  | { readonly blob: string; readonly size: number }
  | { readonly inline: string; readonly size: number };

/** A file that a long job keeps. Its bytes are held for as long as the job is kept. */
export interface LongJobFile {
  /** Its role; a job has one file of each. `source`: what it works on; `archive`, `report`: what it has made. */
  readonly kind: 'source' | 'archive' | 'report';
  /** As it is saved under. */
  readonly name: string;
  readonly mimeType: string;
  readonly data: LongJobBytes;
}

/** Progress as a run tells it: figures that it leaves out stay as they are. */
export interface LongJobChanges extends Partial<LongJobFigures> {
  /** Place at which a run that begins again may go on: everything before it is done. Plain JSON, at most 64 kB as text. */
  readonly checkpoint?: unknown;
  /** Files that it has made; of each kind the last one is kept. */
  readonly files?: readonly LongJobFile[];
}

/** Figures that never run backwards: a run that begins again counts from the start, and what it tells is shown once it is ahead. */
export const COUNTERS = [
  'itemsProcessed',
  'itemsDeleted',
  'itemsArchived',
  'itemsImported',
  'itemsNew',
  'itemsOverwritten',
  'itemsSkipped',
  'itemsError',
] as const satisfies readonly (keyof LongJobFigures)[];

/** How many messages of failed items are kept, and how much of a text, in characters. */
const ERROR_SAMPLES_MAX = 20;
const SAMPLE_LENGTH_MAX = 1_000;
const TEXT_LENGTH_MAX = 8_192;

/** The figures of a job that has not begun. */
export const noFigures: LongJobFigures = {
  itemsTotal: 0,
  itemsProcessed: 0,
  itemsDeleted: null,
  itemsArchived: null,
  itemsImported: null,
  itemsNew: null,
  itemsOverwritten: null,
  itemsSkipped: null,
  itemsError: null,
  errorSamples: null,
  dryRunHasErrors: null,
  dryRunNodeCount: null,
  dryRunBinaryCount: null,
  dryRunDetail: null,
  currentPath: null,
  errorMessage: null,
  phase: null,
  targetWorkspace: null,
  downloadUrl: null,
};

/** The figures after what a run told. Texts are cut to what a document can hold. */
export function changedFigures(
  before: LongJobFigures,
  { checkpoint: _checkpoint, files: _files, ...changes }: LongJobChanges,
): LongJobFigures {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const told = given.map(([name, value]) => [name, cut(name, value)] as const);
  const counted = COUNTERS.map((name) => [name, larger(before[name], changes[name])] as const);
  return { ...before, ...Object.fromEntries(told), ...Object.fromEntries(counted) };
}

const larger = (before: number | null, told: number | null | undefined): number | null =>
  told === null || told === undefined ? before : Math.max(before ?? 0, told);

function cut(name: string, value: unknown): unknown {
  if (name === 'errorSamples' && Array.isArray(value)) {
    return value.slice(0, ERROR_SAMPLES_MAX).map((sample) => String(sample).slice(0, SAMPLE_LENGTH_MAX));
  }
  return typeof value === 'string' ? value.slice(0, TEXT_LENGTH_MAX) : value;
}

/** The files with others added; of each kind the later one stays. */
export function withFiles(
  files: readonly LongJobFile[] = [],
  added: readonly LongJobFile[] | undefined,
): readonly LongJobFile[] {
  if (added === undefined) return files;
  const kinds = new Set(added.map(({ kind }) => kind));
  return [...files.filter(({ kind }) => !kinds.has(kind)), ...added];
}

/** The blobs that the files are kept in. */
export const blobsIn = (files: readonly LongJobFile[] = []): string[] =>
  files.flatMap(({ data }) => ('blob' in data ? [data.blob] : []));
