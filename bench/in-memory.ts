import type { Case } from './cases.js';
import { engineInStore } from './engine-in-store.js';
import { interpreterWork } from './interpreter.js';
import { measure } from './measure.js';
import { peerWork } from './peer.js';

/**
 * `node build/bench/in-memory.js <who> <case> <ms>`: one engine on one case, in a process of its own, so that nobody pays for what another has
 * left in memory. Prints what was measured as JSON.
 */

const STORE_CALLERS = 64;

const [, , who, name, ms] = process.argv as unknown as [string, string, Contestant, Case, string];
process.stdout.write(JSON.stringify(await contestants()[who]()));

function contestants() {
  return {
    'bpmn-engine': async () => measure(await peerWork(name), Number(ms)),
    interpreter: async () => measure(await interpreterWork(name), Number(ms)),
    store: async () => {
      const store = await engineInStore(null);
      const measured = await measure(store.work(name), Number(ms), STORE_CALLERS);
      await store.close();
      return measured;
    },
  };
}

export type Contestant = keyof ReturnType<typeof contestants>;
