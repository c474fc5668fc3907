import assert from 'node:assert/strict';
import type { ImportParameters } from '../../../src/content/transfer/import-parameters.js';
import { ImportPlan } from '../../../src/content/transfer/import-plan.js';
import type { ImportRecord, ImportRecords } from '../../../src/content/transfer/records.js';
import type { AccessEntry } from '../../../src/content/tree/node.js';
import { typesOf } from '../../../src/content/tree/stored-types.js';
import type { ReplicaSide } from '../../../src/store/index.js';
import { MemoryState } from '../../support/memory-state.js';
import { MemoryRepository } from '../support/memory-repository.js';
import { ADMIN, ANN, nodeOf } from '../support/tree.js';

const grant = (...privileges: string[]): AccessEntry[] => [{ principal: 'ann', privileges, allow: true }];
const PARAMETERS: ImportParameters = {
  destinationPath: '/content/in',
  filename: 'a.zip',
  uuidBehavior: 0,
  pathBehavior: 0,
  importAcl: false,
  preserveTimestamps: true,
  dryRun: false,
  locale: 'en',
};

const NO_TYPE = "expected a registered node type, but there is no 'no:type'";

const described = (path: string, type = 'nt:unstructured', more: Partial<ImportRecord> = {}): ImportRecord => ({
  path,
  id: null,
  type,
  mixins: [],
  properties: {},
  isDescribed: true,
  ...more,
});
const plain = (path: string, type: string): ImportRecord => ({ ...described(path, type), isDescribed: false });
/** A file of a ZIP without a sidecar. */
const plainFile = (path: string) => [
  plain(path, 'nt:file'),
  {
    ...plain(`${path}/jcr:content`, 'nt:resource'),
    properties: { 'jcr:data': { type: 'Binary', multiple: false, values: [{ given: 'AAEC' }] } } as const,
  },
];
const reference = (...ids: string[]) =>
  ({ ref: { type: 'Reference', multiple: true, values: ids.map((given) => ({ given })) } }) as const;

