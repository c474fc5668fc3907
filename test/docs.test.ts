import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file));

const PAGES = [...readdirSync('.'), ...['docs', 'src', 'examples'].flatMap(filesBelow)].filter(
  (path) => path.endsWith('.md') && !path.includes('node_modules'),
);

/** The anchors of a page's headings, as they are made of their texts where the pages are shown. */
const anchorsOf = (page: string): string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

describe('the documentation', () => {
  it('has no dead link, neither to a file nor within a page', () => {
    const dead = PAGES.flatMap((page) => {
      const links = [...readFileSync(page, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
      return links
        .filter((link) => !/^[a-z]+:/.test(link))
        .filter((link) => {
          const [path = '', anchor] = link.split('#');
          const target = path === '' ? page : join(dirname(page), path);
          return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
        })
        .map((link) => `${page}: ${link}`);
    });
    assert.deepEqual(dead, []);
    assert.ok(PAGES.length > 20, 'pages are looked at');
  });

  it('names files and folders that are there, by their paths or from the room that its page is about', () => {
    const sources = ['src', 'test'].flatMap(filesBelow);
    const pages = PAGES.filter((page) => /^src|architecture|operations|reliability|CONTRIBUTING/.test(page));
    const missing = pages.flatMap((page) => {
      const room = page.startsWith('src') ? dirname(page) : '';
      const within = sources.filter((path) => path.startsWith(room));
      const names = readFileSync(page, 'utf8').matchAll(/`([\w./-]+(?:\.ts|\.graphql|\/))`/g);
      return [...names]
        .map(([, name = '']) => name.replace(/\/$/, ''))
        .filter((name) => !name.startsWith('/') && !existsSync(name) && !existsSync(join(room, name)))
        .filter((name) => !within.some((path) => path.endsWith(`/${name}`)))
        .map((name) => `${page}: ${name}`);
    });
    assert.deepEqual(missing, []);
  });

  it('greets with a page that is read to its end', () => {
    assert.ok(readFileSync('README.md', 'utf8').split('\n').length <= 120);
  });

  it('has at most 60 words of its own, each once', () => {
    const [, glossary = ''] = /\n## Words\n([\s\S]*?)\n## /.exec(readFileSync('docs/architecture.md', 'utf8')) ?? [];
    const rows = [...glossary.matchAll(/^\| (?!\*\*|word |-)([^|]+) \|/gm)].flatMap(([, words = '']) =>
      words.split(', '),
    );
    const within = [...glossary.matchAll(/; \*\*([^*]+)\*\*/g)].map(([, word = '']) => word);
    const words = [...rows, ...within];
    assert.deepEqual(words, [...new Set(words)]);
    assert.ok(words.length > 40 && words.length <= 60, String(words.length));
  });
});
