import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parse, print } from 'graphql';
import { bracketDepth } from '../../src/graphql/document/document-measures.js';
import {
  DocumentCache,
  type PreparedDocument,
  prepareDocument,
  rewriteWorkspaces,
  showDeprecatedInputs,
} from '../../src/graphql/document/prepare-document.js';
import { formatError } from '../../src/graphql/index.js';
import { defaultLimits, type GraphqlLimits } from '../../src/graphql/limits.js';
import { schema } from './support/test-schema.js';

const prepare = (text: string, limits: Partial<GraphqlLimits> = {}) =>
  prepareDocument(schema, text, { ...defaultLimits, ...limits });
const codes = ({ errors, failed }: PreparedDocument) =>
  errors.map((error) => formatError(error, { requestId: 'r', phase: failed ?? 'execution' }).extensions?.code);
const nested = (levels: number) => `{ thing ${'{ child '.repeat(levels)} { id } ${'}'.repeat(levels)} }`;
const repeated = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => part(index)).join(' ');

describe('bracketDepth', () => {
  it('counts all three kinds of brackets', () => assert.equal(bracketDepth('{ a(b: [{c: [1]}]) { d } }', 60), 5));

  it('passes over strings, block strings and comments', () => {
    assert.equal(bracketDepth('{ a(b: "{{[[((\\"[[") # {{{{ ]\n }', 60), 2);
    assert.equal(bracketDepth('{ a(b: """{{ " \\""" [[[ """) { c } }', 60), 2);
    assert.equal(bracketDepth('{ a(b: "never ends {{{\n) { c { d } } }', 60), 3);
    assert.equal(bracketDepth('{ a(b: """never ends {{{{', 60), 2);
  });

  it('stops counting beyond the limit', () => assert.equal(bracketDepth('['.repeat(1_000_000), 60), 61));

  it('ends for any text', () =>
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('"', '\\', '{', '}', '#', '\n', 'a') }),
        (text) => bracketDepth(text, 60) >= 0,
      ),
    ));
});

describe('prepareDocument', () => {
  it('gives the operations of a good document', () => {
    const { operations, errors } = prepare('query A { thing { id } } mutation B { add(text: "x") { text } }');
    assert.deepEqual(errors, []);
    assert.deepEqual(
      operations.map(({ type, name }) => [type, name]),
      [
        ['query', 'A'],
        ['mutation', 'B'],
      ],
    );
  });

  it('says where a document cannot be parsed', () => {
    const prepared = prepare('{ thing {');
    assert.deepEqual(codes(prepared), ['GRAPHQL_PARSE_FAILED']);
    assert.equal(prepared.errors[0]?.locations?.[0]?.line, 1);
  });

  it('says what is not valid, but not more than 20 times', () => {
    assert.deepEqual(codes(prepare('{ nothing }')), ['GRAPHQL_VALIDATION_FAILED']);
    assert.equal(prepare(`{ ${repeated(300, (index) => `no${index}`)} }`).errors.length, 21);
  });

  it('refuses 100,000 levels of brackets without a parse', () => {
    assert.deepEqual(codes(prepare('{ thing '.repeat(100_000))), ['LIMIT_EXCEEDED']);
    assert.deepEqual(codes(prepare(`{ echo(json: ${'['.repeat(70)}${']'.repeat(70)}) { json } }`)), ['LIMIT_EXCEEDED']);
  });

  for (const [what, good, bad] of [
    ['more than 4,000 tokens', `{ ${'thing { id } '.repeat(9)} }`, `{ echo(json: [${'1 '.repeat(4_000)}]) { json } }`],
    ['more than 25 levels', nested(23), nested(24)],
    [
      'more than 30 aliases',
      `{ ${repeated(30, (i) => `a${i}: thing { id }`)} }`,
      `{ ${repeated(31, (i) => `a${i}: thing { id }`)} }`,
    ],
    [
      'more than 50 directives',
      `{ thing { id ${'@skip(if: false) '.repeat(1)} } }`,
      `{ thing { id ${'@skip(if: false) '.repeat(51)} } }`,
    ],
    [
      'more than 20 fields of a mutation',
      `mutation { ${'add(text: "x") { text } '.repeat(10)} }`,
      `mutation { ${repeated(21, (i) => `a${i}: add(text: "x") { text }`)} }`,
    ],
    ['the same field more than 10 times', `{ ${'thing { id } '.repeat(10)} }`, `{ ${'thing { id } '.repeat(11)} }`],
  ] as const) {
    it(`refuses ${what}`, () => {
      assert.deepEqual(codes(prepare(good)), []);
      assert.ok(codes(prepare(bad)).includes('LIMIT_EXCEEDED'), String(codes(prepare(bad))));
    });
  }

  it('counts what fragments hide', () => {
    const deep = (levels: number) =>
      `{ thing { ...f0 } } ${repeated(levels, (i) => `fragment f${i} on Thing { child { ${i + 1 < levels ? `...f${i + 1}` : 'id'} } }`)}`;
    assert.deepEqual(codes(prepare(deep(23))), []);
    assert.deepEqual(codes(prepare(deep(24))), ['LIMIT_EXCEEDED']);
    const aliases = `mutation { ...f } fragment f on Mutation { ${repeated(21, (i) => `a${i}: add(text: "x") { text }`)} }`;
    assert.deepEqual(codes(prepare(aliases)), ['LIMIT_EXCEEDED']);
  });

  it('refuses fragments that double twenty times, at once', () => {
    const bomb = `{ thing { ...f0 } } ${repeated(20, (i) => `fragment f${i} on Thing { child { ...f${i + 1} } nearby { ...f${i + 1} } }`)} fragment f20 on Thing { id }`;
    assert.deepEqual(codes(prepare(bomb)), ['LIMIT_EXCEEDED']);
  });

  it('leaves circles to the rules of GraphQL', () => {
    assert.deepEqual(
      codes(
        prepare('{ thing { ...a } } fragment a on Thing { child { ...b } } fragment b on Thing { child { ...a } }'),
      ),
      ['GRAPHQL_VALIDATION_FAILED'],
    );
  });

  it('answers every text, never throws', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            '{',
            '}',
            'thing',
            'id',
            '...',
            'on',
            'Thing',
            'fragment',
            'a',
            '(',
            ')',
            '"',
            '$x',
            ':',
            '@',
            'query',
          ),
        ),
        (words) => {
          const { operations, errors } = prepare(words.join(' '));
          assert.ok(operations.length > 0 !== errors.length > 0);
        },
      ),
    ));
});

