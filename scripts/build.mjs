// Builds the server into dist/: types from the SDL, compiled code, the SDL itself.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { copySdl } from './copy-sdl.mjs';

const run = (command, args) => {
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};
run('node', ['scripts/codegen.mjs']);
rmSync('dist', { recursive: true, force: true });
run('npx', ['tsc', '-p', 'tsconfig.json']);
copySdl('dist');
