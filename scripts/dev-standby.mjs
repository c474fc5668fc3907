// A server that has loaded all but this project's own code, which may change, and waits for a word: `npm run dev` has one ready for the next start.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

const word = once(process, 'message');
const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
// One that cannot be loaded like this is loaded when it is needed.
await Promise.allSettled(Object.keys(dependencies).map((name) => import(name)));
await word;
process.disconnect();
await import('../dist/server/main.js');
