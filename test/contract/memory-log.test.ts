import { openTestStore } from '../support/test-store.js';
import { storeContract } from './store-contract.js';

storeContract(
  'the memory log',
  (parts) => openTestStore(null, parts),
  () => {},
);
