import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  builtInNamespaces,
  expandedName,
  formatPath,
  namespacesOf,
  parseAbsolutePath,
  parsePath,
  qualifiedName,
} from '../../../src/content/index.js';
import { isQualifiedName, localNameOf, prefixOf } from '../../../src/content/value/names.js';

const namespaces = namespacesOf({ my: 'http://example.org/my', 日本: 'urn:jp' });
const refusal = (run: () => unknown, code: string, message: RegExp) =>
  assert.throws(run, (error: { code?: string; message?: string }) => {
    assert.equal(error.code, code);
    assert.match(error.message ?? '', message);
    return true;
  });

describe('names', () => {
  const GOOD = [
    'a',
    'jcr:content',
    'my:a b',
    'файл.txt',
    '日本:名前',
    'a{b}c',
    '{abc}def',
    'a.',
    '...',
    "it's",
    'constructor',
    'a\\b',
    '😀',
  ];
  for (const name of GOOD) {
    it(`may be ${JSON.stringify(name)}`, () => {
      assert.equal(qualifiedName(name, namespaces), name);
      assert.ok(isQualifiedName(name, namespaces));
    });
  }

  const BAD: readonly (readonly [string, RegExp])[] = [
    ['', /it is empty/],
    ['__proto__', /keeps that word/],
    ['.', /stands for a place/],
    ['..', /stands for a place/],
    ['my:..', /stands for a place/],
    ['a/b', /holds '\/'/],
    ['a[1]', /holds '\['/],
    ['a|b', /holds '\|'/],
    ['a*', /holds '\*'/],
    ['my:a:b', /holds ':'/],
    ['my:', /it is empty/],
    [':a', /no prefix in front of the colon/],
    ['nope:a', /the prefix 'nope' is not registered/],
    ['1x:a', /'1x' is no prefix/],
    [' a', /starts or ends with a space/],
    ['a ', /starts or ends with a space/],
    ['a\tb', /U\+0009/],
    ['a\u0000', /U\+0000/],
    ['\ud800', /U\+D800/],
    ['{http://nowhere/}a', /the namespace 'http:\/\/nowhere\/' is not registered/],
    ['{http://example.org/my}', /it is empty/],
    ['{}my:a', /holds ':'/],
    ['{http://example.org/my}a/b', /but found '\{http:.*holds '\/'/],
  ];
  for (const [name, message] of BAD) {
    it(`may not be ${JSON.stringify(name)}`, () => {
      refusal(() => qualifiedName(name, namespaces), 'BAD_REQUEST', message);
      assert.equal(isQualifiedName(name, namespaces), false);
    });
  }

  it('may be given in expanded form', () => {
    assert.equal(qualifiedName('{http://example.org/my}x', namespaces), 'my:x');
    assert.equal(qualifiedName('{}x', namespaces), 'x');
    assert.equal(expandedName('my:x', namespaces), '{http://example.org/my}x');
    assert.equal(expandedName('x', namespaces), '{}x');
  });

  it('have at most 255 characters', () => {
    assert.ok(isQualifiedName('x'.repeat(255), namespaces));
    assert.ok(!isQualifiedName('x'.repeat(256), namespaces));
    assert.equal(qualifiedName('x'.repeat(255), namespaces).length, 255);
    refusal(
      () => qualifiedName('x'.repeat(256), namespaces),
      'LIMIT_EXCEEDED',
      /at most 255 characters, but found 256/,
    );
  });

  it('fall into prefix and local name', () => {
    assert.deepEqual([prefixOf('jcr:data'), localNameOf('jcr:data')], ['jcr', 'data']);
    assert.deepEqual([prefixOf('data'), localNameOf('data')], ['', 'data']);
  });

  it('survive their expanded form', () =>
    fc.assert(
      fc.property(
        fc.constantFrom('', 'my:', 'jcr:', '日本:'),
        fc.string({ unit: 'binary', minLength: 1 }),
        (prefix, local) => {
          const name = prefix + local;
          fc.pre(isQualifiedName(name, namespaces) && !/^\{.*:|^\{\}/.test(name));
          assert.equal(qualifiedName(expandedName(name, namespaces), namespaces), name);
        },
      ),
    ));
});

describe('namespaces', () => {
  it('are there from the start', () => {
    assert.equal(builtInNamespaces.uriOf('jcr'), 'http://www.jcp.org/jcr/1.0');
    assert.equal(builtInNamespaces.prefixOf('http://www.jcp.org/jcr/nt/1.0'), 'nt');
    assert.equal(builtInNamespaces.uriOf(''), '');
  });

  it('are one to one and keep their meaning', () => {
    const mine = builtInNamespaces.with('a', 'urn:a');
    assert.equal(mine.with('a', 'urn:a'), mine);
    refusal(() => mine.with('a', 'urn:b'), 'ALREADY_EXISTS', /it stands for 'urn:a'/);
    refusal(() => mine.with('b', 'urn:a'), 'ALREADY_EXISTS', /it has the prefix 'a'/);
    refusal(() => mine.with('jcr', 'urn:b'), 'ALREADY_EXISTS', /prefix 'jcr'/);
    refusal(() => mine.with('b', 'http://www.jcp.org/jcr/1.0'), 'ALREADY_EXISTS', /prefix 'jcr'/);
    assert.equal(builtInNamespaces.uriOf('a'), undefined);
  });

  for (const prefix of ['xml2', 'XmlThing', '1a', 'a:b', 'a b', '-a', 'x'.repeat(65)]) {
    it(`have no prefix '${prefix.slice(0, 10)}'`, () =>
      refusal(() => builtInNamespaces.with(prefix, 'urn:x'), 'BAD_REQUEST', /namespace prefix/));
  }

  it('have a prefix of at most 64 characters', () => {
    const prefix = 'x'.repeat(64);
    assert.equal(builtInNamespaces.with(prefix, 'urn:x').uriOf(prefix), 'urn:x');
  });

  it('are at most a thousand in a workspace, the built-in ones included', () => {
    const many = Array.from({ length: 1_000 }, (_, n) => [`p${n}`, `urn:${n}`] as const);
    const all = namespacesOf(Object.fromEntries(many.slice(builtInNamespaces.entries().length + 1)));
    const full = all.with('last', 'urn:last');
    assert.equal(full.entries().length, 1_000);
    assert.equal(full.with('last', 'urn:last'), full);
    refusal(() => full.with('more', 'urn:more'), 'LIMIT_EXCEEDED', /at most 1000 namespaces/);
  });

  it('have a URI', () => {
    const longest = `urn:${'x'.repeat(996)}`;
    assert.equal(builtInNamespaces.with('a', longest).uriOf('a'), longest);
    refusal(() => builtInNamespaces.with('a', `${longest}x`), 'BAD_REQUEST', /of 1 to 1000 characters/);
    refusal(() => builtInNamespaces.with('a', ''), 'BAD_REQUEST', /expected a URI/);
    refusal(() => builtInNamespaces.with('a', 'urn:a b'), 'BAD_REQUEST', /expected a URI/);
  });
});

describe('paths', () => {
  const read = (path: string) => formatPath(parsePath(path, namespaces));

  it('are segments of name and index', () => {
    assert.deepEqual(parseAbsolutePath('/a/b[2]/jcr:content', namespaces), [
      { name: 'a', index: 1 },
      { name: 'b', index: 2 },
      { name: 'jcr:content', index: 1 },
    ]);
    assert.deepEqual(parseAbsolutePath('/', namespaces), []);
  });

  const NORMAL: readonly (readonly [string, string])[] = [
    ['/', '/'],
    ['/a/', '/a'],
    ['/a/./b', '/a/b'],
    ['/a/../b', '/b'],
    ['/a/b[1]', '/a/b'],
    ['/a/b[12]/c', '/a/b[12]/c'],
    ['a/b', 'a/b'],
    ['../a', '../a'],
    ['../../a/../b', '../../b'],
    ['a/..', '.'],
    ['.', '.'],
    ['..', '..'],
    ['/{http://example.org/my}x/{}y', '/my:x/y'],
    ['/フォルダ/報告書.pdf', '/フォルダ/報告書.pdf'],
    ['/a b/c', '/a b/c'],
  ];
  for (const [path, normal] of NORMAL) it(`${path} is ${normal}`, () => assert.equal(read(path), normal));

  const BAD: readonly (readonly [string, RegExp])[] = [
    ['', /it is empty/],
    ['//', /between two/],
    ['//a', /between two/],
    ['/a//b', /between two/],
    ['/a//', /between two/],
    ['/..', /above the root/],
    ['/a/../..', /above the root/],
    ['/a[0]', /'a\[0\]' has no index/],
    ['/a[]', /'a\[\]' has no index/],
    ['/a[x]', /has no index/],
    ['/a[-1]', /has no index/],
    ['/a[1', /'a\[1' in path '\/a\[1' to be a name/],
    ['/[1]', /has no index/],
    ['/a/nope:b', /'nope:b' in path '\/a\/nope:b' to be a name.*'nope' is not registered/],
    ['/..[2]', /stands for a place/],
  ];
  for (const [path, message] of BAD) {
    it(`refuses ${JSON.stringify(path)}`, () => refusal(() => read(path), 'BAD_REQUEST', message));
  }

  it('are absolute where they have to be', () => {
    refusal(
      () => parseAbsolutePath('a/b', namespaces, 'destPath'),
      'BAD_REQUEST',
      /destPath.*does not start with '\/'/,
    );
    assert.equal(read(`/${'a/'.repeat(4_095)}a`).length, 8_192);
    refusal(() => read(`/${'a/'.repeat(4_095)}ab`), 'LIMIT_EXCEEDED', /at most 8192/);
  });

  it('stay the same when normalised again', () =>
    fc.assert(
      fc.property(fc.boolean(), fc.array(fc.constantFrom('a', 'b[2]', '.', '..', 'my:c', 'é')), (absolute, steps) => {
        const text = `${absolute ? '/' : './'}${steps.join('/')}`;
        let once: string;
        try {
          once = read(text);
        } catch {
          return;
        }
        assert.equal(read(once), once);
      }),
    ));
});
