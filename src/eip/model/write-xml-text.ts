import { componentPath, type ElementType, elementType, LANGUAGES, type OptionType, STEPS } from './dsl.js';
import { schemeOf, withParameters } from './endpoint-uri.js';
import type { Plain, PlainItem, PlainMap } from './plain-file.js';

/** XML of a definition. One thing alone stands for itself; several stand in `<beans>`, but routes in `<routes>`. */
export function xmlOf(items: readonly PlainItem[]): string {
  const elements = items.flatMap(([name, value]) => topOf(name, value));
  const [only, more] = elements;
  if (only !== undefined && more === undefined && only.name !== 'bean') return `${textOf(only, '')}\n`;
  const name = items.every(([item]) => item === 'route') ? 'routes' : 'beans';
  return `${textOf({ name, attributes: [], children: elements }, '')}\n`;
}

interface Xml {
  readonly name: string;
  readonly attributes: (readonly [name: string, value: string])[];
  readonly children: Xml[];
  readonly text?: string;
}

const TOPS: Readonly<Record<string, string>> = {
  rest: 'Rest',
  restConfiguration: 'RestConfiguration',
  routeTemplate: 'RouteTemplate',
  templatedRoute: 'TemplatedRoute',
  errorHandler: 'ErrorHandler',
  onException: 'OnException',
  onCompletion: 'OnCompletion',
  intercept: 'Intercept',
  interceptFrom: 'InterceptFrom',
  interceptSendToEndpoint: 'InterceptSendToEndpoint',
};
/** What an item of a list is called, by the element around. */
const ITEMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  SetHeaders: { headers: 'setHeader' },
  SetVariables: { variables: 'setVariable' },
  RouteTemplate: { parameters: 'templateParameter', beans: 'templateBean' },
  TemplatedRoute: { parameters: 'parameter', beans: 'bean' },
};

function topOf(name: string, value: Plain): Xml[] {
  if (name === 'route') return [routeOf(value as PlainMap)];
  if (name === 'beans') return (value as readonly PlainMap[]).map((bean) => beanOf('bean', bean));
  if (name === 'dataFormats') {
    const children = (value as readonly PlainMap[]).flatMap((format) =>
      Object.entries(format).map(([kind, options]) =>
        elementOf(kind, elementType(elementType('Marshal').options.get(kind)?.element ?? ''), options as PlainMap),
      ),
    );
    return [{ name, attributes: [], children }];
  }
  if (name === 'routeConfiguration') return [configurationOf(value as PlainMap)];
  return [elementOf(name, elementType(TOPS[name] ?? ''), value as PlainMap)];
}

function configurationOf(plain: PlainMap): Xml {
  const { scoped, others } = scopedOf(plain);
  const { attributes } = elementOf('routeConfiguration', elementType('RouteConfiguration'), others);
  return { name: 'routeConfiguration', attributes, children: scoped };
}

/** What holds for routes, apart from all else. */
function scopedOf(plain: PlainMap): { readonly scoped: Xml[]; readonly others: PlainMap } {
  const scoped: Xml[] = [];
  const others: Record<string, Plain> = {};
  for (const [name, value] of Object.entries(plain)) {
    const type = TOPS[name];
    if (type === undefined) others[name] = value;
    else if (name === 'errorHandler') scoped.push(elementOf(name, elementType(type), value as PlainMap));
    else
      for (const item of value as readonly PlainMap[])
        scoped.push(elementOf(name, elementType(type), item[name] as PlainMap));
  }
  return { scoped, others };
}

function routeOf({ from, ...plain }: PlainMap): Xml {
  const { steps = [], ...input } = from as PlainMap;
  const { scoped, others } = scopedOf(plain);
  const { attributes, children } = elementOf('route', elementType('Route'), others);
  const begin = elementOf('from', elementType('From'), input);
  const behind = (steps as readonly PlainMap[]).map(stepOf);
  return { name: 'route', attributes, children: [...children, ...scoped, begin, ...behind] };
}

function stepOf(plain: PlainMap): Xml {
  const [[name, options] = ['', {}]] = Object.entries(plain);
  return elementOf(name, elementType(STEPS.get(name) ?? ''), options as PlainMap);
}

function elementOf(name: string, type: ElementType, given: PlainMap): Xml {
  const { steps = [], ...plain } = withUri(given);
  const xml: Xml = { name, attributes: [], children: [] };
  const behind: Xml[] = [];
  for (const [option, value] of Object.entries(plain)) {
    const known = type.options.get(option);
    if (option === 'expression' && type.hasExpression) xml.children.unshift(...languageOf(value as PlainMap));
    else if (known === undefined || !isElement(known)) xml.attributes.push([option, String(value)]);
    // The parts of a step follow its own steps, its settings come before them.
    else (PARTS.includes(option) ? behind : xml.children).push(...childrenOf(option, known, type, value));
  }
  xml.children.push(...(steps as readonly PlainMap[]).map(stepOf), ...behind);
  return xml;
}

