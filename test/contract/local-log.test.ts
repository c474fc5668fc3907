import { temporaryFolder } from '../support/temporary.js';
import { openTestStore } from '../support/test-store.js';
import { storeContract } from './store-contract.js';

let folder = temporaryFolder();

storeContract(
  'the local log',
  (parts) => openTestStore(folder.path, parts),
  () => {
    folder.remove();
    folder = temporaryFolder();
  },
);
