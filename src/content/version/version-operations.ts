import { addVersionControl } from './add-version-control.js';
import { addVersionLabel } from './add-version-label.js';
import { checkin } from './checkin.js';
import { checkout } from './checkout.js';
import { checkpoint } from './checkpoint.js';
import { deleteVersion } from './delete-version.js';
import { beginFreezing, endFreezing, endFreezings, stageFrozen } from './freeze-tree.js';
import { removeVersionLabel } from './remove-version-label.js';
import { restoreVersion } from './restore-version.js';
import { sweepVersions } from './sweep-versions.js';
import { uncheckout } from './uncheckout.js';

/** What may be done with versions, by the names of the API's fields. */
export const versionOperations = {
  addVersionControl,
  addVersionLabel,
  checkin,
  checkout,
  checkpoint,
  deleteVersion,
  removeVersionLabel,
  restoreVersion,
  uncheckout,
};

/** What the server itself does with them. */
export const versionJobs = {
  beginFreezing,
  stageFrozen,
  endFreezing,
  endFreezings,
  sweepVersions,
};
