import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { liveServer } from '../support/server.js';
import { answerOf, examplesOf, withAnswers } from './support/graphql-page.js';

/** With MILLRACE_README=write the page gets the answers of this run. */
const writes = process.env.MILLRACE_README === 'write';

describe('docs/content.md', () => {
  const page = readFileSync('docs/content.md', 'utf8');

  it('shows what its operations really give', async () => {
    const server = await liveServer();
    try {
      const examples = examplesOf(page);
      assert.ok(examples.length >= 5, 'expected examples');
      const answers: unknown[] = [];
      for (const { query } of examples) answers.push(await answerOf(server.as('admin'), query));
      if (writes) writeFileSync('docs/content.md', withAnswers(page, examples, answers));
      for (const [index, { answer, query }] of writes ? [] : examples.entries())
        assert.deepEqual(answers[index], answer, query);
    } finally {
      await server.remove();
    }
  });
});
