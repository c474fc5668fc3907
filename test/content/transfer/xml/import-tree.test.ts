import assert from 'node:assert/strict';
import type { UuidBehavior } from '../../../../src/content/transfer/xml/import-place.js';
import { type Imported, importTree } from '../../../../src/content/transfer/xml/import-tree.js';
import { readXml } from '../../../../src/content/transfer/xml/read-xml.js';
import { Change } from '../../../../src/content/tree/change.js';
import { detachedTrees } from '../../../../src/content/tree/detached.js';
import { type AccessEntry, type ContentNode, nodes, ROOT_ID, SYSTEM_ID } from '../../../../src/content/tree/node.js';
import { typeStamps, typesOf } from '../../../../src/content/tree/stored-types.js';
import type { Caller } from '../../../../src/shared/caller.js';
import { allSteps } from '../../../../src/store/index.js';
import { MemoryRepository } from '../../support/memory-repository.js';
import { ADMIN, ANN, nodeOf } from '../../support/tree.js';

const LIMITS = { bytesMax: 10_000_000, nodesMax: 20_000, depthMax: 50, namespacesMax: 100 };
const SV =
  'xmlns:sv="http://www.jcp.org/jcr/sv/1.0" xmlns:jcr="http://www.jcp.org/jcr/1.0" xmlns:nt="http://www.jcp.org/jcr/nt/1.0" xmlns:mix="http://www.jcp.org/jcr/mix/1.0"';
const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const grant = (...privileges: string[]): AccessEntry[] => [{ principal: 'ann', privileges, allow: true }];

const property = (name: string, type: string | null, ...values: string[]) =>
  `<sv:property sv:name="${name}" sv:type="${type ?? 'undefined'}">${values.map((one) => `<sv:value>${one}</sv:value>`).join('')}</sv:property>`;
const typed = (type: string, ...mixins: string[]) =>
  property('jcr:primaryType', 'Name', type) +
  (mixins.length === 0 ? '' : property('jcr:mixinTypes', 'Name', ...mixins));
const node = (name: string, ...inner: string[]) => `<sv:node ${SV} sv:name="${name}">${inner.join('\n')}</sv:node>`;
const loose = (name: string, ...inner: string[]) => node(name, typed('nt:unstructured'), ...inner);
const identified = (name: string, id: string, ...inner: string[]) =>
  node(name, typed('nt:unstructured', 'mix:referenceable'), property('jcr:uuid', 'String', id), ...inner);

