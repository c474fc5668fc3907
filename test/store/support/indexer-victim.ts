import { fileURLToPath } from 'node:url';
import { Indexer } from '../../../src/store/index-db/indexer.js';
import { LogFile } from './log-file.js';
import { openThings, ownThings, thing } from './things.js';

// A process that writes and indexes until it is killed. Arguments: data folder, how many documents one commit writes.
if (process.argv[1] === fileURLToPath(import.meta.url)) run(process.argv[2] ?? '', Number(process.argv[3]));

function run(dataFolder: string, perCommit: number): void {
  const modules = [new URL('./indexer-fixture.js', import.meta.url).href];
  const log = new LogFile(`${dataFolder}/p1/log.db`, [openThings, ownThings]);
  const indexer = new Indexer({ dataFolder, modules });
  let at = 0;
  setInterval(() => {
    for (let commit = 0; commit < 20; commit++) {
      const names = Array.from({ length: perCommit }, () => `t${(at++ * 7) % 999}`);
      log.put(openThings, ...names.map((id) => thing(id, { name: `name${at % 17}` })));
      if (at % 5 === 0) log.remove(openThings, `t${at % 999}`);
      indexer.advance('p1', log.revision);
    }
    if (indexer.revision('p1') !== null) process.stdout.write('.');
  }, 1);
}
