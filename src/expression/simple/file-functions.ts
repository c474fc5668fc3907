import { asText, convert } from '../conversion/convert.js';
import type { Exchange } from '../exchange/exchange.js';
import type { Expression } from '../exchange/language.js';

const header = (exchange: Exchange, name: string, type = 'String'): unknown =>
  convert(exchange.headers.get(name), type);

const name: Expression = (exchange) => header(exchange, 'CamelFileName');
const onlyName: Expression = (exchange) =>
  header(exchange, 'CamelFileNameOnly') ?? changed(name, (path) => path.slice(path.search(/[^/\\]*$/)))(exchange);

const changed =
  (value: Expression, change: (path: string) => string | null): Expression =>
  (exchange) => {
    const path = asText(value(exchange));
    return typeof path === 'string' ? change(path) : null;
  };

/** Where the ending begins: behind the first dot of the name, or behind its last one. */
function dotOf(path: string, single: boolean): number {
  const from = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1;
  return single ? Math.max(path.lastIndexOf('.'), from - 1) : path.indexOf('.', from);
}

const without = (single: boolean) => (path: string) => {
  const dot = dotOf(path, single);
  return dot < 0 || path[dot] !== '.' ? path : path.slice(0, dot);
};
const ending = (single: boolean) => (path: string) => {
  const dot = dotOf(path, single);
  return dot < 0 || path[dot] !== '.' ? null : path.slice(dot + 1);
};

const length: Expression = (exchange) => header(exchange, 'CamelFileLength', 'Long');

/** Of the file that a message came from: what its headers tell. By what stands behind `file:`. */
export const FILE_FUNCTIONS: Readonly<Record<string, Expression>> = {
  name,
  'name.noext': changed(name, without(false)),
  'name.noext.single': changed(name, without(true)),
  'name.ext': changed(name, ending(false)),
  ext: changed(name, ending(false)),
  'name.ext.single': changed(name, ending(true)),
  onlyname: onlyName,
  'onlyname.noext': changed(onlyName, without(false)),
  'onlyname.noext.single': changed(onlyName, without(true)),
  parent: (exchange) => header(exchange, 'CamelFileParent'),
  path: (exchange) => header(exchange, 'CamelFilePath'),
  absolute: (exchange) => header(exchange, 'CamelFileAbsolute', 'Boolean'),
  'absolute.path': (exchange) => header(exchange, 'CamelFileAbsolutePath'),
  length,
  size: length,
  modified: (exchange) => header(exchange, 'CamelFileLastModified', 'Long'),
};
