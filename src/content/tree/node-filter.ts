import { badRequest } from '../../shared/errors.js';
import { instantOf } from '../value/date-value.js';
import { isBytes, type Property, type Value, valuesOf } from '../value/property.js';
import type { ContentView } from './content-view.js';
import type { ContentNode } from './node.js';

/** Conditions on nodes, all of which must hold. A field that is not given is not asked. */
export interface NodeFilter {
  /** A type or mixin, their subtypes with it. */
  readonly nodeType?: string;
  /** `*` stands for any characters, `?` for one. */
  readonly name?: string;
  /** As `name`. */
  readonly mimeType?: string;
  /** Texts of values, one of which the property must have; null: there is no such property. */
  readonly properties: Readonly<Record<string, string | null>>;
}

type Holds = (node: ContentNode) => boolean;

/** Gives the one that has a node's properties where the caller may read it and it fits. @throws BAD_REQUEST there is no such type */
export function fitting(view: ContentView, filter: NodeFilter): (node: ContentNode) => ContentNode | undefined {
  const { types } = view;
  const { nodeType, name, mimeType, properties } = filter;
  if (nodeType !== undefined && types.registry.get(nodeType) === undefined)
    throw badRequest(`expected a node type, but there is no '${nodeType}'`, { reason: 'unknown_type' });
  const ofNode: Holds[] = [(node) => node.name !== 'jcr:content'];
  const isNamed = patternOf(name);
  if (isNamed !== undefined) ofNode.push((node) => isNamed(node.name));
  if (nodeType !== undefined) ofNode.push((node) => types.isA(node, nodeType));
  const ofHolder: Holds[] = Object.entries(properties).map(
    ([named, text]) =>
      (holder) =>
        hasValue(holder.properties[named], text),
  );
  const isMime = patternOf(mimeType);
  if (isMime !== undefined) ofHolder.push((holder) => textsOf(holder.properties['jcr:mimeType']).some(isMime));
  return (node) => {
    if (!ofNode.every((holds) => holds(node)) || view.readable(node) === undefined) return undefined;
    const holder = view.contentOf(node);
    return ofHolder.every((holds) => holds(holder)) ? holder : undefined;
  };
}

const textsOf = (property: Property | undefined): string[] =>
  property === undefined ? [] : valuesOf(property).map(String);

/** Tells whether a text fits a pattern, in time that does not depend on how often its `*` could be read. */
function patternOf(text: string | undefined): ((name: string) => boolean) | undefined {
  if (text === undefined) return undefined;
  const pattern = [...text];
  return (name) => isLike([...name], pattern);
}

function isLike(name: readonly string[], pattern: readonly string[]): boolean {
  let at = 0;
  let next = 0;
  // The last star, and where what it stands for ends so far.
  let star = -1;
  let end = 0;
  while (at < name.length) {
    if (pattern[next] === '*') [star, end, next] = [next, at, next + 1];
    else if (pattern[next] === '?' || pattern[next] === name[at]) [at, next] = [at + 1, next + 1];
    else if (star >= 0) [at, next, end] = [end + 1, star + 1, end + 1];
    else return false;
  }
  return pattern.slice(next).every((sign) => sign === '*');
}

function hasValue(property: Property | undefined, text: string | null): boolean {
  if (property === undefined || text === null) return property === undefined && text === null;
  return valuesOf(property).some((value) => isText(property.type, value, text));
}

/** Numbers count by their value, dates by their instant. Texts in blobs are not looked at. */
function isText(type: Property['type'], value: Value, text: string): boolean {
  if (isBytes(value)) return false;
  if (String(value) === text) return true;
  if (type === 'Date') return instantOf(String(value)) === instantOf(text);
  return (type === 'Double' || type === 'Decimal') && text.trim() !== '' && Number(value) === Number(text);
}
