import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  archiveFilename,
  basePathOf,
  isBelow,
  relativePath,
  topmostPaths,
} from '../../../../src/content/transfer/archive-parameters.js';

const path = fc
  .array(fc.constantFrom('a', 'b', 'ab', 'c'), { minLength: 1, maxLength: 4 })
  .map((names) => `/${names.join('/')}`);

describe('paths of an archive', () => {
  it('give a name that every system takes', () => {
    assert.equal(archiveFilename('a/b\\c\r\n\t\0d'), 'a_b_c____d.zip');
    assert.equal(archiveFilename('a.ZIP'), 'a.ZIP');
    assert.equal(archiveFilename(' '), 'archive.zip');
  });

  it('are dropped where another one covers them', () => {
    assert.deepEqual(topmostPaths(['/a/b', '/a', '/ab', '/a']), ['/a', '/ab']);
    assert.deepEqual(topmostPaths(['/a', '/']), ['/']);
  });

  it('begin below the given base only where it lies above all', () => {
    assert.equal(basePathOf(['/a/b/c', '/a/d'], '/a'), '/a');
    assert.equal(basePathOf(['/a/b/c', '/a/b/d'], '/x'), '/a/b');
    assert.equal(basePathOf(['/a/b/c', '/a/b/d'], '/'), '/');
    assert.equal(basePathOf(['/a'], '/a'), '/');
    assert.equal(basePathOf(['/a/b', '/a/b/c'], null), '/a');
    assert.equal(basePathOf(['/'], null), '/');
  });

  it('cover all that was given, and nothing twice', () =>
    fc.assert(
      fc.property(fc.array(path, { minLength: 1 }), (paths) => {
        const top = topmostPaths(paths);
        for (const one of paths) assert.equal(top.filter((above) => above === one || isBelow(one, above)).length, 1);
        const base = basePathOf(top, null);
        for (const one of top) assert.equal(`${base === '/' ? '' : base}/${relativePath(one, base)}`, one);
      }),
    ));
});
