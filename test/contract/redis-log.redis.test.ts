import { storeContract } from './store-contract.js';
import { redisKit } from './support/redis-kit.js';

storeContract(redisKit);