describe('the plan of an import', () => {
  let repository: MemoryRepository;
  let base: string;
  beforeEach(() => {
    repository = new MemoryRepository();
    base = repository.baseId;
    repository.store(nodeOf(base, 'in', { acl: grant('jcr:all') }));
  });

  interface Given extends Partial<ImportParameters> {
    readonly caller?: typeof ADMIN;
    readonly nodesMax?: number;
    readonly archive?: Partial<ImportRecords>;
    readonly read?: () => unknown;
    readonly signal?: AbortSignal;
  }
  const planOf = async (records: readonly ImportRecord[], given: Given = {}): Promise<ImportPlan> => {
    const { caller = ADMIN, nodesMax = 10_000, archive, read, signal, ...parameters } = given;
    const plan = new ImportPlan({
      replica: { read: (read ?? (() => repository.state())) as ReplicaSide['read'] },
      caller,
      parameters: { ...PARAMETERS, ...parameters },
      types: typesOf(repository.state()),
      nodesMax,
      hasPrincipal: () => true,
      signal: signal ?? new AbortController().signal,
    });
    await plan.make({
      namespaces: {},
      records: async function* () {
        yield* records;
      },
      access: async function* () {},
      strays: [],
      ...archive,
    });
    return plan;
  };
  /** What becomes of each node: its fate, or why it cannot be imported. */
  const fatesOf = async (records: readonly ImportRecord[], given: Given = {}) =>
    Object.fromEntries(
      [...(await planOf(records, given)).planned].map(([path, { fate, message }]) => [path, message ?? fate]),
    );

  describe('for what is not there yet', () => {
    it('attaches what comes below a node that is there, and makes the rest below that', async () => {
      const plan = await planOf([described('a'), described('a/b'), described('c', 'nt:folder')]);
      const facts = [...plan.planned.values()].map(({ fate, name, type, isFile }) => [fate, name, type, isFile]);
      assert.deepEqual(facts, [
        ['attach', 'a', 'nt:unstructured', false],
        ['new', 'b', 'nt:unstructured', false],
        ['attach', 'c', 'nt:folder', false],
      ]);
      assert.deepEqual([plan.tally.published, plan.tally.errors], [2, []]);
    });

    it('attaches to folders on the way that are missing', async () => {
      assert.deepEqual(
        await fatesOf([described('a', 'nt:folder'), described('a/b', 'nt:folder')], {
          destinationPath: '/content/no/where',
        }),
        {
          a: 'attach',
          'a/b': 'new',
        },
      );
    });

    it('knows its types, and what they demand', async () => {
      assert.deepEqual(
        await fatesOf([
          described('f', 'nt:file'),
          described('g', 'nt:file'),
          described('g/jcr:content'),
          described('h', 'no:type'),
          described('i', 'nt:unstructured', {
            properties: { p: { type: 'Long', multiple: false, values: [{ given: 'x' }] } },
          }),
          described('j', 'nt:hierarchyNode'),
          described('k', 'nt:version'),
          described('l', 'nt:folder', {
            properties: { 'jcr:created': { type: 'Long', multiple: false, values: [{ given: 1 }] } },
          }),
          described('m', 'mix:title'),
          described('n', 'nt:folder'),
          described('n/o', 'nt:resource'),
        ]),
        {
          f: "it lacks the child 'jcr:content', which its type demands",
          g: 'attach',
          'g/jcr:content': 'new',
          h: NO_TYPE,
          i: "expected property 'p' of 'i' to be a whole number of 64 bits (-9223372036854775808 to 9223372036854775807), but found 'x'",
          j: 'its type nt:hierarchyNode is abstract',
          k: "its type nt:version is the repository's own",
          l: "expected property 'jcr:created' of 'l' to be Date, as 'mix:created' says, but found Long",
          m: "expected a primary node type, but found the mixin 'mix:title'",
          n: 'attach',
          'n/o': "expected 'n/o' to have property 'jcr:data', which 'nt:resource' demands",
        },
      );
    });

    it('asks the type of the node above', async () => {
      repository.store(nodeOf('in', 'file', { type: 'nt:file' }));
      repository.register('[strict]\n[open]\n+ * (strict)');
      assert.deepEqual(
        await fatesOf([
          described('s', 'strict'),
          described('s/a'),
          described('o', 'open'),
          described('o/b'),
          described('o/c', 'strict'),
        ]),
        {
          s: 'attach',
          's/a': "strict takes no child 'a' of type nt:unstructured",
          o: 'attach',
          'o/b': "open takes no child 'b' of type nt:unstructured",
          'o/c': 'new',
        },
      );
    });

    it('makes children that types create and protect as the archive has them', async () => {
      repository.register('[keeps]\n+ kept (nt:unstructured) = nt:unstructured autocreated protected');
      assert.deepEqual(await fatesOf([described('k', 'keeps'), described('k/kept')]), { k: 'attach', 'k/kept': 'new' });
    });

    it('demands children that are sound themselves, whatever their order', async () => {
      assert.deepEqual(
        await fatesOf([described('f', 'nt:file'), described('f/jcr:content', 'no:type'), described('f/jcr:content/x')]),
        {
          f: NO_TYPE,
          'f/jcr:content': NO_TYPE,
          'f/jcr:content/x': 'error',
        },
      );
    });

    it('takes a file for one thing with its content, and not with what lies deeper', async () => {
      repository.register('[pictured] > nt:file');
      const large = { values: [{ given: 'x'.repeat(16_000) }], type: 'String', multiple: false } as const;
      const many = Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`p${n}`, large]));
      const plan = await planOf([
        described('f', 'pictured'),
        described('f/jcr:content', 'nt:unstructured', { properties: many }),
        described('d'),
        described('d/e', 'no:type'),
      ]);
      assert.match(plan.planned.get('f')?.message ?? '', /^it has \d+ characters, more than 262144$/);
      assert.deepEqual([plan.planned.get('d')?.fate, plan.planned.get('f')?.isFile], ['attach', true]);
      const { itemsNew, itemsError } = plan.tally.countsWith(0);
      assert.deepEqual([itemsNew, itemsError], [0, 1]);
    });

    it('fails a file for what its content lacks, for the first reason', async () => {
      const [file, content] = plainFile('f');
      const lacking = { ...content, properties: { ...content?.properties, ...reference('x', 'y') } } as ImportRecord;
      const message = 'it refers to a node that is neither in the archive nor here: x';
      assert.deepEqual(await fatesOf([file as ImportRecord, lacking]), { f: message, 'f/jcr:content': message });
    });

    it('takes a node as large as a document may be', async () => {
      const sized = async (length: number) => {
        const text = (n: number) => ({ type: 'String', multiple: false, values: [{ given: 'x'.repeat(n) }] }) as const;
        const full = Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`p${n}`, text(16_000)]));
        return (
          (await fatesOf([described('a', 'nt:unstructured', { properties: { ...full, z: text(length) } })])).a ?? ''
        );
      };
      const over = Number(/it has (\d+) characters/.exec(await sized(40_000))?.[1]) - 262_144;
      assert.equal(await sized(40_000 - over), 'attach');
      assert.match(await sized(40_000 - over + 1), /^it has 262145 characters, more than 262144$/);
    });

    it('counts the entries with bytes', async () => {
      const entry = { fileName: 'x', uncompressedSize: 3 } as never;
      const values = [{ entry }, { given: 'AAEC' }, { entry }];
      const plan = await planOf([
        described('a', 'nt:unstructured', { properties: { p: { type: 'Binary', multiple: true, values } } }),
      ]);
      assert.equal(plan.binaries, 2);
    });

    it('has names as they stand in paths', async () => {
      const fates = await planOf([
        described('a'),
        described('a/x'),
        described('a/x[2]'),
        described('a/[3]'),
        described('a/x[0]'),
      ]);
      assert.deepEqual(
        [...fates.planned].map(([path, { name, fate }]) => [path, name, fate]),
        [
          ['a', 'a', 'attach'],
          ['a/x', 'x', 'new'],
          ['a/x[2]', 'x', 'new'],
          ['a/[3]', '', 'error'],
          ['a/x[0]', '', 'error'],
        ],
      );
    });

    it('has each path once, with a node above it', async () => {
      assert.deepEqual(
        await fatesOf([described('a'), described('x/y'), described('/z'), described('a', 'nt:folder')]),
        {
          a: 'there are two nodes of this path in the archive',
          'x/y': 'the archive has no node above it',
          '/z': 'the archive has no node above it',
        },
      );
    });

    it('leaves out what lies below a node that is left out', async () => {
      assert.deepEqual(await fatesOf([described('a', 'no:type'), described('a/b'), described('a/b/c')]), {
        a: NO_TYPE,
        'a/b': 'error',
        'a/b/c': 'error',
      });
    });
  });

  describe('for what is there', () => {
    beforeEach(() =>
      repository.store(
        nodeOf('in', 'd', { type: 'nt:folder', mixins: ['mix:title'] }),
        nodeOf('d', 'f', { type: 'nt:file' }),
        nodeOf('f', 'jcr:content', { id: 'content', type: 'nt:resource' }),
        nodeOf('d', 'u'),
      ),
    );
    const FOLDER = described('d', 'nt:folder');
    const FILE = [plain('d', 'nt:folder'), ...plainFile('d/f')];

    it('fails, where paths must not be taken', async () => {
      const taken = 'there is a node of this path already';
      assert.deepEqual(await fatesOf([FOLDER, described('d/u')]), { d: taken, 'd/u': 'error' });
      const plan = await planOf([FOLDER]);
      assert.deepEqual([plan.tally.errors, plan.tally.published], [[['d', taken]], 0]);
    });

    it('skips files with all that belongs to them, where they are to be skipped', async () => {
      const plan = await planOf([...FILE, described('d/u'), described('d/u/new')], { pathBehavior: 1 });
      assert.deepEqual(
        [...plan.planned].map(([path, { fate, id, mixins }]) => [path, fate, id, mixins]),
        [
          ['d', 'merge', 'd', ['mix:title']],
          ['d/f', 'skip', 'f', []],
          ['d/f/jcr:content', 'skip', '', []],
          ['d/u', 'merge', 'u', []],
          ['d/u/new', 'attach', plan.planned.get('d/u/new')?.id, []],
        ],
      );
      assert.deepEqual(plan.tally.countsWith(0), { itemsNew: 0, itemsOverwritten: 0, itemsSkipped: 1, itemsError: 0 });
    });

    it('replaces what the archive describes, and the content of plain files', async () => {
      assert.deepEqual(await fatesOf([FOLDER, described('d/u'), described('d/u/new')], { pathBehavior: 2 }), {
        d: 'overwrite',
        'd/u': 'overwrite',
        'd/u/new': 'attach',
      });
      const plan = await planOf(FILE, { pathBehavior: 2 });
      assert.deepEqual(
        [...plan.planned.values()].map(({ fate }) => fate),
        ['merge', 'overwrite', 'overwrite'],
      );
      assert.deepEqual([plan.tally.published, plan.tally.countsWith(0).itemsOverwritten], [2, 1]);
    });

    it('is of the type that is there, unless it is only a folder on the way', async () => {
      const replaced = (records: readonly ImportRecord[]) => fatesOf(records, { pathBehavior: 2 });
      assert.deepEqual(await replaced([described('d')]), {
        d: 'expected what is there to be of type nt:unstructured too, but it is of type nt:folder',
      });
      assert.deepEqual(await replaced(plainFile('d')), {
        d: 'expected what is there to be of type nt:file too, but it is of type nt:folder',
        'd/jcr:content': 'error',
      });
      assert.deepEqual(
        await replaced([plain('d', 'nt:folder'), plain('d/u', 'nt:folder'), plain('d/f', 'nt:folder')]),
        {
          d: 'merge',
          'd/u': 'merge',
          'd/f': 'expected what is there to be of type nt:folder too, but it is of type nt:file',
        },
      );
    });

    it('is checked as it would be', async () => {
      const properties = { 'jcr:title': { type: 'Long', multiple: false, values: [{ given: 1 }] } } as const;
      const record = described('d', 'nt:folder', { mixins: ['mix:title'], properties });
      assert.match((await fatesOf([record], { pathBehavior: 2 })).d ?? '', /'jcr:title' of 'd' to be String/);
      assert.equal((await fatesOf([record], { pathBehavior: 1 })).d, 'merge');
    });

    it('finds same-name siblings by their number', async () => {
      repository.store(
        nodeOf('u', 'x', { id: 'x1', order: '1', sns: true }),
        nodeOf('u', 'x', { id: 'x2', order: '2', sns: true }),
      );
      const records = [FOLDER, described('d/u'), described('d/u/x[2]'), described('d/u/x[3]')];
      const plan = await planOf(records, { pathBehavior: 1 });
      assert.deepEqual(
        [...plan.planned.values()].slice(2).map(({ fate, id }) => [fate, id === 'x2']),
        [
          ['merge', true],
          ['attach', false],
        ],
      );
    });
  });

  describe('for whoever imports', () => {
    const given = { caller: ANN, pathBehavior: 2 } as const;

    it('needs the right to add to a node that is there, and to change what it replaces', async () => {
      repository.store(nodeOf('in', 'u', { acl: [{ principal: 'ann', privileges: ['jcr:write'], allow: false }] }));
      assert.deepEqual(await fatesOf([described('u')], given), { u: 'it may not be changed by you' });
      assert.deepEqual(
        await fatesOf([described('u'), described('u/a'), described('b'), described('b/c')], {
          ...given,
          pathBehavior: 1,
        }),
        {
          u: 'merge',
          'u/a': 'nothing may be added by you to the node above it',
          b: 'attach',
          'b/c': 'new',
        },
      );
    });

    it('says of what cannot be read no more than that it is there', async () => {
      repository.store(nodeOf('in', 'u', { acl: [{ principal: 'ann', privileges: ['jcr:read'], allow: false }] }));
      assert.deepEqual(await fatesOf([described('u')], given), { u: 'there is a node of this path already' });
    });
  });

  describe('with identifiers', () => {
    const REFERENCEABLE = { mixins: ['mix:referenceable'] };
    beforeEach(() => repository.store(nodeOf('in', 'taken')));
    const idsOf = async (records: readonly ImportRecord[], uuidBehavior: 0 | 1 | 2) =>
      [...(await planOf(records, { uuidBehavior })).planned.values()].map(({ id, message }) => message ?? id);

    it('keeps those that are free, and refuses or replaces those that are taken', async () => {
      const records = [
        described('a', 'nt:unstructured', { id: 'free', ...REFERENCEABLE }),
        described('b', 'nt:unstructured', { id: 'free', ...REFERENCEABLE }),
        described('c', 'nt:unstructured', { id: 'taken', ...REFERENCEABLE }),
        described('d', 'nt:unstructured', { id: 'taken' }),
        described('e'),
      ];
      const [a, b, c, d = '', e = ''] = await idsOf(records, 0);
      assert.deepEqual([a, b, c], ['free', "its identifier 'free' is taken", "its identifier 'taken' is taken"]);
      for (const id of [d, e]) assert.match(id, /^[0-9a-f-]{36}$/);
      const [first, ...fresh] = await idsOf(records, 1);
      assert.equal(first, 'free');
      for (const id of [...fresh, ...(await idsOf(records, 2))]) assert.match(id, /^[0-9a-f-]{36}$/);
    });

    it('leads references of the archive to the nodes that it has become', async () => {
      repository.store(nodeOf('in', 'old', REFERENCEABLE));
      const records = [
        described('old', 'nt:unstructured', { id: 'archived', ...REFERENCEABLE }),
        described('new', 'nt:unstructured', { id: 'taken', ...REFERENCEABLE }),
      ];
      const plan = await planOf(records, { uuidBehavior: 1, pathBehavior: 1 });
      assert.deepEqual(
        [plan.idOf('archived'), plan.idOf('taken'), plan.idOf('other')],
        ['old', plan.planned.get('new')?.id, undefined],
      );
    });

    it('refers to nodes of the archive, or of the tree, that are referenceable', async () => {
      repository.store(
        nodeOf('in', 'here', REFERENCEABLE),
        nodeOf('in', 'hidden', {
          ...REFERENCEABLE,
          acl: [{ principal: 'ann', privileges: ['jcr:read'], allow: false }],
        }),
      );
      const to = (path: string, ...ids: string[]) =>
        described(path, 'nt:unstructured', { properties: reference(...ids) });
      const records = [
        to('a', 'here', 'later'),
        to('b', 'taken'),
        to('c', 'nowhere'),
        to('d', 'plain'),
        to('e', 'hidden'),
        described('f', 'nt:unstructured', { id: 'later', ...REFERENCEABLE }),
        described('g', 'nt:unstructured', { id: 'plain' }),
      ];
      assert.deepEqual(await fatesOf(records, { caller: ANN }), {
        a: 'attach',
        b: 'it refers to a node that is neither in the archive nor here: taken',
        c: 'it refers to a node that is neither in the archive nor here: nowhere',
        d: 'it refers to a node that is not referenceable: plain',
        e: 'it refers to a node that is neither in the archive nor here: hidden',
        f: 'attach',
        g: 'attach',
      });
    });
  });

  it('is refused where a prefix stands for something else here', async () => {
    const planned = (namespaces: Record<string, string>) => planOf([], { archive: { namespaces } });
    await planned({ jcr: 'http://www.jcp.org/jcr/1.0', other: 'u:other' });
    await assert.rejects(planned({ jcr: 'u:jcr' }), {
      code: 'BAD_REQUEST',
      info: { reason: 'namespace_differs' },
      message:
        "expected prefix 'jcr' to stand for 'u:jcr' as in the archive, but here it is 'http://www.jcp.org/jcr/1.0'",
    });
  });

  it('has lists of access control only where they are to be imported', async () => {
    const access = async function* () {
      yield { path: 'a', entries: grant('jcr:read') };
    };
    assert.equal((await planOf([], { archive: { access } })).access.size, 0);
    assert.deepEqual((await planOf([], { importAcl: true, archive: { access } })).access.get('a'), grant('jcr:read'));
  });

  it('has as many nodes as it may, and no more', async () => {
    const records = [described('a'), described('b'), described('c')];
    assert.equal((await planOf(records, { nodesMax: 3 })).planned.size, 3);
    await assert.rejects(planOf(records, { nodesMax: 2 }), {
      code: 'LIMIT_EXCEEDED',
      info: { reason: 'archive_too_large' },
    });
  });

  it('reads no more documents at once than a decision, however many nodes there are', async () => {
    const few = () => new MemoryState(repository.documents, 's', 0, 1, 120);
    const ids = Array.from({ length: 300 }, (_, n) => `id${n}`);
    const records = ids.map((id, n) => described(`a${n}`, 'nt:unstructured', { id, properties: reference(`x${n}`) }));
    const { tally } = await planOf(records, { read: few });
    assert.equal(tally.errors.length, 300);
  });

  it('ends with its signal', async () => {
    const controller = new AbortController();
    const stopped = new Error('stopped');
    controller.abort(stopped);
    await assert.rejects(planOf([described('a')], { signal: controller.signal }), stopped);
  });

  it('fails where the store does, and does not take that for a fault of the archive', async () => {
    const damaged = new Error('damaged');
    let isDamaged = false;
    const read = () => {
      const state = repository.state();
      const get = state.get.bind(state);
      return Object.assign(state, {
        get: (...args: Parameters<typeof get>) => {
          if (isDamaged) throw damaged;
          return get(...args);
        },
      });
    };
    const records = async function* () {
      isDamaged = true;
      yield described('a', 'nt:unstructured', { id: 'some' });
      isDamaged = false;
    };
    await assert.rejects(planOf([], { read, archive: { records } }), damaged);
  });
});
