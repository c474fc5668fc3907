import { storeContract } from './store-contract.js';
import { modelKit } from './support/model-kit.js';

storeContract(modelKit);
