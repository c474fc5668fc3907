import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type LiveServer, liveServer } from '../support/server.js';
import { answersOf, examplesOf, withAnswers } from './support/graphql-page.js';
import { doWorkspace } from './support/workspaces.js';

/** With MILLRACE_README=write the pages get the answers of this run. */
const writes = process.env.MILLRACE_README === 'write';

const CHAPTERS = 'docs/content';
const pages = ['docs/content.md', ...readdirSync(CHAPTERS).map((name) => join(CHAPTERS, name))];

describe('the pages of the content API', () => {
  let server: LiveServer;
  before(async () => {
    server = await liveServer({ users: [{ userId: 'ann' }, { userId: 'bob' }] });
  });
  after(() => server.remove());

  for (const name of pages) {
    const page = readFileSync(name, 'utf8');
    const examples = examplesOf(page);

    it(`${name} leads to files that there are`, () => {
      for (const [, target = ''] of page.matchAll(/\]\((?!https?:)([^)#]+)/g))
        assert.ok(existsSync(join(dirname(name), target)), target);
    });

    if (examples.length === 0) continue;
    it(`${name} shows what its operations really give`, async () => {
      // Each has a workspace of its own: what it shows does not hang on what another one did.
      const workspace = basename(name, '.md');
      await doWorkspace(server.as('admin', 'system'), 'create', workspace);
      const answers = await answersOf(examples, (user) => server.as(user, workspace));
      if (writes) writeFileSync(name, withAnswers(page, examples, answers));
      for (const [index, { answer, query }] of writes ? [] : examples.entries())
        assert.deepEqual(answers[index], answer, query);
    });
  }
});
