import { writeFileSync } from 'node:fs';
import { type FormerInstance, tellFormer } from './former-instances.js';
import { STORIES } from './stories.js';

// `node build/test/engine/former/write.js rules-3` keeps what this version stores: once, before the rules of the interpreter or the format of what is
// stored change. What is kept is never written anew.
const [name = ''] = process.argv.slice(2);
const told: Record<string, FormerInstance> = {};
for (const [key, story] of Object.entries(STORIES)) told[key] = await tellFormer(key, story);
writeFileSync(`test/engine/former/${name}.json`, `${JSON.stringify(told, null, 1)}\n`, { flag: 'wx' });