describe('rewriteWorkspaces', () => {
  const rewritten = (text: string) => print(rewriteWorkspaces(parse(text), schema)).replace(/\s+/g, ' ');

  for (const [given, expected] of [
    ['{ workspaces { name } }', '{ workspaces: workspaceList { name } }'],
    ['query Q { all: workspaces { name } }', 'query Q { all: workspaceList { name } }'],
    ['{ ... on Query { workspaces { name } } }', '{ ... on Query { workspaces: workspaceList { name } } }'],
    [
      '{ ...q } fragment q on Query { workspaces { ...w } } fragment w on Workspace { name }',
      '{ ...q } fragment q on Query { workspaces: workspaceList { ...w } } fragment w on Workspace { name }',
    ],
  ] as const) {
    it(`reads ${given} as the list`, () => {
      assert.equal(rewritten(given), expected);
      assert.deepEqual(prepare(given).errors, []);
    });
  }

  for (const text of [
    '{ workspaces { edges { node { name } } } }',
    '{ workspaces { totalCount } }',
    '{ workspaces(first: 5) { totalCount } }',
    '{ workspaces { ...c } } fragment c on WorkspaceConnection { totalCount }',
    '{ workspaces { ... on WorkspaceConnection { totalCount } } }',
    '{ workspaceList { name } }',
    'mutation { add(text: "workspaces") { text } }',
  ]) {
    it(`leaves ${text} as it is`, () => {
      const document = parse(text);
      assert.equal(rewriteWorkspaces(document, schema), document);
      assert.deepEqual(prepare(text).errors, []);
    });
  }
});

describe('showDeprecatedInputs', () => {
  const shown = (text: string) => print(showDeprecatedInputs(parse(text), schema)).replace(/\s+/g, ' ');

  it('asks introspection for deprecated inputs where the document does not say', () => {
    assert.equal(
      shown('{ __type(name: "A") { ...t fields { args { name } } } } fragment t on __Type { inputFields { name } }'),
      '{ __type(name: "A") { ...t fields { args(includeDeprecated: true) { name } } } } fragment t on __Type { inputFields(includeDeprecated: true) { name } }',
    );
    const said = '{ __schema { directives { args(includeDeprecated: false) { name } } } }';
    assert.equal(shown(said), said);
  });

  it('asks for nothing else', () => {
    const text = '{ __schema { types { name fields { name } enumValues { name } } } thing { id } }';
    assert.equal(shown(text), text);
  });
});

describe('DocumentCache', () => {
  const cache = (limits: Partial<GraphqlLimits> = {}) => new DocumentCache(schema, { ...defaultLimits, ...limits });

  it('prepares a document once, good or bad', () => {
    const documents = cache();
    for (const text of ['{ thing { id } }', '{ nothing }', '{'])
      assert.equal(documents.prepare(text), documents.prepare(text), text);
  });

  it('forgets what was used least recently', () => {
    const documents = cache({ cachedDocumentsMax: 2 });
    const [a, b, c] = ['{ a }', '{ b }', '{ c }'] as const;
    const first = documents.prepare(a);
    documents.prepare(b);
    documents.prepare(a);
    documents.prepare(c);
    assert.equal(documents.size, 2);
    assert.equal(documents.prepare(a), first);
  });

  it('does not keep long documents', () => {
    const documents = cache({ cachedDocumentCharsMax: 10 });
    documents.prepare('{ thing { id } }');
    assert.equal(documents.size, 0);
  });
});
