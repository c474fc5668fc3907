import assert from 'node:assert/strict';
import { type LiveServer, liveServer } from '../support/server.js';

/**
 * The types of JCR 2.0 as Jackrabbit 2.22 has them: supertypes and flags, then the items (`-` a property, `+` a child node) with type, default,
 * attributes and constraints.
 */
const JACKRABBIT: Record<string, readonly string[]> = {
  'mix:created': ['mixin', '- jcr:created date autocreated protected', '- jcr:createdBy string autocreated protected'],
  'mix:etag': ['mixin', '- jcr:etag string autocreated protected'],
  'mix:language': ['mixin', '- jcr:language string'],
  'mix:lastModified': ['mixin', '- jcr:lastModified date autocreated', '- jcr:lastModifiedBy string autocreated'],
  'mix:lifecycle': [
    'mixin',
    '- jcr:currentLifecycleState string protected initialize',
    '- jcr:lifecyclePolicy reference protected initialize',
  ],
  'mix:lockable': ['mixin', '- jcr:lockIsDeep boolean protected ignore', '- jcr:lockOwner string protected ignore'],
  'mix:mimeType': ['mixin', '- jcr:encoding string', '- jcr:mimeType string'],
  'mix:referenceable': ['mixin', '- jcr:uuid string mandatory autocreated protected initialize'],
  'mix:shareable': ['> mix:referenceable mixin'],
  'mix:simpleVersionable': ['mixin', '- jcr:isCheckedOut boolean = true mandatory autocreated protected ignore'],
  'mix:title': ['mixin', '- jcr:description string', '- jcr:title string'],
  'mix:versionable': [
    '> mix:referenceable mix:simpleVersionable mixin',
    '- jcr:activity reference protected < nt:activity',
    '- jcr:baseVersion reference mandatory protected ignore < nt:version',
    '- jcr:configuration reference protected ignore < nt:configuration',
    '- jcr:mergeFailed reference protected multiple abort < nt:version',
    '- jcr:predecessors reference mandatory protected multiple ignore < nt:version',
    '- jcr:versionHistory reference mandatory protected ignore < nt:versionHistory',
  ],
  'nt:activity': ['> mix:referenceable', '- jcr:activityTitle string mandatory autocreated protected'],
  'nt:address': [
    '',
    '- jcr:host string',
    '- jcr:id weakreference',
    '- jcr:path path',
    '- jcr:port string',
    '- jcr:protocol string',
    '- jcr:repository string',
    '- jcr:workspace string',
  ],
  'nt:base': [
    'abstract',
    '- jcr:mixinTypes name protected multiple compute',
    '- jcr:primaryType name mandatory autocreated protected compute',
  ],
  'nt:childNodeDefinition': [
    '',
    '- jcr:autoCreated boolean mandatory protected',
    '- jcr:defaultPrimaryType name protected',
    '- jcr:mandatory boolean mandatory protected',
    '- jcr:name name protected',
    '- jcr:onParentVersion string mandatory protected < COPY, VERSION, INITIALIZE, COMPUTE, IGNORE, ABORT',
    '- jcr:protected boolean mandatory protected',
    '- jcr:requiredPrimaryTypes name = nt:base mandatory protected multiple',
    '- jcr:sameNameSiblings boolean mandatory protected',
  ],
  'nt:configuration': ['> mix:versionable', '- jcr:root reference mandatory autocreated protected'],
  'nt:file': ['> nt:hierarchyNode primaryitem jcr:content', '+ jcr:content nt:base mandatory'],
  'nt:folder': ['> nt:hierarchyNode', '+ * nt:hierarchyNode version'],
  'nt:frozenNode': [
    '> mix:referenceable orderable',
    '+ * nt:base protected sns abort',
    '- * undefined protected abort',
    '- * undefined protected multiple abort',
    '- jcr:frozenMixinTypes name protected multiple abort',
    '- jcr:frozenPrimaryType name mandatory autocreated protected abort',
    '- jcr:frozenUuid string mandatory autocreated protected abort',
  ],
  'nt:hierarchyNode': ['> mix:created abstract'],
  'nt:linkedFile': ['> nt:hierarchyNode primaryitem jcr:content', '- jcr:content reference mandatory'],
  'nt:nodeType': [
    '',
    '+ jcr:childNodeDefinition nt:childNodeDefinition = nt:childNodeDefinition protected sns',
    '+ jcr:propertyDefinition nt:propertyDefinition = nt:propertyDefinition protected sns',
    '- jcr:hasOrderableChildNodes boolean mandatory protected',
    '- jcr:isAbstract boolean mandatory protected',
    '- jcr:isMixin boolean mandatory protected',
    '- jcr:isQueryable boolean mandatory protected',
    '- jcr:nodeTypeName name mandatory protected',
    '- jcr:primaryItemName name protected',
    '- jcr:supertypes name protected multiple',
  ],
  'nt:propertyDefinition': [
    '',
    '- jcr:autoCreated boolean mandatory protected',
    '- jcr:availableQueryOperators name mandatory protected multiple',
    '- jcr:defaultValues undefined protected multiple',
    '- jcr:isFullTextSearchable boolean mandatory protected',
    '- jcr:isQueryOrderable boolean mandatory protected',
    '- jcr:mandatory boolean mandatory protected',
    '- jcr:multiple boolean mandatory protected',
    '- jcr:name name protected',
    '- jcr:onParentVersion string mandatory protected < COPY, VERSION, INITIALIZE, COMPUTE, IGNORE, ABORT',
    '- jcr:protected boolean mandatory protected',
    '- jcr:requiredType string mandatory protected < STRING, URI, BINARY, LONG, DOUBLE, DECIMAL, BOOLEAN, DATE, NAME, PATH, REFERENCE, WEAKREFERENCE, UNDEFINED',
    '- jcr:valueConstraints string protected multiple',
  ],
  'nt:query': ['', '- jcr:language string', '- jcr:statement string'],
  'nt:resource': [
    '> mix:lastModified mix:mimeType mix:referenceable primaryitem jcr:data',
    '- jcr:data binary mandatory',
  ],
  'nt:unstructured': [
    'orderable',
    '+ * nt:base = nt:unstructured sns version',
    '- * undefined',
    '- * undefined multiple',
  ],
  'nt:version': [
    '> mix:referenceable',
    '+ jcr:frozenNode nt:frozenNode protected abort',
    '- jcr:activity reference protected abort < nt:activity',
    '- jcr:created date mandatory autocreated protected abort',
    '- jcr:predecessors reference protected multiple abort < nt:version',
    '- jcr:successors reference protected multiple abort < nt:version',
  ],
  'nt:versionHistory': [
    '> mix:referenceable',
    '+ * nt:version = nt:version protected abort',
    '+ jcr:rootVersion nt:version = nt:version mandatory autocreated protected abort',
    '+ jcr:versionLabels nt:versionLabels = nt:versionLabels mandatory autocreated protected abort',
    '- jcr:copiedFrom weakreference protected abort < nt:version',
    '- jcr:versionableUuid string mandatory autocreated protected abort',
  ],
  'nt:versionLabels': ['', '- * reference protected abort < nt:version'],
  'nt:versionedChild': [
    '',
    '- jcr:childVersionHistory reference mandatory autocreated protected abort < nt:versionHistory',
  ],
};

