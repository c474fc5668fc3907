import { createRequire } from 'node:module';

export type Feelin = typeof import('feelin');

let loaded: Feelin | undefined;

/** The library that reads and evaluates FEEL. It takes some 35 ms to load, so that happens with the first use. */
export function feelin(): Feelin {
  loaded ??= createRequire(import.meta.url)('feelin') as Feelin;
  return loaded;
}
