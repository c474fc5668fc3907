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
