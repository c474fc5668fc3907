// Puts the SDL beside the compiled code that reads it: `node scripts/copy-sdl.mjs dist`.
import { cpSync, rmSync } from 'node:fs';

/** `root`: the folder that holds the compiled `graphql/`. */
export function copySdl(root) {
  const target = `${root}/graphql/schema`;
  rmSync(target, { recursive: true, force: true });
  cpSync('src/graphql/schema', target, { recursive: true });
}

if (process.argv[1]?.endsWith('copy-sdl.mjs')) copySdl(process.argv[2] ?? 'dist');
