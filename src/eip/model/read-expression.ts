import type { ExpressionModel, Position } from '../../expression/routes.js';
import { type ElementType, elementType, LANGUAGES } from './dsl.js';
import { camelName, perhaps, refusalOf } from './refusal.js';
import type { OptionValue } from './route-model.js';
import type { RouteProblems } from './route-problems.js';
import { type Written, type WrittenEntry, wordOf } from './written.js';

/** Reads what is written in an element. */
export interface ContentReader {
  readonly problems: RouteProblems;
  content(
    kind: string,
    type: ElementType,
    at: Position,
    written: Written,
  ): { readonly options: Record<string, OptionValue> };
}

/** Reads an expression: the name of a language, with its text or its options. What stands around it (`expression: {…}`, once or twice) is passed. */
export function readExpression(reader: ContentReader, kind: string, entry: WrittenEntry): ExpressionModel | undefined {
  const { problems } = reader;
  const [found, ...more] = languagesOf(entry.value);
  if (found === undefined) {
    const names = entry.value.type === 'map' ? entry.value.entries.map(({ name }) => name) : [];
    const near = names.map((name) => perhaps(name, [...LANGUAGES.keys()])).join('');
    problems.error(
      entry.value.at,
      kind,
      `expected an expression for ${entry.name === 'expression' ? kind : `${entry.name} of ${kind}`}, such as {simple: …} or {constant: …}, but found ${names[0] ?? wordOf(entry.value)}${near}`,
    );
    return undefined;
  }
  if (more.length > 0)
    problems.error(
      more[0]?.at ?? entry.at,
      kind,
      `expected one language for ${entry.name} of ${kind}, but found ${more.length + 1}`,
    );
  const { name, at, value } = found;
  const refusal = refusalOf('language', name);
  if (refusal !== undefined) {
    problems.error(at, kind, refusal);
    return undefined;
  }
  return modelOf(reader, found, reader.content(name, elementType(LANGUAGES.get(name) ?? ''), at, value).options);
}

function languagesOf(written: Written): readonly WrittenEntry[] {
  if (written.type !== 'map') return [];
  const [only] = written.entries;
  if (written.entries.length === 1 && only?.name === 'expression') return languagesOf(only.value);
  return written.entries.flatMap((entry) => {
    const name = camelName(entry.name, (known) => LANGUAGES.has(known));
    return LANGUAGES.has(name) ? [{ ...entry, name }] : [];
  });
}

function modelOf(
  reader: ContentReader,
  { name, at }: WrittenEntry,
  read: Record<string, OptionValue>,
): ExpressionModel | undefined {
  const { expression, ...options } = read;
  if (name !== 'language')
    return { language: name, text: String(expression ?? read.token ?? read.ref ?? ''), options, at };
  const { language, ...others } = options;
  const refusal = refusalOf('language', String(language));
  if (refusal === undefined && language !== undefined)
    return { language: String(language), text: String(expression ?? ''), options: others, at };
  reader.problems.error(at, name, refusal ?? 'expected the name of a language');
  return undefined;
}
