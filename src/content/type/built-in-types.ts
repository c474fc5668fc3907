import { builtInNamespaces } from '../value/names.js';
import { readCnd } from './cnd.js';
import type { NodeType } from './node-type.js';

/**
 * The types that every workspace has: those of JCR 2.0 §3.7.10 and §3.7.11, §15, §17, those of existing content (`mi:`), and mi:anyChildren, which
 * the standard folders have: they take nodes of any type, where nt:folder itself takes files and folders alone. Users, groups and roles are nodes of
 * types of their own, below which and above which all is `mi:identity`: see `tree/identity-nodes.ts`.
 *
 * Where JCR leaves a choice: mix:created is protected, mix:lastModified, mix:title, mix:mimeType and mix:language are not; jcr:lastModified,
 * jcr:created and their users are autocreated. Two deviations, for clients set any property on a file's content and on a folder:
 * nt:resource and nt:folder (and mi:root, which is a folder too) have residual properties. What they name keeps its type. Jackrabbit's
 * nt:resource is referenceable, JCR 2.0's is not, nor is this one. There are no types of features that are not had (activities, configurations, life
 * cycles, shareable nodes).
 */
const CND = `
[nt:base] abstract
  - jcr:primaryType (name) mandatory autocreated protected compute
  - jcr:mixinTypes (name) protected multiple compute

[nt:unstructured] orderable
  - * (undefined) multiple
  - * (undefined)
  + * (nt:base) = nt:unstructured sns version

[mix:created] mixin
  - jcr:created (date) autocreated protected
  - jcr:createdBy (string) autocreated protected

[mix:lastModified] mixin
  - jcr:lastModified (date) autocreated
  - jcr:lastModifiedBy (string) autocreated

[mix:title] mixin
  - jcr:title (string)
  - jcr:description (string)

[mix:language] mixin
  - jcr:language (string)

[mix:mimeType] mixin
  - jcr:mimeType (string)
  - jcr:encoding (string)

[mix:etag] mixin
  - jcr:etag (string) protected autocreated

[mix:referenceable] mixin
  - jcr:uuid (string) mandatory autocreated protected initialize

[mix:lockable] mixin
  - jcr:lockOwner (string) protected ignore
  - jcr:lockIsDeep (boolean) protected ignore

[mix:simpleVersionable] mixin
  - jcr:isCheckedOut (boolean) = 'true' mandatory autocreated protected ignore

[mix:versionable] > mix:simpleVersionable, mix:referenceable mixin
  - jcr:versionHistory (reference) mandatory protected ignore < 'nt:versionHistory'
  - jcr:baseVersion (reference) mandatory protected ignore < 'nt:version'
  - jcr:predecessors (reference) mandatory protected multiple ignore < 'nt:version'
  - jcr:mergeFailed (reference) protected multiple abort < 'nt:version'

[nt:hierarchyNode] > mix:created abstract

[nt:file] > nt:hierarchyNode primaryitem jcr:content
  + jcr:content (nt:base) mandatory

[nt:linkedFile] > nt:hierarchyNode primaryitem jcr:content
  - jcr:content (reference) mandatory

[nt:folder] > nt:hierarchyNode
  // deviation: JCR's folder has no properties of its own
  - * (undefined)
  - * (undefined) multiple
  + * (nt:hierarchyNode) version

[nt:resource] > mix:mimeType, mix:lastModified primaryitem jcr:data
  - jcr:data (binary) mandatory
  // deviation: JCR's resource has no further properties
  - * (undefined)
  - * (undefined) multiple

[nt:address]
  - jcr:protocol (string)
  - jcr:host (string)
  - jcr:port (string)
  - jcr:repository (string)
  - jcr:workspace (string)
  - jcr:path (path)
  - jcr:id (weakreference)

[nt:query]
  - jcr:statement (string)
  - jcr:language (string)

[nt:nodeType]
  - jcr:nodeTypeName (name) protected mandatory
  - jcr:supertypes (name) protected multiple
  - jcr:isAbstract (boolean) protected mandatory
  - jcr:isQueryable (boolean) protected mandatory
  - jcr:isMixin (boolean) protected mandatory
  - jcr:hasOrderableChildNodes (boolean) protected mandatory
  - jcr:primaryItemName (name) protected
  + jcr:propertyDefinition (nt:propertyDefinition) = nt:propertyDefinition protected sns
  + jcr:childNodeDefinition (nt:childNodeDefinition) = nt:childNodeDefinition protected sns

[nt:propertyDefinition]
  - jcr:name (name) protected
  - jcr:autoCreated (boolean) protected mandatory
  - jcr:mandatory (boolean) protected mandatory
  - jcr:onParentVersion (string) protected mandatory
    < 'COPY', 'VERSION', 'INITIALIZE', 'COMPUTE', 'IGNORE', 'ABORT'
  - jcr:protected (boolean) protected mandatory
  - jcr:requiredType (string) protected mandatory
    < 'STRING', 'URI', 'BINARY', 'LONG', 'DOUBLE', 'DECIMAL', 'BOOLEAN', 'DATE', 'NAME', 'PATH', 'REFERENCE',
      'WEAKREFERENCE', 'UNDEFINED'
  - jcr:valueConstraints (string) protected multiple
  - jcr:defaultValues (undefined) protected multiple
  - jcr:multiple (boolean) protected mandatory
  - jcr:availableQueryOperators (name) protected mandatory multiple
  - jcr:isFullTextSearchable (boolean) protected mandatory
  - jcr:isQueryOrderable (boolean) protected mandatory

[nt:childNodeDefinition]
  - jcr:name (name) protected
  - jcr:autoCreated (boolean) protected mandatory
  - jcr:mandatory (boolean) protected mandatory
  - jcr:onParentVersion (string) protected mandatory
    < 'COPY', 'VERSION', 'INITIALIZE', 'COMPUTE', 'IGNORE', 'ABORT'
  - jcr:protected (boolean) protected mandatory
  - jcr:requiredPrimaryTypes (name) = 'nt:base' protected mandatory multiple
  - jcr:defaultPrimaryType (name) protected
  - jcr:sameNameSiblings (boolean) protected mandatory

[nt:version] > mix:referenceable
  - jcr:created (date) mandatory autocreated protected abort
  - jcr:predecessors (reference) protected multiple abort < 'nt:version'
  - jcr:successors (reference) protected multiple abort < 'nt:version'
  + jcr:frozenNode (nt:frozenNode) protected abort

[nt:frozenNode] orderable
  - jcr:frozenPrimaryType (name) mandatory autocreated protected abort
  - jcr:frozenMixinTypes (name) protected multiple abort
  - jcr:frozenUuid (string) mandatory autocreated protected abort
  - * (undefined) protected abort
  - * (undefined) protected multiple abort
  + * (nt:base) protected sns abort

[nt:versionHistory] > mix:referenceable
  - jcr:versionableUuid (string) mandatory autocreated protected abort
  - jcr:copiedFrom (weakreference) protected abort < 'nt:version'
  + jcr:rootVersion (nt:version) = nt:version mandatory autocreated protected abort
  + jcr:versionLabels (nt:versionLabels) = nt:versionLabels mandatory autocreated protected abort
  + * (nt:version) = nt:version protected abort

[nt:versionLabels]
  - * (reference) protected abort < 'nt:version'

[nt:versionedChild]
  - jcr:childVersionHistory (reference) mandatory autocreated protected abort < 'nt:versionHistory'

[mi:root] > nt:hierarchyNode
  - * (undefined)
  - * (undefined) multiple
  + * (nt:base) version

[mi:system] > nt:hierarchyNode
  + * (nt:base) version

[mi:versionStorage] > nt:hierarchyNode
  + * (nt:base) version

[mi:anyChildren] mixin
  + * (nt:base) = nt:unstructured version

[mi:anyProperties] mixin
  - * (undefined) multiple
  - * (undefined)

[mi:identity] mixin

[mi:homes] > nt:folder, mi:anyChildren, mi:identity

[mi:userHome] > nt:folder, mi:anyChildren, mi:identity
  + profile (mi:userProfile) protected version

[mi:groupHome] > nt:folder, mi:identity
  + profile (mi:groupProfile) protected version

[mi:roleHome] > nt:folder, mi:identity
  + profile (mi:roleProfile) protected version

[mi:principalProfile] > nt:hierarchyNode, mix:referenceable, mix:lastModified, mi:identity abstract
  - identifier (string) mandatory protected
  - displayName (string) protected
  - roles (weakreference) multiple protected < 'mi:roleProfile'

[mi:userProfile] > mi:principalProfile
  - isGroup (boolean) mandatory protected
  - isService (boolean) mandatory protected
  - enabled (boolean) mandatory protected
  - sn (string) protected
  - givenName (string) protected
  - mail (string) protected
  - memberOf (weakreference) multiple protected < 'mi:groupProfile'

[mi:groupProfile] > mi:principalProfile
  - isGroup (boolean) mandatory protected
  - description (string) protected

[mi:roleProfile] > mi:principalProfile
  - description (string) protected
`;

/** The types that take any property here, and none but their own in JCR. */
export const LENIENT_TYPES: ReadonlySet<string> = new Set(['nt:folder', 'nt:resource', 'mi:root']);

/** As declared, in the text's order. */
export const BUILT_IN_TYPES: readonly NodeType[] = readCnd(CND, builtInNamespaces).types;
