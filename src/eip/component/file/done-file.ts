import { posix } from 'node:path';
import { ExchangeFailure } from '../../../expression/routes.js';

/** The done file of a file, beside it: its name, or one made of `${file:name}` and `${file:name.noext}`. @throws ExchangeFailure where there is something else in it */
export function doneFileOf(path: string, pattern: string): string {
  const name = posix.basename(path);
  const noExt = name.includes('.') ? name.slice(0, name.lastIndexOf('.')) : name;
  const done = pattern
    .replace(/\$(?:simple)?\{file:(?:only)?name\.noext\}/, () => noExt)
    .replace(/\$(?:simple)?\{file:(?:only)?name\}/, () => name);
  if (/\$(simple)?\{/.test(done))
    throw new ExchangeFailure(
      'org.apache.camel.language.simple.types.SimpleIllegalSyntaxException',
      `${name}. Cannot resolve reminder: ${done}`,
    );
  return posix.join(posix.dirname(path), done);
}

/** Whether there is one for each file. */
export const isDynamic = (pattern: string): boolean => pattern.includes('{file:');

/** Whether a name is that of a done file. */
export function isDoneFile(name: string, pattern: string): boolean {
  if (!isDynamic(pattern)) return name === pattern;
  const [before = '', behind = ''] = pattern.split(/\$(?:simple)?\{[^}]*\}/);
  return name.startsWith(before) && name.endsWith(behind) && name.length > before.length + behind.length;
}
