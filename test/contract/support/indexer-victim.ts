import { fileURLToPath } from 'node:url';
import { Indexer } from '../../../src/store/index-db/indexer.js';
import type { ChildPlace } from '../log-kit.js';
import { logsOfChild } from './child-logs.js';
import { ThingLog } from './thing-log.js';
import { openThings, thing } from './things.js';

// A process that writes and indexes until it is killed. Arguments: the place of its log, how many documents one commit writes.
if (process.argv[1] === fileURLToPath(import.meta.url)) await run(process.argv[2] ?? '', Number(process.argv[3]));

async function run(place: string, perCommit: number): Promise<never> {
  const modules = [new URL('./indexer-fixture.js', import.meta.url).href];
  const child = JSON.parse(place) as ChildPlace;
  const { folder: dataFolder } = child;
  const log = await ThingLog.open({ folder: dataFolder, logs: () => logsOfChild(child) }, 'p1');
  const indexer = new Indexer({ dataFolder, modules });
  for (let at = 0; ; ) {
    const names = Array.from({ length: perCommit }, () => `t${(at++ * 7) % 999}`);
    await log.put(openThings, ...names.map((id) => thing(id, { name: `name${at % 17}` })));
    if (at % 5 === 0) await log.remove(openThings, `t${at % 999}`);
    indexer.advance('p1', log.revision);
    if (indexer.revision('p1') !== null && at % 20 < perCommit) process.stdout.write('.');
  }
}
