import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

describe('the documentation of dependencies', () => {
  it('has a row for every package that is declared, and for no other', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
      string,
      Record<string, string>
    >;
    const rows = readFileSync('docs/dependencies.md', 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('| `'));
    const named = rows.flatMap((row) =>
      [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? ''),
    );
    assert.deepEqual(named.sort(), Object.keys({ ...dependencies, ...devDependencies }).sort());
  });

  it('names exact versions only', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
      string,
      Record<string, string>
    >;
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
      assert.match(version, /^\d+\.\d+\.\d+$/, name);
  });
});
