import type { LogKit } from './log-kit.js';
import { askContract } from './suite/asks.js';
import { blobContract } from './suite/blobs.js';
import { callerContract } from './suite/callers.js';
import { commandContract } from './suite/commands.js';
import { deciderContract } from './suite/decider.js';
import { feedContract } from './suite/feed.js';
import { indexerContract } from './suite/indexer.js';
import { jobContract } from './suite/jobs.js';
import { keyContract } from './suite/keys.js';
import { killContract } from './suite/kill.js';
import { listContract } from './suite/lists.js';
import { partitionIndexContract } from './suite/partition-index.js';
import { partitionContract } from './suite/partitions.js';
import { reactionContract } from './suite/reactions.js';
import { readYourWritesContract } from './suite/read-your-writes.js';
import { readerContract } from './suite/reader.js';
import { recordsContract } from './suite/records.js';
import { recoveryContract } from './suite/recovery.js';
import { restartContract } from './suite/restart.js';
import { shortListContract } from './suite/short-lists.js';
import { stateModelContract } from './suite/state-model.js';
import { stepContract } from './suite/steps.js';
import { storedFeedContract } from './suite/stored-feed.js';
import { timeContract } from './suite/time.js';
import { trimmerContract } from './suite/trimmer.js';

/**
 * All that the store promises to the domains, on one log. Every log passes it; what a log without files skips, and nothing else, is said at
 * {@link LogKit.hasFiles}.
 */
export function storeContract(kit: LogKit): void {
  describe(`the store on ${kit.name}`, () => {
    for (const suite of [...everyLog, ...(kit.hasFiles ? withFiles : [])]) suite(kit);
    if (kit.kills > 0) killContract(kit);
  });
}

type Suite = (kit: LogKit) => void;

const everyLog: readonly Suite[] = [
  commandContract,
  stepContract,
  deciderContract,
  keyContract,
  askContract,
  stateModelContract,
  recoveryContract,
  feedContract,
  storedFeedContract,
  trimmerContract,
  reactionContract,
  jobContract,
  timeContract,
  callerContract,
  partitionContract,
  recordsContract,
  blobContract,
];

const withFiles: readonly Suite[] = [
  restartContract,
  listContract,
  shortListContract,
  readerContract,
  readYourWritesContract,
  partitionIndexContract,
  indexerContract,
];
