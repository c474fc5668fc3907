import { storeContract } from './store-contract.js';
import { localKit } from './support/local-kit.js';

// Slow: a process that writes four logs is killed 50 times and started again.

storeContract(localKit);
