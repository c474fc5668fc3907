import { type ModdleElement, text } from './moddle-element.js';

/** A mapping of Camunda 8's as a parameter of Camunda 7's. */
export interface Parameter {
  readonly name: string | null;
  /** The path to the part of the variable that is set. Absent: the whole. */
  readonly part?: string;
  readonly text?: string;
  readonly feel?: string;
}

/**
 * Mappings as parameters, in their order. A target with dots is a part of a variable: of an input's own, of what an output's variable has already. What refers to the target
 * of one before it gets that, as in the one context that Camunda 8 makes of them.
 */
export function parametersOf(mappings: readonly ModdleElement[], isInput: boolean): Parameter[] {
  const before: Entry[] = [];
  return mappings.flatMap((mapping) => {
    const target = text(mapping, 'target');
    const source = text(mapping, 'source') ?? '';
    const [name = null, ...path] = target?.split('.') ?? [];
    const given = givenBy(source, name, before);
    const isNew = name !== null && path.length > 0 && isInput && !before.some((each) => each.root === name);
    if (name !== null) before.push({ root: name, name: path.length === 0 ? name : '', feel: feelOf(source) });
    const parameter = { name, ...(path.length > 0 && { part: path.join('.') }), ...given };
    return isNew ? [{ name, feel: '{}' }, parameter] : [parameter];
  });
}

/** A mapping that has come before: the variable that it sets, and its name where it sets the whole of it. */
interface Entry {
  readonly root: string;
  readonly name: string;
  readonly feel: string;
}

/** FEEL behind an equals sign, else the text as it is. */
function givenBy(source: string, name: string | null, before: readonly Entry[]): Pick<Parameter, 'text' | 'feel'> {
  if (!source.startsWith('=')) return { text: source };
  const feel = withoutSign(source);
  const others = before.filter((each) => each.name !== '' && each.name !== each.feel && each.name !== name);
  if (!others.some((each) => mentions(feel, each.name))) return { feel };
  const entries = others.map((each) => `${each.name}: ${each.feel}`);
  return { feel: `{${[...entries, `result: ${feel}`].join(', ')}}.result` };
}

const feelOf = (source: string): string => (source.startsWith('=') ? withoutSign(source) : JSON.stringify(source));

/** Whether the FEEL names the variable, be it in a text. */
const mentions = (feel: string, name: string): boolean =>
  /^[\p{L}_]\w*$/u.test(name) && new RegExp(`(?<![\\w.])${name}(?!\\w)`, 'u').test(feel);

/** FEEL without the equals sign that says that it is. */
export const withoutSign = (written: string): string => written.replace(/^=/, '').trim();
