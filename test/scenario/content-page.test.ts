import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { liveServer } from '../support/server.js';
import { answersOf, examplesOf, withAnswers } from './support/graphql-page.js';

// Slow: a server for each page of the documentation.

/** With MILLRACE_README=write the pages get the answers of this run. */
const writes = process.env.MILLRACE_README === 'write';

const CHAPTERS = 'docs/content';
const pages = ['docs/content.md', ...readdirSync(CHAPTERS).map((name) => join(CHAPTERS, name))];

describe('the pages of the content API', () => {
  for (const name of pages) {
    const page = readFileSync(name, 'utf8');
    const examples = examplesOf(page);

    it(`${name} leads to files that there are`, () => {
      for (const [, target = ''] of page.matchAll(/\]\((?!https?:)([^)#]+)/g))
        assert.ok(existsSync(join(dirname(name), target)), target);
    });

    if (examples.length === 0) continue;
    it(`${name} shows what its operations really give`, async () => {
      const server = await liveServer({ users: [{ userId: 'ann' }, { userId: 'bob' }] });
      try {
        const answers = await answersOf(examples, (user) => server.as(user));
        if (writes) writeFileSync(name, withAnswers(page, examples, answers));
        for (const [index, { answer, query }] of writes ? [] : examples.entries())
          assert.deepEqual(answers[index], answer, query);
      } finally {
        await server.remove();
      }
    });
  }
});
