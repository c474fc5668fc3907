import assert from 'node:assert/strict';
import {
  buildClientSchema,
  executeSync,
  getIntrospectionQuery,
  getNamedType,
  type IntrospectionQuery,
  isCompositeType,
  isObjectType,
  parse,
  validate,
} from 'graphql';
import { prepareDocument } from '../../src/graphql/document/prepare-document.js';
import { defaultLimits } from '../../src/graphql/limits.js';
import { api } from './support/api-schema.js';
import { GIVEN, givenTo, READ } from './support/client-usage.js';

/** What clients of the original ask for and this server does not have yet. A field that comes leaves this list. */
const NOT_SERVED = new Set(
  Object.entries({
    Query: 'query search xpath',
  }).flatMap(([root, fields]) => fields.split(' ').map((field) => `${root}.${field}`)),
);

function fieldAt(path: string) {
  const [root = '', field = ''] = path.split('.');
  const type = api.schema.getType(root);
  return isObjectType(type) ? type.getFields()[field] : undefined;
}

/** A document that asks for the field, with all that clients give. */
function documentOf(path: string): string {
  const [root = '', name = ''] = path.split('.');
  const given = givenTo(path);
  const variables = given.flatMap(({ name, variable }) => (variable === undefined ? [] : [`$${name}: ${variable}`]));
  const args = given.map(({ name, literal }) => `${name}: ${literal ?? `$${name}`}`);
  const field = fieldAt(path);
  const isComposite = field !== undefined && isCompositeType(getNamedType(field.type));
  const list = (texts: readonly string[]) => (texts.length === 0 ? '' : `(${texts.join(', ')})`);
  return `${root.toLowerCase()} ${list(variables)} { ${name}${list(args)} ${isComposite ? '{ __typename }' : ''} }`;
}

/** The schema as tools see it that know nothing of deprecated arguments. */
function asIntrospected() {
  const { operations } = prepareDocument(api.schema, getIntrospectionQuery(), defaultLimits);
  const document = operations[0]?.document;
  assert.ok(document);
  const { data } = executeSync({ schema: api.schema, document, contextValue: {} });
  return buildClientSchema(data as unknown as IntrospectionQuery);
}

describe('what clients of the original ask for', () => {
  const introspected = asIntrospected();

  it('is served, or known not to be', () => {
    assert.equal(Object.keys(GIVEN).length, 134);
    assert.deepEqual(
      Object.keys(GIVEN)
        .filter((path) => fieldAt(path) === undefined)
        .sort(),
      [...NOT_SERVED].sort(),
    );
  });

  for (const path of Object.keys(GIVEN).filter((one) => !NOT_SERVED.has(one))) {
    it(`${path} takes what they give, as they declare it`, () => {
      const document = documentOf(path);
      assert.deepEqual(prepareDocument(api.schema, document, defaultLimits).errors, []);
      assert.deepEqual(validate(introspected, parse(document)), []);
    });
  }

  for (const [name, fields] of Object.entries(READ)) {
    it(`${name} has what they read`, () => {
      const type = api.schema.getType(name);
      assert.ok(isObjectType(type));
      assert.deepEqual(
        fields.split(' ').filter((field) => type.getFields()[field] === undefined),
        [],
      );
    });
  }

  it('is one type of value for all properties, which a selection on their types can name alike', () => {
    const members = Object.keys(READ).filter((name) => /PropertyValue(Array)?$/.test(name));
    const on = members.map((name) => `... on ${name} { ${READ[name]} }`).join(' ');
    const document = `{ node(path: "/") { properties { name propertyValue { __typename ${on} } } } }`;
    assert.deepEqual(prepareDocument(api.schema, document, defaultLimits).errors, []);
    assert.equal(members.length, 24);
  });
});
