export { BUILT_IN_TYPES } from './model/built-in-types.js';
export { type Cnd, readCnd } from './model/cnd-reader.js';
export { writeCnd } from './model/cnd-writer.js';
export { compareValues, equalValues } from './model/compare-values.js';
export { convertValue, valueText } from './model/convert-value.js';
export { dateOf, dateOfInstant, instantOf } from './model/date-value.js';
export { type EffectiveChild, type EffectiveProperty, EffectiveType } from './model/effective-type.js';
export { expandedName, localNameOf, NAME_MAX, prefixOf, qualifiedName } from './model/name.js';
export { BUILT_IN_NAMESPACES, builtInNamespaces, NamespaceRegistry, namespacesOf } from './model/namespaces.js';
export {
  type ChildDefinition,
  childDefinition,
  type NodeType,
  nodeType,
  type OnParentVersion,
  type PropertyDefinition,
  propertyDefinition,
  type QueryOperator,
} from './model/node-type.js';
export { formatPath, type Path, type PathSegment, parseAbsolutePath, parsePath } from './model/path.js';
export { changesOf, type TypeChange } from './model/type-changes.js';
export { registryOf, TypeRegistry } from './model/type-registry.js';
export { checkValue, lengthOf, type ValueContext } from './model/value.js';
export { type AutoCreated, autoCreated, type CreationContext } from './rule/auto-created.js';
export { fitProperty } from './rule/fit-property.js';
export { lostProperties } from './rule/lost-properties.js';
export { type ChildFreezing, childFreezing, type FrozenFacts, frozenProperties } from './rule/opv.js';
export {
  type ChildFacts,
  type NodeFacts,
  type NodeProblem,
  type NodeRule,
  validateNode,
} from './rule/validate-node.js';
