import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';

const read = (name: string): string => readFileSync(`scripts/${name}`, 'utf8');
const exported = (name: string): string[] =>
  [...read(name).matchAll(/^export (?:async )?(?:function|const|class) (\w+)/gm)].map(([, it = '']) => it);

describe('the scripts', () => {
  for (const name of readdirSync('scripts').filter((file) => file.endsWith('.mjs')))
    it(`(${name}) import from each other what is there`, () => {
      for (const [, names = '', from = ''] of read(name).matchAll(/^import \{([^}]+)\} from '\.\/([\w-]+\.mjs)'/gm)) {
        const wanted = names.split(',').flatMap((one) => one.trim().split(' as ')[0] || []);
        for (const one of wanted) assert.ok(exported(from).includes(one), `${one} of ${from}`);
      }
    });
});
