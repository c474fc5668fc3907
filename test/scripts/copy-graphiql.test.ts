import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporary.js';

describe('GraphiQL, copied beside what is compiled', () => {
  it('leaves there what was compiled before', () => {
    const folder = temporaryFolder();
    const path = (file: string) => join(folder.path, 'server/graphiql', file);
    mkdirSync(path(''), { recursive: true });
    writeFileSync(path('graphiql-routes.js'), '');
    const { status } = spawnSync(process.execPath, ['scripts/copy-graphiql.mjs', folder.path]);
    assert.equal(status, 0);
    for (const file of ['graphiql-routes.js', 'graphiql.min.js', 'graphiql.min.js.gz', 'boot.js', 'licenses.txt'])
      assert.equal(existsSync(path(file)), true, file);
    folder.remove();
  });
});
