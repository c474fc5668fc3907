import type { LockServices } from './lock/locks-below.js';
import type { TypeLimits } from './registration/change-node-types.js';
import type { ImportServices } from './transfer/import-job.js';
import type { XmlLimits } from './transfer/xml/xml-document.js';
import type { XmlServices } from './transfer/xml/xml-evaluators.js';
import type { UploadServices } from './upload/staged-bytes.js';

/** What the content domain is given. */
export interface ContentServices extends LockServices, UploadServices, ImportServices, XmlServices {
  readonly typeLimits: TypeLimits;
  readonly xmlLimits: XmlLimits;
}
