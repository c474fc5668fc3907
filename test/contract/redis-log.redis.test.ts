import { storeContract } from './store-contract.js';
import { redisKit } from './support/redis-kit.js';

// Slow: the whole contract on a real Redis, with processes that are killed.

storeContract(redisKit);
