import type { Reader } from '../store/index.js';
import type { TypeLimits } from './registration/change-node-types.js';
import type { ImportServices } from './transfer/import-job.js';
import type { XmlLimits } from './transfer/xml/xml-document.js';
import type { XmlServices } from './transfer/xml/xml-evaluators.js';
import type { UploadServices } from './upload/upload-services.js';

/** What the content domain is given. */
export interface ContentServices extends UploadServices, ImportServices, XmlServices {
  /** Answers what a decision cannot look through itself. */
  readonly reader: Pick<Reader, 'query'>;
  readonly typeLimits: TypeLimits;
  readonly xmlLimits: XmlLimits;
}
