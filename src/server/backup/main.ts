import { resolve } from 'node:path';
import { runBackup } from './backup.js';

// `node dist/server/backup/main.js <folder>`: what `npm run backup` runs, where there is no npm.
const [folder] = process.argv.slice(2);
const dataFolder = resolve(process.env.MILLRACE_DATA || 'data');
process.exitCode = await runBackup(dataFolder, folder, (line) => process.stdout.write(`${line}\n`));
