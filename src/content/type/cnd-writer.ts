import { BUILT_IN_NAMESPACES, type NamespaceRegistry } from '../value/namespaces.js';
import {
  type ChildDefinition,
  type NodeType,
  type PropertyDefinition,
  QUERY_OPERATORS,
  RESIDUAL,
} from './node-type.js';

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
