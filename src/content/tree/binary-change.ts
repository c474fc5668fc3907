import { isMultiple, type Property } from '../value/property.js';
import type { ContentNode } from './node.js';

type Holder = Pick<ContentNode, 'properties'>;

/** Whether a node has other bytes in its binary properties than before, when it may not have been there. */
export function isOtherBinary(before: Holder | undefined, { properties: after }: Holder): boolean {
  if (before?.properties === after) return false;
  const names = new Set([...binaryNames(before?.properties ?? {}), ...binaryNames(after)]);
  return [...names].some((name) => bytesOf(before?.properties[name]) !== bytesOf(after[name]));
}

const binaryNames = (properties: Holder['properties']): string[] =>
  Object.keys(properties).filter((name) => properties[name]?.type === 'Binary');

/** A text that says which bytes they are. */
function bytesOf(property: Property | undefined): string {
  if (property?.type !== 'Binary') return '';
  return JSON.stringify(isMultiple(property) ? property.values : [property.value]);
}
