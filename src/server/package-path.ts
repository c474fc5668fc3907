import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A file or folder of the package, beside its `dist/`, or one further up in a build of the tests; undefined: the package has none. */
export function packagePath(name: string): string | undefined {
  const places = [`../../${name}`, `../../../${name}`];
  return places.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((place) => existsSync(place));
}
