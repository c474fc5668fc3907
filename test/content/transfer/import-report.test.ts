import assert from 'node:assert/strict';
import { type Planned, reportFile, reportText, rowsOf } from '../../../src/content/transfer/import-report.js';

const planned = (fate: Planned['fate'], message: string | null = null, isFile = true): Planned => ({
  fate,
  id: 'x',
  name: 'x',
  isFile,
  type: 'nt:file',
  mixins: [],
  message,
});
const ALL = new Map([
  ['a', planned('attach')],
  ['b', planned('new')],
  ['c', planned('overwrite')],
  ['d', planned('merge')],
  ['e', planned('skip')],
  ['f', planned('error', 'a reason')],
  ['folder', planned('attach', null, false)],
  ['bad', planned('error', 'no folder', false)],
  ['f/jcr:content', planned('error', 'a reason', false)],
]);
const rows = (all: ReadonlyMap<string, Planned>, strays: readonly string[] = []) =>
  rowsOf(all, strays, (path) => `/in/${path}`);
const pieces = async (...args: Parameters<typeof reportText>): Promise<string[]> => {
  const found: string[] = [];
  for await (const piece of reportText(...args)) found.push(String(piece));
  return found;
};

describe('the report of an import', () => {
  it('tells what came of each file, and why anything else was refused', async () => {
    const told = await pieces(rows(ALL, ['stray']), { locale: 'en', hasFailed: false });
    assert.deepEqual(told.join('').split('\r\n'), [
      '\u{FEFF}path,status,message',
      '/in/a,new,',
      '/in/b,new,',
      '/in/c,overwritten,',
      '/in/d,overwritten,',
      '/in/e,skipped,',
      '/in/f,error,a reason',
      '/in/bad,error,no folder',
      '/in/stray,skipped,the archive does not describe it',
      '',
    ]);
  });

  it('tells in another language, and that nothing was imported where it failed', async () => {
    const told = await pieces(rows(ALL), { locale: 'ja', hasFailed: true });
    assert.deepEqual(told.join('').split('\r\n').slice(0, 8), [
      '\u{FEFF}パス,状態,メッセージ',
      '/in/a,未インポート,',
      '/in/b,未インポート,',
      '/in/c,未インポート,',
      '/in/d,未インポート,',
      '/in/e,スキップ,',
      '/in/f,エラー,a reason',
      '/in/bad,エラー,no folder',
    ]);
  });

  it('is CSV, whatever its texts have in them', async () => {
    const odd = new Map([['a,b', planned('error', 'say "no"\n')]]);
    const told = await pieces(rows(odd), { locale: 'en', hasFailed: false });
    assert.equal(told.join('').split('\r\n')[1], '"/in/a,b",error,"say ""no""\n"');
  });

  it('is made in pieces of 64 Ki characters and the row that ends them', async () => {
    const heading = '\u{FEFF}path,status,message\r\n'.length;
    const sizes = async (length: number) => {
      const name = 'x'.repeat(length - heading - '/in/,new,\r\n'.length);
      const two = new Map([
        [name, planned('new')],
        ['y', planned('new')],
      ]);
      return (await pieces(rows(two), { locale: 'en', hasFailed: false }))
        .map((piece) => piece.length)
        .filter((size) => size > 0);
    };
    assert.deepEqual(await sizes(65_536), [65_536, 12]);
    assert.deepEqual(await sizes(65_535), [65_535 + 12]);
  });

  it('is saved under the name of the archive', () => {
    const file = { kind: 'report', mimeType: 'text/csv', data: { blob: 'ff', size: 7 } };
    assert.deepEqual(reportFile('all.ZIP', { sha256: 'ff', size: 7 }), { ...file, name: 'all-report.csv' });
  });
});
