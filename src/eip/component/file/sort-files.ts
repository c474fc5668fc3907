import { posix } from 'node:path';
import type { Exchange, RouteExpression } from '../../../expression/routes.js';
import type { EndpointAddress } from '../component.js';
import type { FilePlace } from './file-place.js';
import type { GenericFile } from './generic-file.js';

type Compare = (one: GenericFile, other: GenericFile) => number;

/** What names of `file:` in `sortBy` and `preSort` stand for. */
const KEYS: Readonly<Record<string, (file: GenericFile) => string | number>> = {
  name: ({ name }) => name,
  'name.noext': ({ name }) => name.slice(0, name.length - posix.extname(name).length),
  'name.ext': ({ name }) => posix.extname(name).slice(1),
  ext: ({ name }) => posix.extname(name).slice(1),
  onlyname: ({ onlyName }) => onlyName,
  parent: ({ parent }) => parent,
  path: ({ shownPath }) => shownPath,
  'absolute.path': ({ path }) => path,
  size: ({ length }) => length,
  length: ({ length }) => length,
  modified: ({ modified }) => modified,
};

/** Puts files in the order that the options say; without any, by name. `exchangeOf`: the exchange that an expression is asked with. */
export function sorting(
  options: EndpointAddress['options'],
  place: FilePlace,
  exchangeOf: (file: GenericFile) => Exchange,
): (files: GenericFile[]) => GenericFile[] {
  const { preSort, sortBy, shuffle } = options;
  const compares: Compare[] = [];
  if (sortBy !== undefined)
    compares.push(
      ...String(sortBy)
        .split(';')
        .map((key) => compareBy(key, place, exchangeOf)),
    );
  if (preSort !== undefined && preSort !== 'false') compares.push(preCompare(String(preSort)));
  return (files) => {
    if (shuffle === true) return shuffled(files, () => place.context.random());
    if (compares.length === 0) return files;
    return files.sort((one, other) => {
      for (const compare of compares) {
        const order = compare(one, other);
        if (order !== 0) return order;
      }
      return 0;
    });
  };
}

function preCompare(key: string): Compare {
  const name = key === 'true' ? 'name' : key.replace(/^-/, '');
  const of = KEYS[name] ?? (() => 0);
  const compare: Compare = (one, other) => order(of(one), of(other));
  return key.startsWith('-') ? (one, other) => compare(other, one) : compare;
}

/** `file:name`, `reverse:file:modified`, `ignoreCase:file:name`, or an expression. */
function compareBy(text: string, place: FilePlace, exchangeOf: (file: GenericFile) => Exchange): Compare {
  const [, before = '', key = ''] = /^\s*((?:reverse:|ignoreCase:)*)(.*?)\s*$/s.exec(text) ?? [];
  const name = /^(?:\$\{)?file:([\w.]+)\}?$/.exec(key)?.[1] ?? '';
  const of = KEYS[name] ?? asked(place.expression(key), exchangeOf);
  const folds = before.includes('ignoreCase:');
  const keyOf = (file: GenericFile) => {
    const value = of(file);
    return folds && typeof value === 'string' ? value.toLowerCase() : value;
  };
  const compare: Compare = (one, other) => order(keyOf(one), keyOf(other));
  return before.includes('reverse:') ? (one, other) => compare(other, one) : compare;
}

const asked = (expression: RouteExpression | undefined, exchangeOf: (file: GenericFile) => Exchange) => {
  return (file: GenericFile): string | number => {
    const value = expression?.(exchangeOf(file));
    return typeof value === 'number' ? value : String(value ?? '');
  };
};

const order = (one: string | number, other: string | number) => (one < other ? -1 : one > other ? 1 : 0);

function shuffled(files: GenericFile[], random: () => number): GenericFile[] {
  return files
    .map((file) => ({ file, at: random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ file }) => file);
}
