const OPERATORS = ['==', '=~', '!=', '<=', '<', '>=', '>', 'in', 'nin', 'subsetof', 'anyof', 'noneof', 'size', 'empty'];
/** What is longer is read as it stands. */
const EASY_MAX = 1_000;
/** One operator with blanks around it. */
const EASY = new RegExp(`^(.*?\\S) +(${OPERATORS.map((one) => one.replace(/[<>=!~]/g, '\\$&')).join('|')}) +(\\S.*)$`);

/** A predicate may be written as `order.price > 10`: whether the path before the last name has an item for which it holds. */
export function easyPredicate(text: string): string {
  const found = text.startsWith('$') || text.length > EASY_MAX ? null : EASY.exec(text);
  if (found === null) return text;
  const [, path = '', operator = '', right = ''] = found;
  const last = path.lastIndexOf('.');
  const [before, name] = last < 0 ? ['..*', path] : [path.slice(0, last), path.slice(last + 1)];
  return `$${before.startsWith('.') ? '' : '.'}${before}[?(@.${name} ${operator} ${right})]`;
}
