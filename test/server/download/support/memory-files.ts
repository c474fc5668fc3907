import { Readable } from 'node:stream';
import type { FileAccess, FileSource } from '../../../../src/server/download/file-access.js';
import { fileRoutes } from '../../../../src/server/download/file-routes.js';
import { replyJson } from '../../../../src/server/http/reply.js';
import { ContentOrigin } from '../../../../src/server/http/request-origin.js';
import type { MakeWire } from '../../../../src/server/server.js';
import { makeWire } from '../../../../src/server/wire/wire.js';
import { ServiceError } from '../../../../src/shared/errors.js';

export const LAST_MODIFIED = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

/** A file of a text. */
export const fileOf = (
  name: string,
  mimeType: string,
  content: string | Buffer,
  more: Partial<FileSource> = {},
): FileSource => {
  const bytes = Buffer.from(content);
  return {
    name,
    mimeType,
    encoding: null,
    size: bytes.length,
    lastModified: LAST_MODIFIED,
    etag: bytes.toString('hex').slice(0, 32),
    isPublic: true,
    open: ({ start, end = bytes.length - 1 }) => Readable.from([bytes.subarray(start, end + 1)]),
    ...more,
  };
};

/** What can be downloaded in tests: files and `folder`s by workspace and path. What lies below /private is ann's alone. */
export class MemoryFiles implements FileAccess {
  readonly #entries: Readonly<Record<string, FileSource | 'folder' | 'other'>>;

  /** Whether the desktop's folder is the administrators' alone. */
  isTrusted = true;

  constructor(entries: Readonly<Record<string, FileSource | 'folder' | 'other'>>) {
    this.#entries = entries;
  }

  isDesktopTrusted(): boolean {
    return this.isTrusted;
  }

  refusal(workspace: string): ServiceError | undefined {
    if (workspace === 'web' || workspace === 'system') return undefined;
    return new ServiceError('NOT_FOUND', `there is no workspace '${workspace}'`, { reason: 'workspace_not_found' });
  }

  file({ userId, workspace }: Parameters<FileAccess['file']>[0], segments: readonly string[]) {
    const found = this.#entries[`${workspace}/${segments.join('/')}`];
    if (found === undefined) return 'missing';
    return segments.includes('private') && userId !== 'ann' ? 'forbidden' : found;
  }

  async property(...[caller, segments, { name, index }]: Parameters<FileAccess['property']>) {
    const file = this.file(caller, segments);
    if (typeof file === 'string') return file;
    if (name === 'title') return 'not binary';
    if (name !== 'thumbnail' || (index ?? 0) > 1) return 'missing';
    return fileOf('thumbnail.png', 'image/png', `thumbnail ${index}`);
  }

  archive({ userId }: Parameters<FileAccess['archive']>[0], jobId: string) {
    if (jobId !== '1767225600000-00ff') return 'missing';
    return userId === 'ann' ? fileOf('photos.zip', 'application/zip', 'a zip') : 'forbidden';
  }

  async report({ userId }: Parameters<FileAccess['report']>[0], jobId: string) {
    if (jobId !== '1767225600000-00ff') return 'missing';
    return userId === 'ann' ? fileOf('report.csv', 'text/csv', 'path;error') : 'forbidden';
  }
}

/** A server of these files alone; bodies of previews have at most 1,000 bytes. */
export const wireOfFiles =
  (files: MemoryFiles): MakeWire =>
  async (parts) => {
    const { config, signIn, principals, bodies, baseUrl } = parts;
    return {
      ...(await makeWire(parts)),
      graphql: (_req, res) => replyJson(res, 200, 'the API'),
      routes: fileRoutes({
        files,
        signIn,
        principals,
        workspaceId: (name) => name,
        body: { bodies, bytesMax: 1_000 },
        baseUrl: () => baseUrl,
        contentOrigin: new ContentOrigin(config.contentOrigin),
      }),
    };
  };