describe('an import of XML', () => {
  let repository: MemoryRepository;
  let base: string;
  beforeEach(() => {
    repository = new MemoryRepository();
    base = repository.baseId;
    repository.store(nodeOf(base, 'in', { acl: grant('jcr:all') }));
  });

  interface Given {
    readonly behavior?: UuidBehavior;
    readonly target?: string;
    readonly caller?: Caller;
  }
  const imported = (xml: string, { behavior = 'THROW', target = 'in', caller = ADMIN }: Given = {}): Imported => {
    const { namespaces } = typesOf(repository.state());
    const document = readXml({
      bytes: Buffer.from(xml),
      namespaces: Object.fromEntries(namespaces.entries()),
      limits: LIMITS,
    });
    return repository.do(
      {
        name: 'import',
        decide: (state, _, context) => {
          const change = new Change(state, context.caller);
          const into = change.draft.get(nodes, target);
          assert.ok(into);
          return change.decision(allSteps(importTree(change, into, document, behavior)));
        },
        limits: { reads: 1_000_000, writes: 100_000 },
      },
      null,
      caller,
    );
  };
  const refused = (xml: string, given: Given, code: string, reason: string | undefined, message: RegExp) =>
    assert.throws(
      () => imported(xml, given),
      (thrown: { code?: string; message: string; info?: { reason?: string } }) => {
        assert.deepEqual([thrown.code, reason && thrown.info?.reason], [code, reason], thrown.message);
        assert.match(thrown.message, message);
        return true;
      },
    );
  const all = () => repository.documents.all(nodes);
  const get = (id: string) => all().find((one) => one.id === id);
  const child = (name: string, parent = 'in') => all().find((one) => one.parent === parent && one.name === name);
  const propertyOf = (name: string, key: string) => child(name)?.properties[key];

  describe('makes nodes', () => {
    it('within each other, and tells the topmost ones', () => {
      const { nodeIds, created, replaced } = imported(loose('a', loose('b'), loose('b', loose('c'))));
      const a = child('a');
      const bs = all().filter(({ parent }) => parent === a?.id);
      assert.deepEqual([nodeIds, created, replaced], [[a?.id], 4, 0]);
      assert.deepEqual(
        bs.map(({ name, sns }) => [name, sns]),
        [
          ['b', true],
          ['b', true],
        ],
      );
      assert.equal(child('c', bs[1]?.id)?.name, 'c');
    });

    it('of what is in the root’s own element, but not of what the repository has below the root', () => {
      const inner = '<jcr:system><x/></jcr:system><y><jcr:system/></y>';
      const root = `<jcr:root xmlns:jcr="http://www.jcp.org/jcr/1.0">${inner}</jcr:root>`;
      const { nodeIds, created } = imported(root);
      assert.deepEqual([nodeIds.length, created], [2, 4]);
      assert.ok(child('jcr:system'));
      repository.store(nodeOf(null, '', { id: ROOT_ID, type: 'nt:unstructured' }));
      assert.deepEqual([imported(root, { target: ROOT_ID }).created, child('y', ROOT_ID)?.name], [2, 'y']);
      assert.deepEqual(
        all()
          .filter(({ parent, name }) => parent === ROOT_ID && name === 'jcr:system')
          .map(({ id }) => id),
        [SYSTEM_ID],
      );
    });

    it('of a root’s name elsewhere as of any other', () => {
      const { created } = imported('<a xmlns:jcr="http://www.jcp.org/jcr/1.0"><jcr:root/><jcr:system/></a>');
      assert.equal(created, 3);
      const alone = '<jcr:system xmlns:jcr="http://www.jcp.org/jcr/1.0" jcr:primaryType="nt:folder"/>';
      refused(alone, { target: ROOT_ID }, 'ALREADY_EXISTS', undefined, /^line 1: there is a node 'jcr:system'/);
    });

    it('with namespaces that are new', () => {
      imported('<e:a xmlns:e="u:e"/>');
      assert.equal(child('e:a')?.name, 'e:a');
      assert.deepEqual(repository.documents.all(typeStamps)[0]?.namespaces, { e: 'u:e' });
    });

    it('but leaves to the repository those that types create and protect', () => {
      const kept = '= nt:unstructured autocreated protected';
      repository.register(
        `[keeps]\n+ kept (nt:unstructured) ${kept}\n[makes]\n+ made (nt:unstructured) = nt:unstructured autocreated`,
      );
      const xml = (type: string, name: string, of = 'nt:unstructured') =>
        node('k', typed(type), node(name, typed(of), property('x', 'String', 'told'), loose('below')));
      assert.deepEqual(
        [imported(node('bare', typed('keeps'))).created, child('kept', child('bare')?.id)?.type],
        [1, 'nt:unstructured'],
      );
      assert.equal(imported(xml('keeps', 'kept')).created, 1);
      const made = child('kept', child('k')?.id);
      assert.deepEqual([made?.properties, all().filter(({ parent }) => parent === made?.id)], [{}, []]);
      refused(xml('keeps', 'kept', 'nt:folder'), {}, 'BAD_REQUEST', 'child_type', /'kept'/);
      refused(loose('kept'), { target: child('k')?.id ?? '' }, 'BAD_REQUEST', 'protected_child', /'kept'/);
      repository.store({ ...(child('k') as ContentNode), parent: 'gone' });
      assert.equal(imported(xml('makes', 'made')).created, 3);
      assert.deepEqual(child('made', child('k')?.id)?.properties, { x: { type: 'String', value: 'told' } });
    });

    it('where there may be such a child, and who may add it', () => {
      repository.store(nodeOf('in', 'folder', { type: 'nt:folder' }));
      refused(loose('a'), { target: 'folder' }, 'BAD_REQUEST', 'child_type', /^line 1: .*'a'/);
      const folder = node('a', typed('nt:folder'));
      imported(folder, { target: 'folder' });
      refused(`\n${folder}`, { target: 'folder' }, 'ALREADY_EXISTS', 'node_exists', /^line 2: .*'a'/);
      repository.store(
        nodeOf('in', 'closed', { acl: [{ principal: 'ann', privileges: ['jcr:write'], allow: false }] }),
      );
      refused(loose('a'), { target: 'closed', caller: ANN }, 'FORBIDDEN', undefined, /^line 1: /);
      imported(loose('a', loose('b')), { caller: ANN });
      const versioning = { checkedOut: false, baseVersion: 'v', predecessors: [] };
      repository.store(nodeOf('in', 'checkedIn', { mixins: ['mix:versionable'], versioning }));
      refused(loose('a'), { target: 'checkedIn' }, 'CONFLICT', undefined, /^line 1: /);
    });
  });

  describe('gives properties', () => {
    const value = (type: string | null, ...values: string[]) => {
      imported(loose('p', property('x', type, ...values)));
      const found = propertyOf('p', 'x');
      repository.store({ ...(child('p') as ContentNode), parent: 'gone' });
      return found;
    };

    it('with the types and values that it says', () => {
      assert.deepEqual(value('Long', '7'), { type: 'Long', value: 7 });
      assert.deepEqual(value('Long', '7', '8'), { type: 'Long', values: [7, 8] });
      assert.deepEqual(value('Long'), { type: 'Long', values: [] });
      assert.deepEqual(value(null, '7'), { type: 'String', value: '7' });
      assert.deepEqual(value('Binary', 'AAEC'), { type: 'Binary', value: { inline: 'AAEC', size: 3 } });
      refused(
        loose('p', property('x', 'Long', 'y')),
        {},
        'BAD_REQUEST',
        'invalid_value',
        /^line 2: expected property 'x' of '\/content\/in\/p' to be/,
      );
      const single = property('x', 'Long').replace('sv:type', 'sv:multiple="false" sv:type');
      refused(
        loose('p', single),
        {},
        'BAD_REQUEST',
        undefined,
        /^line 2: expected property 'x' of '\/content\/in\/p' to have a value/,
      );
    });

    it('as their types want them, where it does not say', () => {
      repository.register(
        '[typed]\n- one (long)\n- many (long) multiple\n- both (long)\n- both (date) multiple\n- * (undefined)',
      );
      imported(
        '<t one="1" many="2" both="3" other="4 5" jcr:primaryType="typed" xmlns:jcr="http://www.jcp.org/jcr/1.0"/>',
      );
      assert.deepEqual(child('t')?.properties, {
        one: { type: 'Long', value: 1 },
        many: { type: 'Long', values: [2] },
        both: { type: 'Long', value: 3 },
        other: { type: 'String', value: '4 5' },
      });
      imported('<u many=" 2  3 " jcr:primaryType="typed" xmlns:jcr="http://www.jcp.org/jcr/1.0"/>');
      assert.deepEqual(propertyOf('u', 'many'), { type: 'Long', values: [2, 3] });
      imported(
        node(
          'v',
          typed('typed'),
          property('many', null, '4'),
          property('both', null, '2020-01-01T00:00:00.000Z', '2020-01-01T00:00:00.000Z'),
        ),
      );
      assert.deepEqual(propertyOf('v', 'many'), { type: 'Long', values: [4] });
      assert.deepEqual(Object.keys(propertyOf('v', 'both') ?? {}), ['type', 'values']);
      assert.equal(propertyOf('v', 'both')?.type, 'Date');
    });

    it('with names by the prefixes of the repository, also where only the types tell that they are names', () => {
      repository.register('[named]\n- name (name)\n- path (path)\n- text (string)');
      imported(
        '<n xmlns:j="http://www.jcp.org/jcr/1.0" j:primaryType="named" name="j:a" path="/j:a/b/other:c/j:d" text="j:a"/>'.replace(
          'other:c',
          ':c'.slice(1),
        ),
      );
      assert.deepEqual(child('n')?.properties, {
        name: { type: 'Name', value: 'jcr:a' },
        path: { type: 'Path', value: '/jcr:a/b/c/jcr:d' },
        text: { type: 'String', value: 'j:a' },
      });
      imported(node('m', typed('named'), property('name', null, 'jcr:a')));
      assert.deepEqual(propertyOf('m', 'name'), { type: 'Name', value: 'jcr:a' });
      assert.throws(() => imported('<o xmlns:j="http://www.jcp.org/jcr/1.0" j:primaryType="named" name=":a"/>'), {
        message: /found ':a'/,
      });
    });

    it('of types of which the repository keeps others', () => {
      repository.register('[mixed]\n- x (string) protected\n- x (long)\n- y (string) protected');
      imported(node('m', typed('mixed'), property('x', 'Long', '7'), property('y', 'String', 'z')));
      assert.deepEqual(child('m')?.properties, { x: { type: 'Long', value: 7 } });
    });

    it('decoded, each of several', () => {
      repository.register('[many]\n- many (string) multiple');
      imported('<d one="a_x0020_b" xmlns:jcr="http://www.jcp.org/jcr/1.0" jcr:primaryType="nt:unstructured"/>');
      assert.deepEqual(propertyOf('d', 'one'), { type: 'String', value: 'a b' });
      imported('<e many="a_x0020_b c" xmlns:jcr="http://www.jcp.org/jcr/1.0" jcr:primaryType="many"/>');
      assert.deepEqual(propertyOf('e', 'many'), { type: 'String', values: ['a b', 'c'] });
      imported(loose('f', property('one', 'String', 'a_x0020_b')));
      assert.deepEqual(propertyOf('f', 'one'), { type: 'String', value: 'a_x0020_b' });
    });

    it('but not those that are the repository’s, which administrators may tell of what was made', () => {
      const facts = [
        property('jcr:created', 'Date', '2001-02-03T04:05:06.000Z'),
        property('jcr:createdBy', 'String', 'mozart'),
        property('jcr:isCheckedOut', 'Boolean', 'false'),
        property('jcr:lastModifiedBy', 'String', 'haydn'),
        property('jcr:etag', 'String', 'e'),
      ];
      const told = (caller: Caller, type: string, ...mixins: string[]) => {
        imported(node('k', typed(type, ...mixins), ...facts), { caller });
        const { properties = {} } = child('k') ?? {};
        repository.store({ ...(child('k') as ContentNode), parent: 'gone' });
        return ['jcr:created', 'jcr:createdBy', 'jcr:isCheckedOut', 'jcr:lastModifiedBy', 'jcr:etag'].map(
          (name) => (properties[name] as { value?: unknown })?.value,
        );
      };
      const [created, ...others] = told(ANN, 'nt:unstructured', 'mix:created', 'mix:lastModified', 'mix:etag');
      assert.match(String(created), /^1970-/);
      assert.deepEqual([others[0], others[1], others[2]], ['ann', undefined, 'ann']);
      assert.notEqual(others[3], 'e');
      const [, ...byAdmin] = told(ADMIN, 'nt:unstructured', 'mix:created', 'mix:lastModified', 'mix:etag');
      assert.deepEqual(byAdmin.slice(0, 3), ['mozart', undefined, 'haydn']);
      assert.notEqual(byAdmin[3], 'e');
      assert.deepEqual(told(ANN, 'nt:unstructured'), ['2001-02-03T04:05:06.000Z', 'mozart', undefined, 'haydn', 'e']);
    });

    it('of references to nodes of itself by the identifiers that those have got', () => {
      const refers = [
        property('strong', 'Reference', uuid(1)),
        property('weak', 'WeakReference', uuid(1)),
        property('text', 'String', uuid(1)),
      ];
      imported(
        loose('r', identified('t', uuid(1)), loose('u', ...refers, property('more', 'Reference', uuid(1), uuid(1)))),
        { behavior: 'CREATE_NEW' },
      );
      const id = child('t', child('r')?.id)?.id ?? '';
      assert.notEqual(id, uuid(1));
      assert.deepEqual(child('u', child('r')?.id)?.properties, {
        strong: { type: 'Reference', value: id },
        weak: { type: 'WeakReference', value: id },
        text: { type: 'String', value: uuid(1) },
        more: { type: 'Reference', values: [id, id] },
      });
    });
  });

  describe('is refused with the line', () => {
    it('of the property, or the node, that is not as its types say', () => {
      repository.register(
        '[strict]\n- must (string) mandatory\n- few (long) < "[1,3]"\n[closed]\n[parent]\n+ must (strict) mandatory',
      );
      refused(
        node('s', typed('strict'), '', property('few', 'Long', '2')),
        {},
        'BAD_REQUEST',
        'mandatory_property',
        /^line 1: .*'must'/,
      );
      refused(
        node('s', typed('strict'), property('must', 'String', 'x'), property('few', 'Long', '7')),
        {},
        'BAD_REQUEST',
        'value_constraint',
        /^line 3: .*'few'/,
      );
      refused(
        node('s', typed('closed'), property('x', null, '1')),
        {},
        'BAD_REQUEST',
        'undefined_property',
        /^line 2: .*'x'/,
      );
      refused(node('s', typed('parent')), {}, 'BAD_REQUEST', 'mandatory_child', /^line 1: .*'must'/);
      assert.throws(
        () => imported(node('s', typed('strict'))),
        (thrown: { info: { details: unknown } }) => {
          assert.deepEqual(thrown.info.details, {
            path: '/content/in/s',
            item: 'must',
            rule: 'mandatory_property',
            line: 1,
          });
          return true;
        },
      );
    });

    it('of a reference to nothing', () => {
      repository.store(nodeOf('in', 'plain'), nodeOf('in', 'target', { mixins: ['mix:referenceable'] }));
      const refers = (...ids: string[]) =>
        loose('r', property('x', 'String', 'y'), property('ref', 'Reference', ...ids));
      imported(refers('target', 'target'));
      for (const id of ['nowhere', 'plain'])
        refused(
          refers('target', id),
          {},
          'BAD_REQUEST',
          undefined,
          /^line 3: expected property 'ref' of '\/content\/in\/r(\[2\])?' to refer to a/,
        );
      imported(loose('w', property('ref', 'WeakReference', 'nowhere')));
    });

    it('of names and types that are none', () => {
      refused(
        '\n<a jcr:primaryType="no:type" xmlns:jcr="http://www.jcp.org/jcr/1.0"/>',
        {},
        'BAD_REQUEST',
        'invalid_name',
        /^line 2/,
      );
      refused(node('a', typed('nt:nothing')), {}, 'BAD_REQUEST', undefined, /^line 1: .*nt:nothing/);
    });
  });

  describe('with identifiers', () => {
    const ALL: readonly UuidBehavior[] = ['CREATE_NEW', 'REMOVE_EXISTING', 'REPLACE_EXISTING', 'THROW'];

    it('keeps those that are free, unless all are to be new', () => {
      for (const [n, behavior] of ALL.entries()) {
        imported(identified(`n${n}`, uuid(n)), { behavior });
        assert.equal(child(`n${n}`)?.id === uuid(n), behavior !== 'CREATE_NEW');
        assert.deepEqual(propertyOf(`n${n}`, 'jcr:uuid'), { type: 'String', value: child(`n${n}`)?.id });
      }
    });

    it('keeps them of nodes that are referenceable, by their type or that which is the default', () => {
      repository.register('[ref] > mix:referenceable\n- * (undefined)\n[of]\n+ * (ref) = ref');
      const uuidProperty = property('jcr:uuid', 'String', uuid(1));
      imported(node('o', typed('of'), node('d', uuidProperty)));
      assert.deepEqual([get(uuid(1))?.name, get(uuid(1))?.type], ['d', 'ref']);
      imported(loose('p', property('jcr:uuid', 'String', 'any text')));
      assert.notEqual(child('p')?.id, 'any text');
      refused(
        node('q', typed('nt:folder'), node('d', uuidProperty.replace(uuid(1), uuid(2)))),
        {},
        'BAD_REQUEST',
        undefined,
        /^line 2: expected a node type for 'd'/,
      );
    });

    it('are UUIDs, each once', () => {
      refused(
        identified('a', 'X'.repeat(61)),
        {},
        'BAD_REQUEST',
        'invalid_uuid',
        /^line 1: expected jcr:uuid to be a UUID in lower case, but found 'X{60}'/,
      );
      refused(
        loose('r', identified('a', uuid(1)), identified('b', uuid(1))),
        { behavior: 'REPLACE_EXISTING' },
        'BAD_REQUEST',
        undefined,
        /^line 4: expected each jcr:uuid once/,
      );
      assert.equal(
        imported(loose('r', identified('a', uuid(1)), identified('b', uuid(1))), { behavior: 'CREATE_NEW' }).created,
        3,
      );
    });

    describe('that are taken', () => {
      const REFERENCEABLE = { mixins: ['mix:referenceable'] };
      beforeEach(() =>
        repository.store(
          nodeOf('in', 'old', { id: 'old' }),
          nodeOf('old', 'first', { order: '1', sns: true }),
          nodeOf('old', 'taken', { id: uuid(1), order: '2', sns: true, ...REFERENCEABLE }),
          nodeOf('old', 'last', { order: '3', sns: true }),
          nodeOf(uuid(1), 'below', REFERENCEABLE),
        ),
      );
      const incoming = identified('new', uuid(1));

      it('are refused, or make their nodes give way, in their place or out of it', () => {
        refused(incoming, {}, 'ALREADY_EXISTS', 'identifier_taken', /^line 1: /);
        const inPlace = imported(incoming, { behavior: 'REPLACE_EXISTING' });
        assert.deepEqual([inPlace.replaced, inPlace.created, get('below')], [1, 1, undefined]);
        assert.deepEqual([get(uuid(1))?.parent, get(uuid(1))?.name, get(uuid(1))?.order], ['old', 'new', '2']);
        const out = imported(incoming, { behavior: 'REMOVE_EXISTING' });
        assert.deepEqual([out.replaced, get(uuid(1))?.parent], [1, 'in']);
        assert.equal(imported(incoming.replace(uuid(1), uuid(2)), { behavior: 'REPLACE_EXISTING' }).replaced, 0);
        assert.equal(get(uuid(2))?.parent, 'in');
      });

      it('by what is above the target, or of the same import, do not give way', () => {
        for (const behavior of ['REMOVE_EXISTING', 'REPLACE_EXISTING'] as const) {
          refused(
            incoming,
            { behavior, target: 'below' },
            'CONFLICT',
            'identifier_in_use',
            /part of what is imported, or lies above it/,
          );
          refused(incoming, { behavior, target: uuid(1) }, 'CONFLICT', 'identifier_in_use', /./);
        }
        repository.store(nodeOf(uuid(1), 'inner', { id: uuid(3), ...REFERENCEABLE }));
        const both = loose('r', identified('a', uuid(3), loose('x')), identified('b', uuid(1)));
        refused(both, { behavior: 'REPLACE_EXISTING' }, 'CONFLICT', 'identifier_in_use', /^line 5: /);
        assert.equal(imported(both, { behavior: 'REMOVE_EXISTING' }).replaced, 2);
      });

      it('by the root, which has no place, do not give way', () => {
        repository.store(nodeOf(null, '', { id: ROOT_ID, ...REFERENCEABLE }));
        const root = identified('x', ROOT_ID);
        refused(root, { behavior: 'REMOVE_EXISTING' }, 'CONFLICT', 'identifier_in_use', /./);
      });

      it('by a node that is just being made or removed are refused for the moment', () => {
        repository.store(nodeOf(null, 'out', { id: uuid(4) }));
        repository.documents.put(detachedTrees, { id: uuid(4), isStaging: true, since: 0 });
        for (const behavior of ['THROW', 'REMOVE_EXISTING'] as const)
          refused(identified('x', uuid(4)), { behavior }, 'UNAVAILABLE', 'identifier_in_transit', /try again/);
      });

      it('give way as far as whoever imports may remove them', () => {
        const given = { behavior: 'REMOVE_EXISTING', caller: ANN } as const;
        const denied = (...privileges: string[]) => [{ principal: 'ann', privileges, allow: false }];
        repository.store(nodeOf('in', 'old', { acl: denied('jcr:removeChildNodes') }));
        refused(incoming, given, 'FORBIDDEN', undefined, /^line 1: /);
        repository.store(nodeOf('in', 'old'), nodeOf(uuid(1), 'below', { acl: denied('jcr:removeNode') }));
        refused(incoming, given, 'FORBIDDEN', undefined, /^line 1: /);
        const versioning = { checkedOut: false, baseVersion: 'v', predecessors: [] };
        repository.store(nodeOf(uuid(1), 'below'), nodeOf('in', 'old', { mixins: ['mix:versionable'], versioning }));
        refused(incoming, given, 'CONFLICT', undefined, /^line 1: /);
        repository.store(nodeOf('in', 'old'));
        imported(incoming, given);
      });

      it('do not give way where their type protects them', () => {
        repository.register('[keeps]\n+ kept (nt:unstructured) protected');
        repository.store(
          nodeOf('in', 'keeper', { type: 'keeps' }),
          nodeOf('keeper', 'kept', { id: uuid(5), ...REFERENCEABLE }),
        );
        refused(identified('x', uuid(5)), { behavior: 'REMOVE_EXISTING' }, 'BAD_REQUEST', 'protected_child', /'kept'/);
      });

      it('do not give way where something else refers to what does not come again', () => {
        repository.store(nodeOf('in', 'holder', { properties: { ref: { type: 'Reference', value: 'below' } } }));
        refused(
          incoming,
          { behavior: 'REMOVE_EXISTING' },
          'CONFLICT',
          undefined,
          /'\/content\/in\/holder' refers to it/,
        );
        repository.store(nodeOf('in', 'holder', { properties: { ref: { type: 'Reference', value: uuid(1) } } }));
        imported(incoming, { behavior: 'REMOVE_EXISTING' });
        assert.deepEqual(propertyOf('holder', 'ref'), { type: 'Reference', value: uuid(1) });
      });

      it('give way with as many nodes below them as one decision takes, and no more', () => {
        const many = (count: number) => Array.from({ length: count }, (_, n) => nodeOf(uuid(1), `n${n}`));
        repository.store(...many(4_998));
        imported(incoming, { behavior: 'REMOVE_EXISTING' });
        repository.store(...many(5_000));
        refused(
          incoming,
          { behavior: 'REMOVE_EXISTING' },
          'LIMIT_EXCEEDED',
          'subtree_too_large',
          /too many nodes below it/,
        );
      });

      it('do not give way where too much refers to what goes', () => {
        repository.store(
          ...Array.from({ length: 250 }, (_, n) =>
            nodeOf('gone', `h${n}`, { properties: { ref: { type: 'Reference', value: 'below' } } }),
          ),
        );
        refused(
          incoming,
          { behavior: 'REMOVE_EXISTING' },
          'LIMIT_EXCEEDED',
          'subtree_too_large',
          /has too many references/,
        );
      });
    });
  });
});
