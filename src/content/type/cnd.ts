import { limitExceeded } from '../../shared/errors.js';
import { BUILT_IN_NAMESPACES, type NamespaceRegistry } from '../value/names.js';
import { type TypeFlag, typeFlag } from './cnd-attributes.js';
import { badCnd, CND_MAX, CndCursor, cndTokens } from './cnd-cursor.js';
import { readChild, readProperty } from './cnd-item-reader.js';
import {
  type ChildDefinition,
  type NodeType,
  nodeType,
  type PropertyDefinition,
  QUERY_OPERATORS,
  RESIDUAL,
} from './node-type.js';

/** The content of a CND text. */
interface Cnd {
  /** The namespaces known before, and those that it declares. */
  readonly namespaces: NamespaceRegistry;
  /** In their order; names are qualified by `namespaces`. */
  readonly types: readonly NodeType[];
}

/** The most items of a type, and the most names of a list: more would not fit into its document. */
const ITEMS_MAX = 2_000;

/**
 * Reads compact node type definitions (JCR 2.0 §25.2, in every spelling). A variant (`mandatory?`) leaves the choice to the repository,
 * which takes the default. Whether the types fit together is the registry's matter. What is too much is refused where it begins.
 * @throws BAD_REQUEST with line and column, LIMIT_EXCEEDED
 */
export function readCnd(text: string, namespaces: NamespaceRegistry, typesMax = Number.POSITIVE_INFINITY): Cnd {
  if (text.length > CND_MAX) {
    throw limitExceeded(`expected node type definitions of at most ${CND_MAX} characters, but found ${text.length}`);
  }
  const cursor = new CndCursor(cndTokens(text), namespaces);
  const types: NodeType[] = [];
  while (!cursor.atEnd()) {
    if (cursor.isSign('<')) readNamespace(cursor);
    else if (types.length < typesMax) types.push(readType(cursor, types));
    else throw tooMany(cursor, `${typesMax} node types, built-in ones included,`);
  }
  return { namespaces: cursor.namespaces, types };
}

function tooMany(cursor: CndCursor, what: string) {
  const { line, column } = cursor.peek();
  return limitExceeded(`line ${line}, column ${column}: expected at most ${what} but found more`, {
    reason: 'too_many_node_types',
    details: { line, column },
  });
}

/** `<prefix = 'uri'>` */
function readNamespace(cursor: CndCursor): void {
  cursor.expectSign('<', 'in front of a namespace');
  const token = cursor.peek();
  const prefix = cursor.string('the prefix of a namespace');
  cursor.expectSign('=', `behind the prefix '${prefix}'`);
  const uri = cursor.string(`the URI of the prefix '${prefix}'`);
  cursor.expectSign('>', `behind the URI of '${prefix}'`);
  cursor.declare(prefix, uri, token);
}

interface TypeFlags {
  orderable: boolean;
  mixin: boolean;
  abstract: boolean;
  queryable: boolean;
  primaryItem: string | null;
}

function readType(cursor: CndCursor, before: readonly NodeType[]): NodeType {
  cursor.expectSign('[', "of a node type or '<' of a namespace");
  const token = cursor.peek();
  const name = cursor.name('the name of a node type');
  cursor.expectSign(']', `behind the node type '${name}'`);
  if (before.some((type) => type.name === name)) {
    throw badCnd(token.line, token.column, `expected each node type once, but found '${name}' again`);
  }
  const supertypes = cursor.takeSign('>') ? readNames(cursor, `a supertype of '${name}'`) : [];
  const flags: TypeFlags = { orderable: false, mixin: false, abstract: false, queryable: true, primaryItem: null };
  while (isTypeFlag(cursor)) readTypeFlag(cursor, flags, name);
  if (cursor.isSign('>') && supertypes.length === 0) {
    cursor.next();
    supertypes.push(...readNames(cursor, `a supertype of '${name}'`));
  }
  const items = readItems(cursor, name, flags);
  return nodeType({ name, supertypes, ...flags, ...items });
}

/** A list of names, or `?`: none. */
function readNames(cursor: CndCursor, what: string): string[] {
  if (cursor.takeSign('?')) return [];
  const names = [cursor.name(what)];
  while (cursor.takeSign(',')) {
    if (names.length === ITEMS_MAX) throw tooMany(cursor, `${ITEMS_MAX} names as ${what},`);
    names.push(cursor.name(what));
  }
  return names;
}

function isTypeFlag(cursor: CndCursor): boolean {
  const { kind, text } = cursor.peek();
  return kind === 'word' || (kind === 'sign' && text === '!');
}

