import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { temporaryFolder } from '../support/temporary.js';

describe('the types made of the SDL', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  const path = (file: string) => join(folder.path, file);
  const generate = (sdl: string) => {
    writeFileSync(path('src/graphql/schema/more.graphql'), sdl);
    return spawnSync(process.execPath, [path('scripts/codegen.mjs')], { encoding: 'utf8' });
  };
  before(() => {
    folder = temporaryFolder();
    cpSync('scripts', path('scripts'), { recursive: true });
    cpSync('src/graphql/schema', path('src/graphql/schema'), { recursive: true });
    mkdirSync(path('src/graphql/generated'));
    symlinkSync(resolve('node_modules'), path('node_modules'));
  });
  after(() => folder.remove());

  it('are refused where a type, field, argument or value of it has no description', () => {
    const { status, stderr } = generate(
      'extend type Query { bare: Int "b" b(c: BareIn): BareEnum } input BareIn { e: Int } "e" enum BareEnum { F }',
    );
    assert.equal(status, 1);
    assert.deepEqual(stderr.trim().split('\n'), [
      "expected a description of field 'Query.bare', but there is none",
      "expected a description of argument 'Query.b.c', but there is none",
      "expected a description of type 'BareIn', but there is none",
      "expected a description of field 'BareIn.e', but there is none",
      "expected a description of value 'BareEnum.F', but there is none",
    ]);
    assert.equal(existsSync(path('src/graphql/generated/schema.ts')), false);
  });

  it('are made where all of it has one', () => {
    const { status, stderr } = generate('extend type Query { "More." more: Int }');
    assert.deepEqual([status, stderr], [0, '']);
    assert.equal(existsSync(path('src/graphql/generated/schema.ts')), true);
  });
});
