import { type NodeType, qualifiedName, writeCnd } from '../../content/index.js';
import { connection } from '../../shared/connection.js';
import { badRequest, limitExceeded, ServiceError } from '../../shared/errors.js';
import { decodeCursor, encodeCursor, PAGE_MAX } from '../../store/index.js';
import type { ApiContext } from '../api-context.js';
import type {
  ChildNodeDefinitionResolvers,
  MutationResolvers,
  NodeTypeResolvers,
  PropertyDefinitionResolvers,
  PropertyType,
  QuerynodeTypesArgs,
  QueryResolvers,
} from '../generated/schema.js';
import { answerOf, mutate } from '../mutate.js';

export const nodeTypeQueries: Required<Pick<QueryResolvers, 'nodeTypes' | 'nodeType' | 'namespaces'>> = {
  nodeTypes: (_, args, { content }) => pageOf(content.types.registry.all(), args),
  nodeType: (_, { name }, context) => typeNamed(context, name) ?? null,
  namespaces: (_, __, { content }) => content.types.namespaces.entries().map(([prefix, uri]) => ({ prefix, uri })),
};

type TypeMutations = Required<
  Pick<MutationResolvers, 'registerNodeTypes' | 'unregisterNodeTypes' | 'registerNamespace' | 'unregisterNamespace'>
>;

export const nodeTypeMutations: TypeMutations = {
  async registerNodeTypes(_, { cnd }, context, info) {
    const answer = await answerOf(context, info, context.services.content.api.registerNodeTypes, { cnd });
    return answer.flatMap((name) => context.content.types.registry.get(name) ?? []);
  },

  unregisterNodeTypes: (_, { names }, context, info) =>
    answerOf(context, info, context.services.content.api.unregisterNodeTypes, { names }),

  async registerNamespace(_, { prefix, uri }, context, info) {
    await mutate(context, info, context.services.content.api.registerNamespace, { prefix, uri });
    return { prefix, uri };
  },

  unregisterNamespace: (_, { prefix }, context, info) =>
    answerOf(context, info, context.services.content.api.unregisterNamespace, { prefix }),
};

export const nodeTypeResolvers: NodeTypeResolvers = {
  isAbstract: ({ abstract }) => abstract,
  isMixin: ({ mixin }) => mixin,
  isQueryable: ({ queryable }) => queryable,
  hasOrderableChildNodes: ({ orderable }) => orderable,
  primaryItemName: ({ primaryItem }) => primaryItem,
  isBuiltIn: ({ name }, _, { content }) => content.types.registry.isBuiltIn(name),
  propertyDefinitions: ({ properties }) => properties,
  childNodeDefinitions: ({ children }) => children,
  cnd: (type, _, { content }) => writeCnd([type], content.types.namespaces),
};

export const propertyDefinitionResolvers: PropertyDefinitionResolvers = {
  requiredType: ({ type }) => (type ?? 'Undefined').toUpperCase() as PropertyType,
  isMultiple: ({ multiple }) => multiple,
  isMandatory: ({ mandatory }) => mandatory,
  isAutoCreated: ({ autoCreated }) => autoCreated,
  isProtected: (definition) => definition.protected,
  availableQueryOperators: ({ queryOperators }) => queryOperators,
  isFullTextSearchable: ({ fullTextSearchable }) => fullTextSearchable,
  isQueryOrderable: ({ queryOrderable }) => queryOrderable,
};

export const childDefinitionResolvers: ChildNodeDefinitionResolvers = {
  requiredPrimaryTypes: ({ requiredTypes }) => requiredTypes,
  defaultPrimaryType: ({ defaultType }) => defaultType,
  isMandatory: ({ mandatory }) => mandatory,
  isAutoCreated: ({ autoCreated }) => autoCreated,
  isProtected: (definition) => definition.protected,
  allowsSameNameSiblings: ({ sameNameSiblings }) => sameNameSiblings,
};

/** Undefined also for what is no name at all. */
function typeNamed({ content }: ApiContext, name: string): NodeType | undefined {
  try {
    return content.types.registry.get(qualifiedName(name, content.types.namespaces, 'node type'));
  } catch (thrown) {
    if (thrown instanceof ServiceError) return undefined;
    throw thrown;
  }
}

function pageOf(all: readonly NodeType[], { first: wanted, after, name, isMixin }: QuerynodeTypesArgs) {
  const first = wanted ?? 100;
  if (first < 0) throw badRequest(`expected 'first' to be a whole number from 0 to ${PAGE_MAX}, but it is ${first}`);
  if (first > PAGE_MAX) throw limitExceeded(`expected 'first' to be at most ${PAGE_MAX}, but it is ${first}`);
  const sought = (name ?? '').toLowerCase();
  const matching = all
    .filter((type) => type.name.toLowerCase().includes(sought) && (isMixin == null || type.mixin === isMixin))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const hash = `nodeTypes/${JSON.stringify([sought, isMixin ?? null])}`;
  const from = after == null ? null : String(decodeCursor(hash, 1, after)[0]);
  const behind = from === null ? matching : matching.filter((type) => type.name > from);
  const rows = behind.slice(0, first).map((type) => ({ type, cursor: encodeCursor(hash, [type.name]) }));
  const page = { rows, hasNextPage: behind.length > first, hasPreviousPage: from !== null, totalCount: null };
  return { ...connection(page, ({ type }) => type), totalCount: matching.length };
}
