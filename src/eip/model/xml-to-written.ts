import { type ElementType, elementType, LANGUAGES, type OptionType, STEPS } from './dsl.js';
import { UnreadableRoute } from './route-problems.js';
import { STRAY_TEXT, type Written, type WrittenEntry, type WrittenMap, type WrittenScalar } from './written.js';
import type { XmlNode } from './xml-tree.js';

/** Camel's XML DSL, in the shape of its YAML DSL: attributes are options, elements are options, expressions or steps. @throws UnreadableRoute for a root that holds no routes */
export function writtenOfXml(root: XmlNode): Written {
  if (!HOLDERS.includes(root.name) && !TOPS.includes(root.name))
    throw new UnreadableRoute(
      root.at,
      `expected ${HOLDERS.join(', ')} or one of what they hold, but found ${root.name}`,
    );
  const items = HOLDERS.includes(root.name) ? root.children.flatMap((child) => itemsOf(child)) : itemsOf(root);
  return { type: 'list', at: root.at, items };
}

/** Elements that hold others, and say nothing themselves. */
const HOLDERS = [
  'routes',
  'rests',
  'routeTemplates',
  'templatedRoutes',
  'routeConfigurations',
  'beans',
  'camel',
  'blueprint',
];
const TOPS = [
  'route',
  'rest',
  'restConfiguration',
  'routeTemplate',
  'templatedRoute',
  'routeConfiguration',
  'dataFormats',
  'bean',
];
const SCOPED: Readonly<Record<string, string>> = {
  onException: 'OnException',
  onCompletion: 'OnCompletion',
  intercept: 'Intercept',
  interceptFrom: 'InterceptFrom',
  interceptSendToEndpoint: 'InterceptSendToEndpoint',
  errorHandler: 'ErrorHandler',
};
/** What a repeated element is called as a list, by the element around. */
const LISTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  SetHeaders: { setHeader: 'headers' },
  SetVariables: { setVariable: 'variables' },
  RouteTemplate: { templateParameter: 'parameters', templateBean: 'beans' },
  TemplatedRoute: { parameter: 'parameters', bean: 'beans' },
};

function itemsOf(node: XmlNode): Written[] {
  if (HOLDERS.includes(node.name)) return node.children.flatMap((child) => itemsOf(child));
  const value = topOf(node);
  return [
    { type: 'map', at: node.at, entries: [{ name: node.name === 'bean' ? 'beans' : node.name, at: node.at, value }] },
  ];
}

function topOf(node: XmlNode): Written {
  const { name, at } = node;
  if (name === 'route') return routeOf(node);
  if (name === 'bean') return { type: 'list', at, items: [beanOf(node)] };
  if (name === 'dataFormats')
    return {
      type: 'list',
      at,
      items: node.children.map((child) => mapOf(child, [entryOf(child, elementOf(child, formatOf(child.name)))])),
    };
  if (name === 'routeConfiguration')
    return mapOf(node, [...attributesOf(node), ...node.children.flatMap((child) => scopedOf(child))]);
  const type = {
    rest: 'Rest',
    restConfiguration: 'RestConfiguration',
    routeTemplate: 'RouteTemplate',
    templatedRoute: 'TemplatedRoute',
  }[name];
  return elementOf(node, elementType(type ?? SCOPED[name] ?? 'Stop'));
}

const formatOf = (name: string): ElementType =>
  elementType(elementType('Marshal').options.get(name)?.element ?? 'JsonDataFormat');

/** A route: what begins it, and its steps, stand beside each other. */
function routeOf(node: XmlNode): WrittenMap {
  const { options } = elementType('Route');
  const from = node.children.find(({ name }) => name === 'from');
  const others = node.children.filter((child) => child !== from);
  const entries = [...attributesOf(node), ...strayText(node)];
  const own: WrittenEntry[] = [];
  const steps: XmlNode[] = [];
  for (const child of others) {
    const option = options.get(child.name);
    if (SCOPED[child.name] !== undefined) own.push(...scopedOf(child));
    else if (option?.kind === 'element') own.push(entryOf(child, nestedOf(child, option)));
    else steps.push(child);
  }
  entries.push(...gathered(own));
  if (from !== undefined) {
    const list = { name: 'steps', at: from.at, value: stepsOf(node, steps) };
    entries.push(entryOf(from, mapOf(from, [...attributesOf(from), list])));
  }
  return mapOf(node, entries);
}

function scopedOf(node: XmlNode): WrittenEntry[] {
  const type = SCOPED[node.name];
  if (type === undefined) return [entryOf(node, elementOf(node, elementType('Stop')))];
  const value = elementOf(node, elementType(type));
  return [entryOf(node, node.name === 'errorHandler' ? value : { type: 'list', at: node.at, items: [value] })];
}

/** Entries of one name that are lists, as one. */
function gathered(entries: readonly WrittenEntry[]): WrittenEntry[] {
  const all = new Map<string, WrittenEntry>();
  for (const entry of entries) {
    const there = all.get(entry.name)?.value;
    if (there?.type !== 'list' || entry.value.type !== 'list')
      all.set(all.has(entry.name) ? `${entry.name} ${all.size}` : entry.name, entry);
    else all.set(entry.name, { ...entry, value: { ...there, items: [...there.items, ...entry.value.items] } });
  }
  return [...all.values()];
}

