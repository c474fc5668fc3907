import { storeContract } from './store-contract.js';
import { memoryKit } from './support/memory-kit.js';

storeContract(memoryKit);
