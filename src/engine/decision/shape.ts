import type { FeelShape } from '../../expression/index.js';

/** Those of the names that the text may mention. */
export function shapeFor(names: FeelShape, written: string): FeelShape {
  const found = Object.keys(names).filter((name) => written.includes(/[\p{L}\p{N}_]+/u.exec(name)?.[0] ?? name));
  return Object.fromEntries(found.map((name) => [name, 0]));
}
