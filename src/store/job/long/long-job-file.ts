/** Bytes: a blob by its SHA-256, or so few that they are kept where they are, as Base64. */
export type LongJobBytes =
  | { readonly blob: string; readonly size: number }
  | { readonly inline: string; readonly size: number };

/** A file that a long job keeps. Its bytes are held for as long as the job is kept. */
export interface LongJobFile {
  /** What it is to the job; a job has one of each. `source`: what it works on; `archive`, `report`: what it has made. */
  readonly kind: 'source' | 'archive' | 'report';
  /** As it is saved under. */
  readonly name: string;
  readonly mimeType: string;
  readonly data: LongJobBytes;
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
