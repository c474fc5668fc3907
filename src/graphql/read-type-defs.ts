import { readdirSync, readFileSync } from 'node:fs';

/** The SDL of the API, one text per file of `schema/`, in the order of their names. */
export function readTypeDefs(folder: URL = new URL('./schema/', import.meta.url)): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.graphql'))
    .sort()
    .map((file) => readFileSync(new URL(file, folder), 'utf8'));
}