const PARTS = ['when', 'otherwise', 'doCatch', 'doFinally', 'onFallback'];
const isElement = ({ kind, isList }: OptionType): boolean =>
  kind === 'element' || kind === 'expression' || kind === 'any' || isList;

function childrenOf(name: string, option: OptionType, around: ElementType, value: Plain): Xml[] {
  if (option.kind === 'expression' || option.element === 'OnWhen')
    return [{ name, attributes: [], children: languageOf(value as PlainMap) }];
  if (option.kind === 'any') return [entriesOf(name, value as PlainMap)];
  const items = (Array.isArray(value) ? value : [value]) as readonly Plain[];
  if (option.kind !== 'element')
    return items.map((item) => ({ name, attributes: [], children: [], text: String(item) }));
  const item = ITEMS[around.name]?.[name] ?? name;
  return items.map((one) => {
    if (option.element === 'Route') return routeOf(one as PlainMap);
    if (option.element === 'BeanFactory') return beanOf(item, one as PlainMap);
    return elementOf(item, elementType(option.element), one as PlainMap);
  });
}

/** A language: its text is the element's, its namespaces are declared there. */
function languageOf(plain: PlainMap): Xml[] {
  return Object.entries(plain).map(([language, options]) => {
    const { expression, namespace = [], ...others } = options as PlainMap;
    const { attributes, children } = elementOf(language, elementType(LANGUAGES.get(language) ?? ''), others);
    for (const { key, value } of namespace as readonly PlainMap[]) attributes.push([`xmlns:${key}`, String(value)]);
    return { name: language, attributes, children, ...(expression === undefined ? {} : { text: String(expression) }) };
  });
}

function beanOf(name: string, { properties, constructors, script, ...plain }: PlainMap): Xml {
  const children: Xml[] = [];
  if (constructors !== undefined) children.push(entriesOf('constructors', constructors as PlainMap));
  if (properties !== undefined) children.push(entriesOf('properties', properties as PlainMap));
  if (script !== undefined) children.push({ name: 'script', attributes: [], children: [], text: String(script) });
  return {
    name,
    attributes: Object.entries(plain).map(([option, value]) => [option, String(value)] as const),
    children,
  };
}

function entriesOf(name: string, plain: PlainMap): Xml {
  const [item, key] = name === 'constructors' ? ['constructor', 'index'] : ['property', 'key'];
  const children = Object.entries(plain).map(([entry, value]): Xml => {
    const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isMap)
      return { name: item, attributes: [[key, entry]], children: [entriesOf('properties', value as PlainMap)] };
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    return {
      name: item,
      attributes: [
        [key, entry],
        ['value', text],
      ],
      children: [],
    };
  });
  return { name, attributes: [], children };
}

/** The XML DSL has no parameters: they are in the URI. */
function withUri(plain: PlainMap): PlainMap {
  const { parameters, ...others } = plain;
  if (parameters === undefined || Array.isArray(parameters)) return plain;
  const [option, uri] = typeof others.uri === 'string' ? ['uri', others.uri] : ['name', String(others.name ?? '')];
  const path = option === 'uri' ? componentPath(schemeOf(uri)) : undefined;
  return { ...others, [option]: withParameters(uri, parameters as PlainMap, path) };
}

function textOf({ name, attributes, children, text }: Xml, indent: string): string {
  const head = `${indent}<${[name, ...attributes.map(([option, value]) => `${option}="${attributeText(value)}"`)].join(' ')}`;
  if (text !== undefined && children.length === 0) return `${head}>${contentText(text)}</${name}>`;
  if (children.length === 0) return `${head}/>`;
  const inner = children.map((child) => textOf(child, `${indent}  `)).join('\n');
  return `${head}>\n${inner}\n${indent}</${name}>`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};
/** XML 1.0 §2.2. */
const NO_CHARACTER = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const contentText = (text: string): string =>
  text.replace(NO_CHARACTER, '\uFFFD').replace(/[&<>\r]/g, (sign) => ESCAPES[sign] ?? sign);
const attributeText = (text: string): string =>
  text.replace(NO_CHARACTER, '\uFFFD').replace(/[&<>"\n\r\t]/g, (sign) => ESCAPES[sign] ?? sign);
