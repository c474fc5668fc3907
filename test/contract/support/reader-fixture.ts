import { badRequest } from '../../../src/shared/errors.js';
import type { ReaderModule, ReaderQuery } from '../../../src/store/read/reader-module.js';
import { openThings, ownThings } from './things.js';

export const countThings: ReaderQuery<{ kind: string }, number> = {
  name: 'countThings',
  run: ({ log }, { kind }) =>
    Number(log.prepare('SELECT count(*) AS n FROM "d_openThing" WHERE c_kind = ?').get(kind)?.n),
};

/** Blocks its thread for so many ms. */
export const block: ReaderQuery<{ ms: number }, string> = {
  name: 'block',
  run: (_context, { ms }) => {
    const end = performance.now() + ms;
    while (performance.now() < end);
    return 'done';
  },
};

/** Blocks its thread within SQLite, in one call that takes some hundred ms. */
export const longCall: ReaderQuery<null, unknown> = {
  name: 'longCall',
  run: ({ log }) =>
    log
      .prepare(
        'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 2000000) SELECT count(*) AS c FROM n',
      )
      .get(),
};

/** Walks over rows without end. */
export const endless: ReaderQuery<null, unknown> = {
  name: 'endless',
  run: ({ log }) => {
    const rows = log
      .prepare('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n')
      .iterate();
    for (const row of rows) if (row.i < 0) return row;
    return null;
  },
};

export const refuses: ReaderQuery<null, never> = {
  name: 'refuses',
  run: () => {
    throw badRequest('expected something else', { reason: 'something_else', resourceId: 'x' });
  },
};

export const fails: ReaderQuery<null, unknown> = {
  name: 'fails',
  run: ({ log }) => log.prepare('SELECT * FROM missing').all(),
};

export const indexedNames: ReaderQuery<null, string[]> = {
  name: 'indexedNames',
  needsIndex: true,
  run: ({ index }) =>
    (index?.prepare('SELECT word FROM word ORDER BY word').all() ?? []).map((row) => String(row.word)),
};

export const indexedLetters: ReaderQuery<null, string[]> = {
  name: 'indexedLetters',
  needsIndex: true,
  run: ({ index }) =>
    (index?.prepare('SELECT DISTINCT letter FROM letters ORDER BY letter').all() ?? []).map((row) =>
      String(row.letter),
    ),
};

export const readerModule: ReaderModule = {
  collections: [openThings, ownThings],
  queries: [countThings, block, longCall, endless, refuses, fails, indexedNames, indexedLetters],
};