function readTypeFlag(cursor: CndCursor, flags: TypeFlags, type: string): void {
  const token = cursor.next();
  const flag = typeFlag(token.text);
  if (flag === undefined) {
    throw cursor.refusal(
      `orderable, mixin, abstract, noquery, query or primaryitem of node type '${type}', or an item behind '-' or '+'`,
      token,
    );
  }
  if (flag === 'primaryItem') {
    if (!cursor.takeSign('?')) flags.primaryItem = cursor.name(`the primary item of '${type}'`);
  } else if (!cursor.takeSign('?')) setFlag(flags, flag);
}

function setFlag(flags: TypeFlags, flag: Exclude<TypeFlag, 'primaryItem'>): void {
  if (flag === 'query' || flag === 'noQuery') flags.queryable = flag === 'query';
  else flags[flag] = true;
}

function readItems(cursor: CndCursor, type: string, flags: TypeFlags) {
  const properties: PropertyDefinition[] = [];
  const children: ChildDefinition[] = [];
  const primary = (name: string) => {
    flags.primaryItem = name;
  };
  for (;;) {
    if (properties.length + children.length > ITEMS_MAX) throw tooMany(cursor, `${ITEMS_MAX} items of '${type}',`);
    if (cursor.takeSign('-')) properties.push(readProperty(cursor, type, primary));
    else if (cursor.takeSign('+')) children.push(readChild(cursor, type, primary));
    else return { properties, children };
  }
}

/** The types as CND text (JCR 2.0 §25.2) with the namespaces that they use; reading it gives equal types. */
export function writeCnd(types: readonly NodeType[], namespaces: NamespaceRegistry): string {
  const body = types.map(writeType).join('\n');
  const declared = namespaces
    .entries()
    .filter(([prefix]) => !Object.hasOwn(BUILT_IN_NAMESPACES, prefix) && body.includes(`${prefix}:`))
    .map(([prefix, uri]) => `<${name(prefix)} = ${quoted(uri)}>\n`);
  return declared.length === 0 ? body : `${declared.join('')}\n${body}`;
}

function writeType(type: NodeType): string {
  const head = words(
    `[${name(type.name)}]`,
    type.supertypes.length > 0 && `> ${type.supertypes.map(name).join(', ')}`,
    type.orderable && 'orderable',
    type.mixin && 'mixin',
    type.abstract && 'abstract',
    !type.queryable && 'noquery',
    type.primaryItem !== null && `primaryitem ${name(type.primaryItem)}`,
  );
  return `${[head, ...type.properties.map(writeProperty), ...type.children.map(writeChild)].join('\n')}\n`;
}

function writeProperty(property: PropertyDefinition): string {
  const { defaultValues, valueConstraints, queryOperators } = property;
  return words(
    `  - ${name(property.name)} (${(property.type ?? 'undefined').toLowerCase()})`,
    defaultValues.length > 0 && `= ${defaultValues.map(quoted).join(', ')}`,
    ...common(property),
    property.multiple && 'multiple',
    queryOperators.length < QUERY_OPERATORS.length && `queryops ${quoted(queryOperators.join(', '))}`,
    !property.fullTextSearchable && 'nofulltext',
    !property.queryOrderable && 'noqueryorder',
    valueConstraints.length > 0 && `< ${valueConstraints.map(quoted).join(', ')}`,
  );
}

function writeChild(child: ChildDefinition): string {
  return words(
    `  + ${name(child.name)} (${child.requiredTypes.map(name).join(', ')})`,
    child.defaultType !== null && `= ${name(child.defaultType)}`,
    ...common(child),
    child.sameNameSiblings && 'sns',
  );
}

const common = (item: PropertyDefinition | ChildDefinition) => [
  item.mandatory && 'mandatory',
  item.autoCreated && 'autocreated',
  item.protected && 'protected',
  item.onParentVersion !== 'COPY' && item.onParentVersion.toLowerCase(),
];

const words = (...parts: readonly (string | false)[]): string => parts.filter((part) => part !== false).join(' ');

const PLAIN = /^[\p{L}\p{N}:_.]+(?:-+[\p{L}\p{N}:_.]+)*$/u;

const name = (text: string): string => (text === RESIDUAL || PLAIN.test(text) ? text : quoted(text));

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const quoted = (text: string): string => `'${text.replace(/[\\'\n\r\t]/g, (char) => ESCAPES[char] ?? `\\${char}`)}'`;
