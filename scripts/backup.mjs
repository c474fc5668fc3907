// `npm run backup -- <folder>`: copies the data folder (MILLRACE_DATA, default ./data), also while a server uses it.
import { resolve } from 'node:path';
import { prepareDist, root } from './project.mjs';
import { takeOneFolder } from './usage.mjs';

takeOneFolder(`npm run backup -- <folder>

Copies the data folder (MILLRACE_DATA, default ./data) into a new or empty folder, also while a server uses it.
Ends with 0; with 1 where no backup was made, or bytes in it are damaged; with 2 where no folder is named.`);
// Paths are those of whoever calls, not of this project.
if (process.argv[2] !== undefined) process.argv[2] = resolve(process.argv[2]);
process.env.MILLRACE_DATA = resolve(process.env.MILLRACE_DATA || 'data');
process.chdir(root);
prepareDist(2);
await import('../dist/server/backup/main.js');
