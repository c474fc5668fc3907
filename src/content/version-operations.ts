import { addVersionControl } from './operation/add-version-control.js';
import { addVersionLabel } from './operation/add-version-label.js';
import { checkin } from './operation/checkin.js';
import { checkout } from './operation/checkout.js';
import { checkpoint } from './operation/checkpoint.js';
import { deleteVersion } from './operation/delete-version.js';
import { beginFreezing, endFreezing, endFreezings, stageFrozen } from './operation/freeze-tree.js';
import { removeVersionLabel } from './operation/remove-version-label.js';
import { restoreVersion } from './operation/restore-version.js';
import { abandonRestored, beginRestored, stageRestored } from './operation/stage-restored.js';
import { sweepVersions } from './operation/sweep-versions.js';
import { uncheckout } from './operation/uncheckout.js';

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
  abandonRestored,
  beginFreezing,
  beginRestored,
  stageFrozen,
  stageRestored,
  endFreezing,
  endFreezings,
  sweepVersions,
};
