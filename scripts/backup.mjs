// `npm run backup -- <folder>`: copies the data folder (MILLRACE_DATA, default ./data), also while a server uses it.
import { resolve } from 'node:path';
import { prepareDist, root } from './project.mjs';

// Paths are those of whoever calls, not of this project.
if (process.argv[2] !== undefined) process.argv[2] = resolve(process.argv[2]);
process.env.MILLRACE_DATA = resolve(process.env.MILLRACE_DATA || 'data');
process.chdir(root);
prepareDist(2);
await import('../dist/server/backup/main.js');