const stepsOf = (around: XmlNode, nodes: readonly XmlNode[]): Written => ({
  type: 'list',
  at: around.at,
  items: nodes.map((node) =>
    mapOf(node, [entryOf(node, elementOf(node, elementType(STEPS.get(node.name) ?? 'Stop')))]),
  ),
});

/** An element by its type. What the type does not have is handed on, so that whoever reads it can tell. */
function elementOf(node: XmlNode, type: ElementType): Written {
  const entries = [...attributesOf(node)];
  const steps: XmlNode[] = [];
  for (const child of node.children) {
    const name = LISTS[type.name]?.[child.name] ?? child.name;
    const option = type.options.get(name);
    const isStep = option === undefined && type.options.has('steps') && !(type.hasExpression && LANGUAGES.has(name));
    if (isStep) steps.push(child);
    else entries.push({ ...entryOf(child, childOf(child, type, option)), name });
  }
  if (steps.length > 0) entries.push({ name: 'steps', at: node.at, value: stepsOf(node, steps) });
  return mapOf(node, [...textOf(node, type), ...gathered(entries), ...namespacesOf(node, type)]);
}

function childOf(child: XmlNode, around: ElementType, option: OptionType | undefined): Written {
  const { name, at } = child;
  const language = around.hasExpression ? LANGUAGES.get(name) : undefined;
  if (language !== undefined) return elementOf(child, elementType(language));
  if (option?.kind === 'element') return nestedOf(child, option);
  if (option?.kind === 'expression') return elementOf(child, elementType('ExpressionSubElement'));
  if (option?.kind === 'any') return anyOf(child);
  return option?.isList === true
    ? { type: 'list', at, items: [scalar(child.text.trim(), child)] }
    : scalar(child.text, child);
}

function nestedOf(child: XmlNode, { element, isList }: OptionType): Written {
  if (child.name === 'route') return routeOf(child);
  const value = element === 'BeanFactory' ? beanOf(child) : elementOf(child, elementType(element));
  return isList ? { type: 'list', at: child.at, items: [value] } : value;
}

const strayText = (node: XmlNode) => textOf(node, { text: undefined, options: new Map() });

function beanOf(node: XmlNode): WrittenMap {
  const entries = node.children.map((child) =>
    entryOf(child, child.name === 'script' ? scalar(child.text, child) : anyOf(child)),
  );
  return mapOf(node, [...attributesOf(node), ...strayText(node), ...entries]);
}

/** Names and values: `<properties><property key value/></properties>`, `<constructors><constructor index value/></constructors>`. */
function anyOf(node: XmlNode): WrittenMap {
  const entries = node.children.map((child, place): WrittenEntry => {
    const attribute = (name: string) => child.attributes.find((it) => it.name === name)?.value;
    const key = attribute('key') ?? attribute('index') ?? (child.name === 'constructor' ? String(place) : child.name);
    const inner = child.children.find(({ name }) => name === 'properties');
    const value = inner === undefined ? scalar(attribute('value') ?? child.text, child) : anyOf(inner);
    return { name: key, at: child.at, value };
  });
  return mapOf(node, entries);
}

/** Text in an element is the option that a text in its place stands for, and the whole of an expression. */
function textOf(
  node: XmlNode,
  { text: option = STRAY_TEXT, options }: Pick<ElementType, 'text' | 'options'>,
): WrittenEntry[] {
  const isWhole = options.has('expression') && !node.attributes.some(({ name }) => name === 'expression');
  if (node.text.trim() === '' && !isWhole) return [];
  return [{ name: option, at: node.at, value: scalar(node.text, node) }];
}

/** The prefixes that an XPath may have: those of the file. */
function namespacesOf(node: XmlNode, { options }: ElementType): WrittenEntry[] {
  const prefixes = Object.entries(node.namespaces).filter(([prefix]) => prefix !== '' && prefix !== 'xsi');
  if (!options.has('namespace') || prefixes.length === 0) return [];
  const items = prefixes.map(([key, value]) =>
    mapOf(node, [
      { name: 'key', at: node.at, value: scalar(key, node) },
      { name: 'value', at: node.at, value: scalar(value, node) },
    ]),
  );
  return [{ name: 'namespace', at: node.at, value: { type: 'list', at: node.at, items } }];
}

const attributesOf = (node: XmlNode): WrittenEntry[] =>
  // What Camel adds to the XML that it writes itself.
  node.attributes
    .filter(({ name }) => name !== 'customId')
    .map(({ name, value }) => ({ name, at: node.at, value: scalar(value, node) }));

const mapOf = ({ at }: XmlNode, entries: readonly WrittenEntry[]): WrittenMap => ({ type: 'map', at, entries });
const entryOf = ({ name, at }: XmlNode, value: Written): WrittenEntry => ({ name, at, value });
const scalar = (text: string, { at }: XmlNode): WrittenScalar => ({ type: 'scalar', at, value: text, text });
