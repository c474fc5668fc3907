import { createReadStream } from 'node:fs';
import { basename, dirname, posix } from 'node:path';

/** How much of a file is read at a time, in bytes. */
const READ_BYTES = 131_072;

/** A file as the body of an exchange: read anew each time that it is gone through, piece by piece, so that it may be of any size. */
export class GenericFile {
  /** Where it is. */
  readonly path: string;
  /** The directory of the endpoint, as its URI writes it. */
  readonly directory: string;
  /** Below that directory: `sub/a.txt`. */
  readonly name: string;
  /** In bytes. */
  readonly length: number;
  /** In ms since 1970. */
  readonly modified: number;
  /** Its text is decoded by this. Absent: its bytes are what it has. */
  readonly charset: string | undefined;

  constructor(parts: {
    readonly path: string;
    readonly directory: string;
    readonly name: string;
    readonly length: number;
    readonly modified: number;
    readonly charset: string | undefined;
  }) {
    this.path = parts.path;
    this.directory = parts.directory;
    this.name = parts.name;
    this.length = parts.length;
    this.modified = parts.modified;
    this.charset = parts.charset;
  }

  get onlyName(): string {
    return basename(this.name);
  }

  /** Its directory, as the URI writes it. */
  get parent(): string {
    return dirname(this.shownPath);
  }

  /** As the URI writes it: relative where that is. */
  get shownPath(): string {
    return posix.join(this.directory, this.name);
  }

  /** The same file behind a move within the endpoint's directory, or out of it. */
  movedTo(path: string, name: string): GenericFile {
    const { directory, length, modified, charset } = this;
    return new GenericFile({ directory, length, modified, charset, path, name });
  }

  /** As it is by now. */
  withStats(length: number, modified: number): GenericFile {
    const { path, directory, name, charset } = this;
    return new GenericFile({ path, directory, name, charset, length, modified });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string | Buffer> {
    const bytes = createReadStream(this.path, { highWaterMark: READ_BYTES });
    if (this.charset === undefined) {
      yield* bytes as AsyncIterable<Buffer>;
      return;
    }
    const decoder = new TextDecoder(this.charset);
    for await (const piece of bytes as AsyncIterable<Buffer>) yield decoder.decode(piece, { stream: true });
    yield decoder.decode();
  }

  /** What messages tell of it. */
  headers(): (readonly [string, unknown])[] {
    return [
      ['CamelFileNameOnly', this.onlyName],
      ['CamelFileName', this.name],
      ['CamelFileNameConsumed', this.name],
      ['CamelFileAbsolute', this.directory.startsWith('/')],
      ['CamelFileAbsolutePath', this.path],
      ['CamelFilePath', this.shownPath],
      ['CamelFileRelativePath', this.name],
      ['CamelFileParent', this.parent],
      ['CamelFileLength', this.length],
      ['CamelFileLastModified', this.modified],
      ['CamelMessageTimestamp', this.modified],
    ];
  }

  toString(): string {
    return `GenericFile[${this.name}]`;
  }
}
