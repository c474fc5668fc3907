// Builds everything and runs the tests: `npm test`, or `npm test -- build/test/store` for a part.
import { spawnSync } from 'node:child_process';
import { copySdl } from './copy-sdl.mjs';

const run = (command, args) => {
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};
run('node', ['scripts/codegen.mjs']);
run('npx', ['tsc', '-p', 'tsconfig.test.json']);
copySdl('build/src');
const parts = process.argv.slice(2);
run('npx', ['mocha', '--recursive', ...(parts.length > 0 ? parts : ['build/test'])]);
