import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Answer of the program to its arguments in place of a run, with the exit code; undefined: it runs. */
interface UsageAnswer {
  readonly text: string;
  readonly code: 0 | 2;
}

/** The scripts of npm say the same before there is anything built: `scripts/usage.mjs`. */
export function usageAnswer([first]: readonly string[]): UsageAnswer | undefined {
  if (first === undefined) return undefined;
  if (first === '--help' || first === '-h') return { text: textOf('docs/usage.txt'), code: 0 };
  if (first === '--version') return { text: `${packageVersion()}\n`, code: 0 };
  const known = 'expected no argument but --help or --version';
  const settings = 'settings are environment variables, such as PORT=9000';
  return { text: `${known}, but found '${first}'; ${settings}\n`, code: 2 };
}

/** Empty where the package has lost its file. */
export function packageVersion(): string {
  const text = textOf('package.json');
  return text === '' ? '' : (JSON.parse(text) as { readonly version: string }).version;
}

function textOf(name: string): string {
  const path = packagePath(name);
  return path === undefined ? '' : readFileSync(path, 'utf8');
}

/** A file or folder of the package, beside its `dist/`, or one further up in a build of the tests; undefined: the package has none. */
export function packagePath(name: string): string | undefined {
  const places = [`../../${name}`, `../../../${name}`];
  return places.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((place) => existsSync(place));
}
