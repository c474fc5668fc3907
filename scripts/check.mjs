// `npm run check -- <data folder>`: compares all that is stored with its checksums.
import { resolve } from 'node:path';
import { prepareDist, root } from './project.mjs';

const [folder] = process.argv.slice(2);
const dataFolder = folder === undefined ? undefined : resolve(folder);
process.chdir(root);
prepareDist(2);
const { check } = await import('../dist/server/check.js');
process.exitCode = check(dataFolder, (line) => process.stdout.write(`${line}\n`));
