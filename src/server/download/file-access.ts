import type { Readable } from 'node:stream';
import type { Caller } from '../../shared/caller.js';
import type { ServiceError } from '../../shared/errors.js';
import type { ByteRange } from '../../store/index.js';

/** A file as it can be sent. */
export interface FileSource {
  /** As it is saved under; any text. */
  readonly name: string;
  /** As stored; what is none is sent as `application/octet-stream`. */
  readonly mimeType: string;
  /** The charset of text. Null: UTF-8. */
  readonly encoding: string | null;
  /** bytes */
  readonly size: number;
  /** ms */
  readonly lastModified: number;
  /** Another one whenever the bytes are other ones. */
  readonly etag: string;
  /** Whether guests may read it. */
  readonly isPublic: boolean;
  /** The bytes, ends included; fails as the stream does. Called at most once. */
  open(range: ByteRange): Readable;
}

/** The value of its header `Last-Modified` (RFC 9110 §8.8.2): whole seconds. */
export const lastModifiedDate = ({ lastModified }: Pick<FileSource, 'lastModified'>): string =>
  new Date(lastModified).toUTCString();

/** Why there is no file. `folder`: an nt:folder or the like; `other`: any other node; `forbidden`: there, but the caller may not read it. */
export type NoFile = 'missing' | 'forbidden' | 'folder' | 'other';

/** A binary property of a file, or one of its values. */
export interface PropertyName {
  readonly name: string;
  /** Of a property of several values, from 0. Null: the property has one value, or the first is meant. */
  readonly index: number | null;
}

type Eventually<T> = T | Promise<T>;

/**
 * The way from HTTP to what can be downloaded. Whether a thing that the caller may not read is `forbidden` or `missing` is decided behind it.
 * Segments are the decoded names of a path; none is the root.
 */
export interface FileAccess {
  /** Why nothing is to be had of a workspace; undefined: it takes calls. */
  refusal(workspace: string): ServiceError | undefined;
  /** Whether only administrators may change what lies in the folder of the workspace's web desktop. */
  isDesktopTrusted(workspace: string): Eventually<boolean>;
  file(caller: Caller, segments: readonly string[]): Eventually<FileSource | NoFile>;
  /** A value of the file's content; its MIME type sniffed, its name the property's with an extension. */
  property(
    caller: Caller,
    segments: readonly string[],
    property: PropertyName,
  ): Eventually<FileSource | NoFile | 'not binary'>;
  /** The ZIP of a completed archive job, under its recorded name. Forbidden to all but who started it. */
  archive(caller: Caller, jobId: string): Eventually<FileSource | 'missing' | 'forbidden'>;
  /** The CSV report of an import job that has ended, however. As {@link archive}. */
  report(caller: Caller, jobId: string): Eventually<FileSource | 'missing' | 'forbidden'>;
}