/** Of features that JCR leaves to the repository: activities, configurations, life cycles, shareable nodes. */
const NOT_HAD = new Set(['mix:lifecycle', 'mix:shareable', 'nt:activity', 'nt:configuration']);
const OF_NOT_HAD = /nt:(activity|configuration)/;

/** Lines of ours that are others there: what is set on files and folders by clients; references to content by its file; as in Oak. */
const OURS: Record<string, { readonly more?: readonly string[]; readonly head?: string }> = {
  'nt:folder': { more: ['- * undefined', '- * undefined multiple'] },
  'nt:resource': {
    more: ['- * undefined', '- * undefined multiple'],
    head: '> mix:lastModified mix:mimeType primaryitem jcr:data',
  },
  'nt:frozenNode': { head: 'orderable' },
};

const ALL =
  '{ nodeTypes(first: 1000) { edges { node { name supertypes isAbstract isMixin hasOrderableChildNodes primaryItemName propertyDefinitions { name requiredType isMultiple isMandatory isAutoCreated isProtected onParentVersion defaultValues valueConstraints } childNodeDefinitions { name requiredPrimaryTypes defaultPrimaryType isMandatory isAutoCreated isProtected onParentVersion allowsSameNameSiblings } } } } }';

describe('the built-in node types', () => {
  let server: LiveServer;
  before(async () => {
    server = await liveServer();
  });
  after(() => server.remove());

  it('are those of the reference implementation', async () => {
    const { nodeTypes } = await server.as('admin').run(ALL);
    const found = Object.fromEntries(
      nodeTypes.edges.map(({ node }) => [node.name, linesOf(node)]).filter(([name]) => /^(nt|mix):/.test(String(name))),
    );
    const wanted = Object.entries(JACKRABBIT)
      .filter(([name]) => !NOT_HAD.has(name))
      .map(([name, [head = '', ...items]]) => {
        const { more = [], head: other = head } = OURS[name] ?? {};
        return [name, [other, ...[...items.filter((item) => !OF_NOT_HAD.test(item)), ...more].sort()]];
      });
    assert.deepEqual(found, Object.fromEntries(wanted));
  });
});

type Found = Awaited<ReturnType<ReturnType<LiveServer['as']>['run']>>['nodeTypes']['edges'][number]['node'];

/** As in the table. */
function linesOf(type: Found): string[] {
  const head = [
    type.supertypes.length > 0 && `> ${[...type.supertypes].sort().join(' ')}`,
    type.isAbstract && 'abstract',
    type.isMixin && 'mixin',
    type.hasOrderableChildNodes && 'orderable',
    type.primaryItemName && `primaryitem ${type.primaryItemName}`,
  ];
  const properties = type.propertyDefinitions.map((item) =>
    line('-', item, {
      type: item.requiredType.toLowerCase(),
      defaults: item.defaultValues,
      many: item.isMultiple && 'multiple',
      constraints: item.valueConstraints,
    }),
  );
  const children = type.childNodeDefinitions.map((item) =>
    line('+', item, {
      type: item.requiredPrimaryTypes.join(' '),
      defaults: item.defaultPrimaryType == null ? [] : [item.defaultPrimaryType],
      many: item.allowsSameNameSiblings && 'sns',
      constraints: [],
    }),
  );
  return [head.filter(Boolean).join(' '), ...[...properties, ...children].sort()];
}

type Item = Found['propertyDefinitions'][number] | Found['childNodeDefinitions'][number];

interface Own {
  readonly type: string;
  readonly defaults: readonly string[];
  readonly many: string | false;
  readonly constraints: readonly string[];
}

const line = (sign: string, item: Item, { type, defaults, many, constraints }: Own): string =>
  [
    `${sign} ${item.name} ${type}`,
    defaults.length > 0 && `= ${defaults.join(', ')}`,
    item.isMandatory && 'mandatory',
    item.isAutoCreated && 'autocreated',
    item.isProtected && 'protected',
    many,
    item.onParentVersion !== 'COPY' && item.onParentVersion.toLowerCase(),
    constraints.length > 0 && `< ${constraints.join(', ')}`,
  ]
    .filter(Boolean)
    .join(' ');
