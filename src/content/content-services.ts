import type { BlobStore, Reader } from '../store/index.js';
import type { LargeWork } from './large/long-work.js';
import type { TypeLimits } from './registration/change-node-types.js';
import type { XmlLimits } from './transfer/xml/xml-document.js';
import type { XmlParser } from './transfer/xml/xml-parser.js';
import type { ImportLimits } from './transfer/zip/import-limits.js';
import type { PendingChunks } from './upload/pending-chunks.js';
import type { UploadLimits } from './upload/upload-limits.js';

/** What the content domain is given. */
export interface ContentServices {
  readonly blobs: BlobStore;
  /** Answers what a decision cannot look through itself. */
  readonly reader: Pick<Reader, 'query'>;
  /** Chunks whose commands are on their way. */
  readonly chunks: PendingChunks;
  readonly uploads: UploadLimits;
  readonly largeWork: LargeWork;
  readonly imports: ImportLimits;
  /** Whether there is a user or group of the name. */
  readonly hasPrincipal: (name: string) => boolean;
  readonly typeLimits: TypeLimits;
  /** Reads the XML of imports. */
  readonly xmlParser: Pick<XmlParser, 'read'>;
  readonly xmlLimits: XmlLimits;
}
