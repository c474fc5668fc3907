import { Work } from '../juel/failure.js';
import { Pattern } from '../juel/pattern.js';

/** Whether names match a pattern of Camel's, in any letter case: the name itself, a beginning with `*` behind it, or a regular expression for the whole name. */
export function namePattern(pattern: string): (name: string) => boolean {
  const lower = pattern.toLowerCase();
  const beginning = lower.endsWith('*') ? lower.slice(0, -1) : undefined;
  const expression = regularExpression(pattern);
  return (name) => {
    const it = name.toLowerCase();
    if (it === lower || (beginning !== undefined && it.startsWith(beginning))) return true;
    return expression?.matches(name, new Work()) === true;
  };
}

/** What cannot be read as one is none: a name, or a beginning. */
function regularExpression(pattern: string): Pattern | undefined {
  if (!/[\\[\](){}.+?|^$*]/.test(pattern)) return undefined;
  try {
    return new Pattern(`(?i)${pattern}`);
  } catch {
    return undefined;
  }
}
