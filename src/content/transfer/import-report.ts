import { csvLine } from '../../shared/csv.js';
import type { LongJobFile } from '../../store/index.js';

/**
 * Fate of a node of the archive. `attach`: it is new below one that is there; `new`: below one that is new itself; `overwrite`, `merge`:
 * there is one, which is changed, or stays as it is; `skip`, `error`: nothing.
 */
type Fate = 'attach' | 'new' | 'overwrite' | 'merge' | 'skip' | 'error';

export interface Planned {
  readonly fate: Fate;
  /** What it has, or will have, as its identifier. */
  readonly id: string;
  readonly name: string;
  readonly isFile: boolean;
  readonly type: string;
  readonly mixins: readonly string[];
  /** Why it cannot be imported. */
  readonly message: string | null;
}

/** Status of a file in the report. */
type Status = 'new' | 'overwritten' | 'skipped' | 'error' | 'not imported';

/** How many files came to what. */
interface ImportCounts {
  readonly itemsNew: number;
  readonly itemsOverwritten: number;
  readonly itemsSkipped: number;
  readonly itemsError: number;
}

const HEADINGS = { en: ['path', 'status', 'message'], ja: ['パス', '状態', 'メッセージ'] } as const;

const STATUSES: Readonly<Record<'en' | 'ja', Readonly<Record<Status, string>>>> = {
  en: { new: 'new', overwritten: 'overwritten', skipped: 'skipped', error: 'error', 'not imported': 'not imported' },
  ja: { new: '新規', overwritten: '上書き', skipped: 'スキップ', error: 'エラー', 'not imported': '未インポート' },
};

const STATUS_OF: Readonly<Record<Fate, Status>> = {
  attach: 'new',
  new: 'new',
  overwrite: 'overwritten',
  merge: 'overwritten',
  skip: 'skipped',
  error: 'error',
};

/** A row of the report, before it is written. */
interface ReportRow {
  readonly path: string;
  readonly fate: Fate;
  readonly message: string | null;
}

/** The files of the plan, and whatever else cannot be imported. */
export function* rowsOf(
  planned: ReadonlyMap<string, Planned>,
  strays: readonly string[],
  pathOf: (path: string) => string,
): Generator<ReportRow> {
  for (const [path, { fate, isFile, message }] of planned)
    if (isFile || (message !== null && !path.endsWith('/jcr:content'))) yield { path: pathOf(path), fate, message };
  for (const path of strays) yield { path: pathOf(path), fate: 'skip', message: 'the archive does not describe it' };
}

/** Tally of all nodes of a plan. */
export class ImportTally {
  /** Why nodes cannot be imported, by their paths. */
  readonly errors: (readonly [path: string, message: string])[] = [];
  /** How many nodes of the tree are changed, what lies below new ones left out. */
  published = 0;
  readonly #counts = { new: 0, overwritten: 0, skipped: 0, error: 0, 'not imported': 0 };

  add(path: string, { isFile, fate, message }: Planned): void {
    if (isFile) this.#counts[STATUS_OF[fate]]++;
    if (message !== null) this.errors.push([path, message]);
    if (fate === 'attach' || fate === 'overwrite') this.published++;
  }

  /** How many files of the archive came to what; each is counted once. `strays`: how many the archive does not describe. */
  countsWith(strays: number): ImportCounts {
    const { new: itemsNew, overwritten: itemsOverwritten, skipped, error: itemsError } = this.#counts;
    return { itemsNew, itemsOverwritten, itemsSkipped: skipped + strays, itemsError };
  }
}

/** The report as text, piece by piece: UTF-8 with a byte order mark, CSV by RFC 4180. `hasFailed`: nothing was imported. */
export async function* reportText(
  rows: Iterable<ReportRow>,
  { locale, hasFailed }: { readonly locale: 'en' | 'ja'; readonly hasFailed: boolean },
): AsyncGenerator<Buffer> {
  let text = `\u{FEFF}${csvLine(HEADINGS[locale])}`;
  for (const { path, fate, message } of rows) {
    const status = STATUS_OF[fate];
    const isVain = hasFailed && (status === 'new' || status === 'overwritten');
    text += csvLine([path, STATUSES[locale][isVain ? 'not imported' : status], message ?? '']);
    if (text.length < PIECE_LENGTH) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}

const PIECE_LENGTH = 65_536;

/** The report among the files of its job. */
export const reportFile = (archive: string, { sha256, size }: { sha256: string; size: number }): LongJobFile => ({
  kind: 'report',
  name: archive.replace(/\.zip$/i, '-report.csv'),
  mimeType: 'text/csv',
  data: { blob: sha256, size },
});
