import { type ContentNode, ROOT_ID } from '../../tree/node.js';
import { valueText } from '../../value/convert-value.js';
import type { NamespaceRegistry } from '../../value/names.js';
import { isMultiple, type Property, type PropertyType, type Value, valuesOf } from '../../value/property.js';
import { isXmlPrefix } from './xml-text.js';

/** A text in a blob, to be put into the XML once it is read. */
export interface BlobPart {
  readonly blob: string;
  /** bytes */
  readonly size: number;
  /** What becomes of it: Base64, a whole `sv:value`, the inside of an attribute (one value, or one of several), or an element's content. */
  readonly form: 'base64' | 'systemValue' | 'attribute' | 'item' | 'content';
}

/** XML piece by piece. */
export type XmlPart = string | BlobPart;

export interface ExportOptions {
  readonly namespaces: NamespaceRegistry;
  /** Binary values are written as if they were empty. */
  readonly skipBinary: boolean;
}

/** A property as both views show it. */
export interface ExportedProperty {
  readonly name: string;
  readonly type: PropertyType;
  readonly multiple: boolean;
  readonly values: readonly Value[];
}

/** The properties in the order of JCR 2.0 §7.2: type, mixins, identifier, then the others. */
export function exportedProperties(node: ContentNode): readonly ExportedProperty[] {
  const { type, mixins, lock, versioning, properties } = node;
  const { 'jcr:uuid': uuid, ...others } = properties;
  const checkedOut = versioning === undefined ? {} : { 'jcr:isCheckedOut': single('Boolean', versioning.checkedOut) };
  const own: Readonly<Record<string, Property>> = {
    'jcr:primaryType': single('Name', type),
    ...(mixins.length > 0 && { 'jcr:mixinTypes': { type: 'Name', values: mixins } }),
    ...(uuid !== undefined && { 'jcr:uuid': uuid }),
    ...checkedOut,
    ...(lock && { 'jcr:lockOwner': single('String', lock.owner), 'jcr:lockIsDeep': single('Boolean', lock.deep) }),
    ...others,
  };
  return Object.entries(own).map(([name, property]) => ({
    name,
    type: property.type,
    multiple: isMultiple(property),
    values: valuesOf(property),
  }));
}

const single = (type: PropertyType, value: Value): Property => ({ type, value });

/** The name that both views give the root (JCR 2.0 §7.2, §7.3.1). */
export const exportedName = ({ id, name }: ContentNode): string => (id === ROOT_ID ? 'jcr:root' : name);

/** The text of a value: bytes as Base64; a blob for the text or the bytes that are in one. */
export function exportedValue(type: PropertyType, value: Value, form: BlobPart['form'], skipBinary: boolean): XmlPart {
  if (typeof value !== 'object') return valueText(type, value, { what: 'a value' });
  if (type === 'Binary' && skipBinary) return '';
  if ('inline' in value) return value.inline;
  return { blob: value.blob, size: value.size, form: type === 'Binary' ? 'base64' : form };
}

/** Declarations of all namespaces, as names in values may be of any. Prefixes that XML does not take are left out. */
export const declarations = (namespaces: NamespaceRegistry): string =>
  namespaces
    .entries()
    .filter(([prefix]) => prefix !== '' && prefix !== 'xml' && isXmlPrefix(prefix))
    .map(
      ([prefix, uri]) =>
        ` xmlns:${prefix}="${uri.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')}"`,
    )
    .join('');
