import { readFileSync } from 'node:fs';

const textOf = (name) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');

/**
 * Of a script that runs the server, which takes no arguments: `--help` and `--version` are answered, and anything else is refused, before anything
 * is installed or built. The built server does the same (`src/server/usage.ts`).
 */
export function takeNoArguments() {
  const [first] = process.argv.slice(2);
  if (first === undefined) return;
  if (first === '--help' || first === '-h') {
    process.stdout.write(textOf('docs/usage.txt'));
    process.exit(0);
  }
  if (first === '--version') {
    process.stdout.write(`${JSON.parse(textOf('package.json')).version}\n`);
    process.exit(0);
  }
  process.stderr.write(
    `expected no argument but --help or --version, but found '${first}'; settings are environment variables, such as PORT=9000\n`,
  );
  process.exit(2);
}

/** Of a script whose one argument is a folder: `--help` is answered with `usage`, and any other option refused, before anything is built. */
export function takeOneFolder(usage) {
  const [first] = process.argv.slice(2);
  if (first === '--help' || first === '-h') {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  if (!first?.startsWith('-')) return;
  process.stderr.write(`expected a folder or --help, but found '${first}'; a folder of that name is ./${first}\n`);
  process.exit(2);
}
