import type { BlobStore, Reader } from '../store/index.js';
import type { ImportLimits } from './import/import-limits.js';
import type { LargeWork } from './large-work.js';
import type { TypeLimits } from './operation/change-node-types.js';
import type { PendingChunks } from './pending-chunks.js';
import type { UploadLimits } from './upload-limits.js';
import type { XmlLimits } from './xml/xml-document.js';
import type { XmlParser } from './xml/xml-parser.js';

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
