import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { type FormerInstance, goOn, opened } from './former-instances.js';

const folder = 'test/engine/former';

for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
  describe(`instances that a former version stored (${file})`, () => {
    const told: Readonly<Record<string, FormerInstance>> = JSON.parse(readFileSync(`${folder}/${file}`, 'utf8'));

    for (const [key, former] of Object.entries(told)) {
      it(`replay, and go on as they did: ${key}`, async () => {
        const engine = opened(former);
        const before = engine.replayed(former.id);
        assert.deepEqual(before.again, before.stored);
        assert.deepEqual(await goOn(engine, key, former.id), former.end);
        const after = engine.replayed(former.id);
        assert.deepEqual(after.again, after.stored);
      });
    }
  });
}
