import { storeContract } from './store-contract.js';
import { localKit } from './support/local-kit.js';

storeContract(localKit);
