// `npm run check -- <data folder>`: compares all that is stored with its checksums.
import { resolve } from 'node:path';
import { prepareDist, root } from './project.mjs';
import { takeOneFolder } from './usage.mjs';

takeOneFolder(`npm run check -- <data folder>

Compares all that is stored in the folder with its checksums, and with what it must be, without changing anything; a server may use it meanwhile.
Prints a line for each finding, and ends with 0 where there is none, 1 where there is one, 2 where there is no such folder.`);
const [folder] = process.argv.slice(2);
const dataFolder = folder === undefined ? undefined : resolve(folder);
process.chdir(root);
prepareDist(2);
const { check } = await import('../dist/server/check.js');
process.exitCode = check(dataFolder, (line) => process.stdout.write(`${line}\n`));
