import { addNode, type ParentOptions, parentAt } from '../tree/add-node.js';
import { contentOperation, type NodeAnswer } from '../tree/content-operation.js';
import { qualifiedName } from '../value/names.js';
import type { Property } from '../value/property.js';
import { type GivenProperty, propertyOf } from './set-properties.js';

interface CreateFolderInput extends ParentOptions {
  readonly path: string;
  readonly name: string;
  /** Default: nt:folder. */
  readonly nodeType?: string | null;
}

export const createFolder = contentOperation('createFolder', (change, input: CreateFolderInput): NodeAnswer => {
  const parent = parentAt(change, input.path, input);
  const name = qualifiedName(input.name, change.types.namespaces);
  return { nodeId: addNode(change, parent, { name, type: input.nodeType ?? 'nt:folder', isOnlyOfName: true }).id };
});

interface CreateNodeInput {
  readonly path: string;
  readonly name: string;
  readonly nodeType: string;
  readonly mixins?: readonly string[] | null;
  readonly properties?: readonly GivenProperty[] | null;
  /** Whether it may get the name of a sibling, as the types allow. Default: false. */
  readonly allowSameNameSiblings?: boolean | null;
}

export const createNode = contentOperation('createNode', (change, input: CreateNodeInput): NodeAnswer => {
  const parent = change.at(input.path, 'Parent node');
  const { namespaces } = change.types;
  const name = qualifiedName(input.name, namespaces);
  const mixins = (input.mixins ?? []).map((mixin) => qualifiedName(mixin, namespaces, 'mixin'));
  const type = qualifiedName(input.nodeType, namespaces, 'node type');
  const effective = change.types.of({ type, mixins });
  const properties: Record<string, Property> = {};
  for (const given of input.properties ?? []) {
    const key = qualifiedName(given.name, namespaces, 'property');
    const path = `${input.path === '/' ? '' : input.path}/${name}`;
    const property = propertyOf(change, { ...given, name: key }, { path, effective });
    if (property !== null) properties[key] = property;
  }
  const isOnlyOfName = input.allowSameNameSiblings !== true;
  return { nodeId: addNode(change, parent, { name, type, mixins, properties, isOnlyOfName }).id };
});
