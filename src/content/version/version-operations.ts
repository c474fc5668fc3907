import { addVersionControl, checkin, checkout, checkpoint } from './check-in.js';
import { deleteVersion } from './delete-version.js';
import { beginFreezing, endFreezing, endFreezings, stageFrozen } from './freeze-tree.js';
import { restoreVersion, uncheckout } from './restore-version.js';
import { sweepVersions } from './sweep-versions.js';
import { addVersionLabel, removeVersionLabel } from './version-labels.js';

/** Operations on versions, by the names of the API's fields. */
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

/** Operations on versions that the server itself sends. */
export const versionJobs = {
  beginFreezing,
  stageFrozen,
  endFreezing,
  endFreezings,
  sweepVersions,
};
