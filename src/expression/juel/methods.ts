import type { Work } from './work.js';

/** Methods by name and number of arguments: `substring/2`. What is not in the table cannot be called. */
export type Methods<T> = ReadonlyMap<string, (self: T, args: readonly unknown[], work: Work) => unknown>;
