// What a domain's thread needs to keep a database of its own in the folder of a partition, beside the store's. Loads nothing else of the store.

export { isDamage } from './damage.js';
export { partitionFolder } from './data-folder.js';
export { openDatabase, releaseClosed } from './sqlite.js';
export { CachedStatements, type Statements } from './statements.js';
