import { ELEMENTS, LANGUAGES as LANGUAGE_LIST, STEPS as STEP_LIST } from './catalogue.js';
import { COMPONENT_PATHS } from './component-paths.js';

/** An element of the DSL: what may be written in it. */
export interface ElementType {
  readonly name: string;
  /** The option that a text in its place stands for. */
  readonly text: string | undefined;
  /** It has an expression of its own, as `expression`, or with the language in its place. */
  readonly hasExpression: boolean;
  readonly options: ReadonlyMap<string, OptionType>;
}

export interface OptionType {
  readonly kind: 'text' | 'boolean' | 'number' | 'any' | 'expression' | 'element' | 'choice';
  readonly isList: boolean;
  readonly isRequired: boolean;
  /** At most one of those which are so may be there. */
  readonly isOneOf: boolean;
  /** Of an element: its name. */
  readonly element: string;
  /** Of a choice. */
  readonly values: readonly string[];
  readonly fallback: string | undefined;
}

const pairsOf = (text: string): Map<string, string> =>
  new Map(
    text
      .trim()
      .split(/\s+/)
      .map((pair): [string, string] => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );

/** The element of each step and language, by its name in the DSL. */
export const STEPS: ReadonlyMap<string, string> = pairsOf(STEP_LIST);
export const LANGUAGES: ReadonlyMap<string, string> = pairsOf(LANGUAGE_LIST);

let componentPaths: ReadonlyMap<string, string> | undefined;

/** The syntax of the path of a component's URIs, by names of parameters: `templateId/routeId`. `undefined`: there is no such component. */
export function componentPath(scheme: string): string | undefined {
  componentPaths ??= pairsOf(COMPONENT_PATHS);
  return componentPaths.get(scheme);
}

const lines = new Map(
  ELEMENTS.trim()
    .split('\n')
    .map((line): [string, string] => [/^\w+/.exec(line)?.[0] ?? '', line]),
);
const types = new Map<string, ElementType>();

/** The names of all elements. */
export const elementNames = (): readonly string[] => [...lines.keys()];

/** @throws where the catalogue has none of this name: a fault of ours */
export function elementType(name: string): ElementType {
  const known = types.get(name);
  if (known !== undefined) return known;
  const line = lines.get(name);
  if (line === undefined) throw new Error(`expected an element ${name} in the catalogue`);
  const [head = '', ...options] = line.split(' ');
  const type: ElementType = {
    name,
    text: head.split('"')[1],
    hasExpression: head.includes('~'),
    options: new Map(options.map((option) => optionOf(option))),
  };
  types.set(name, type);
  return type;
}

const KINDS = { s: 'text', b: 'boolean', n: 'number', o: 'any', x: 'expression' } as const;
const OPTION = /^(\w+):(\??)(@?)([^=!*]+)(\*?)(!?)(?:=(.*))?$/;

function optionOf(written: string): [string, OptionType] {
  const [, name = '', one = '', element = '', type = '', list = '', required = '', fallback] =
    OPTION.exec(written) ?? [];
  const kind = element === '@' ? 'element' : type in KINDS ? KINDS[type as keyof typeof KINDS] : 'choice';
  return [
    name,
    {
      kind,
      isList: list !== '',
      isRequired: required !== '',
      isOneOf: one !== '',
      element: kind === 'element' ? type : '',
      values: kind === 'choice' ? type.split('|') : [],
      fallback: fallback === undefined ? undefined : decodeURIComponent(fallback),
    },
  ];
}
