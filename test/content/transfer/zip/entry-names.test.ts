import assert from 'node:assert/strict';
import { EntryNames } from '../../../../src/content/transfer/zip/sidecar.js';

describe('names of entries', () => {
  it('are the paths, each given once', () => {
    const names = new EntryNames();
    assert.deepEqual(
      ['a/b.txt', 'a\\b.txt', 'a_b.txt', 'C:/x', '.cms-archive/manifest.json', '.cms-archive2', 'a/b.txt'].map((path) =>
        names.of(path),
      ),
      ['a/b.txt', 'a_b.txt', 'a_b[2].txt', 'C_/x', '.cms-archive[1]/manifest.json', '.cms-archive2', 'a/b[2].txt'],
    );
  });
});
