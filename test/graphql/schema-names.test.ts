import assert from 'node:assert/strict';
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql';
import { PROPERTY_TYPES } from '../../src/content/value/property.js';
import { api } from './support/api-schema.js';
import { GIVEN, givenTo } from './support/client-usage.js';

/** An argument or a field, with its place: `Query.task(id:)`, `Task.id`, `CopyNodeInput.name`. */
interface Member {
  readonly place: string;
  readonly name: string;
  /** Without lists and exclamation marks. */
  readonly type: string;
  readonly description: string;
  readonly old: boolean;
}

type Declared = GraphQLArgument | GraphQLInputField | GraphQLField<unknown, unknown>;

const member = (place: string, { name, type, description, deprecationReason }: Declared): Member => ({
  place,
  name,
  type: getNamedType(type).name,
  description: description ?? '',
  old: deprecationReason != null,
});

const types = Object.values(api.schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
const outputs = types
  .filter(isObjectType)
  .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })));

/** What answers are made of. */
const fields = outputs.map(({ type, field }) => member(`${type.name}.${field.name}`, field));
/** What clients give: arguments, and the fields of input types. */
const givens = [
  ...outputs.flatMap(({ type, field }) =>
    field.args.map((argument) => member(`${type.name}.${field.name}(${argument.name}:)`, argument)),
  ),
  ...types
    .filter(isInputObjectType)
    .flatMap((type) => Object.values(type.getFields()).map((field) => member(`${type.name}.${field.name}`, field))),
];
const places = (members: readonly Member[]) => members.map(({ place, type }) => `${place} ${type}`);

/** By name: what is given under it, in all places. */
function byName(members: readonly Member[]): Map<string, Member[]> {
  const found = new Map<string, Member[]>();
  for (const one of members) found.set(one.name, [...(found.get(one.name) ?? []), one]);
  return found;
}

const ID = /^(id|uuid|identifier|(weakR|r)eference(Array)?Value)$|(Id|Ids|Uuid)$/;
/** Ids that are names: what a model calls its elements, a file its routes, and what users are called; groups and roles, whose ids are made of their names. */
const NAMES = new Set([
  ...[
    'activityId',
    'activeActivityIds',
    'sourceActivityIds',
    'targetActivityIds',
    'elementId',
    'userId',
    'startUserId',
  ],
  ...['groupId', 'rootGroupId', 'parentGroupId', 'newParentGroupId', 'previousGroupId'],
  ...['roleId', 'rootRoleId', 'parentRoleId', 'routeId'],
]);

/** What means the same, and its one name. */
const ONE_NAME: Readonly<Record<string, string>> = {
  processDefinitionId: 'definitionId',
  processDefinitionKey: 'definitionKey',
  instanceId: 'processInstanceId',
  incidentType: 'type',
  jobType: 'type',
  destinationPath: 'destPath',
  destination: 'destPath',
  mediaType: 'mimeType',
  limit: 'first',
};
/** What clients of the original call otherwise. */
const OTHER_NAMES = ['MigrationJob.jobType String', 'Query.searchPrincipals(limit:) Int'];

/** An id that clients of the original declare as a variable of type String: beside it, under another name, it is an ID. */
const TWINS: Readonly<Record<string, string>> = {
  processInstance: 'processInstanceId',
  definition: 'definitionId',
  job: 'jobId',
  exchange: 'exchangeId',
};

/** Names that have two types, and why. */
const TWO_TYPES: Readonly<Record<string, string>> = {
  input: 'each mutation has a type of its own for it',
  instructions: 'of a modification they are its steps, of a migration where activities go',
  content: 'the bytes of a file are Base64, a model is text',
  value: 'variables are any JSON, properties have the types of the repository',
  orderBy: 'each list has orders of its own',
  offset: 'of a list it counts items, of a file bytes',
  variables: 'those of messages are any JSON, by their names',
  properties: 'those of messages are any JSON, by their names',
  from: 'of exchanges the original has text',
  to: 'of exchanges the original has text',
  status: 'of exchanges the original has text, also for all of them',
  body: 'of a message that is sent it is text, of one that is tried any JSON',
  data: 'preferences are any JSON, a chunk of a file is Base64',
  type: 'of incidents, jobs and entries any text, of notifications one of a few',
};

/** What clients of the original give variables of type String to. */
const forcedToString = (): Set<string> =>
  new Set(
    Object.keys(GIVEN).flatMap((field) =>
      givenTo(field).flatMap(({ name, variable }) => (/^String!?$/.test(variable ?? '') ? [`${field}(${name}:)`] : [])),
    ),
  );

describe('names and types of the API', () => {
  it('an id is an ID everywhere', () => {
    const wrong = [...fields, ...givens].filter(
      ({ name, type, old }) => ID.test(name) && !NAMES.has(name) && type !== 'ID' && !old,
    );
    assert.deepEqual(places(wrong), []);
  });

  it('a name that is no id of ours is a String everywhere', () => {
    const wrong = [...fields, ...givens].filter(({ name, type }) => NAMES.has(name) && type !== 'String');
    assert.deepEqual(places(wrong), []);
  });

  it('only what the original forces is a String beside an ID, and is old', () => {
    const forced = forcedToString();
    const ids = givens.filter(({ name, type }) => ID.test(name) && !NAMES.has(name) && type === 'String');
    assert.deepEqual(
      ids.filter(({ place, old }) => !old || !forced.has(place)).map(({ place }) => place),
      [],
    );
    const owners = new Set(givens.filter(({ old }) => old).map(({ place }) => place));
    const twins = givens.filter(({ name }) => name in TWINS);
    assert.deepEqual(
      twins.filter(
        ({ place, name, type }) => type !== 'ID' || !owners.has(place.replace(`(${name}:)`, `(${TWINS[name]}:)`)),
      ),
      [],
    );
    assert.equal(twins.length, 4);
  });

  it('the same name has the same type wherever it is given', () => {
    const mixed = [...byName(givens.filter(({ old }) => !old))].filter(
      ([name, members]) => !(name in TWO_TYPES) && new Set(members.map(({ type }) => type)).size > 1,
    );
    assert.deepEqual(
      mixed.map(([, members]) => places(members)),
      [],
    );
  });

  it('what means the same has one name', () => {
    const wrong = [...fields, ...givens].filter(({ name, old }) => name in ONE_NAME && !old);
    assert.deepEqual(places(wrong), OTHER_NAMES);
  });

  it('what is described alike is called alike; `id` is the id of what the field is named after', () => {
    const alike = new Map<string, Set<string>>();
    for (const { name, type, description, old } of givens) {
      if (old || name === 'id') continue;
      const key = `${type}: ${description}`;
      alike.set(key, (alike.get(key) ?? new Set()).add(name));
    }
    const mixed = [...alike].filter(([, names]) => names.size > 1 && !onlyTransaction(names));
    assert.deepEqual(
      mixed.map(([key, names]) => [key, ...names]),
      [],
    );
  });

  it('what is old names what to use instead, and that is there', () => {
    for (const type of types) {
      const members: Declared[] = isObjectType(type)
        ? Object.values(type.getFields()).flatMap((field) => [field, ...field.args])
        : isInputObjectType(type)
          ? Object.values(type.getFields())
          : [];
      for (const { name, deprecationReason } of members) {
        if (deprecationReason == null) continue;
        const instead = /^Use `(\w+)`/.exec(deprecationReason)?.[1];
        assert.ok(instead, `${type.name}: ${name}: ${deprecationReason}`);
        assert.ok(
          members.some((other) => other.name === instead && other.deprecationReason == null),
          `${type.name}: ${name}: ${instead}`,
        );
      }
    }
  });

  it('the type of a property is spelt as the repository has it, but of bytes', () => {
    const type = api.schema.getType('PropertyValueType');
    assert.ok(isEnumType(type));
    assert.deepEqual(
      type
        .getValues()
        .map(({ name }) => name)
        .sort(),
      PROPERTY_TYPES.map((name) => (name === 'Binary' ? 'BINARY' : name)).sort(),
    );
  });

  it('every event has a time, and what it says of itself is never null', () => {
    const events = Object.values(api.schema.getSubscriptionType()?.getFields() ?? {}).map(({ type }) =>
      getNamedType(type),
    );
    const always = new Set([
      'eventType',
      'status',
      'identifier',
      'userId',
      'jobId',
      'task',
      'processInstance',
      'timestamp',
    ]);
    for (const event of events) {
      assert.ok(isObjectType(event) && event.getFields().timestamp, event.name);
      const nullable = Object.values(event.getFields()).filter(
        ({ name, type }) => always.has(name) && !isNonNullType(type),
      );
      assert.deepEqual(
        nullable.map(({ name }) => `${event.name}.${name}`),
        [],
      );
    }
  });

  it('a state is an enum', () => {
    const states = fields.filter(({ name }) => ['state', 'status', 'eventType'].includes(name));
    assert.deepEqual(places(states.filter(({ type }) => !isEnumType(api.schema.getType(type)))), []);
    assert.ok(states.length > 7);
  });

  it('directives stand where tools know of', () => {
    const known =
      /^(FIELD|FRAGMENT_SPREAD|INLINE_FRAGMENT|SCALAR|INPUT_OBJECT|(FIELD|ARGUMENT|INPUT_FIELD)_DEFINITION|ENUM_VALUE)$/;
    const locations = api.schema.getDirectives().flatMap(({ name, locations }) => locations.map((at) => [name, at]));
    assert.deepEqual(
      locations.filter(([, at = '']) => !known.test(at)),
      [],
    );
  });

  it('every scalar says where it is specified', () => {
    const ours = types.filter(isScalarType).filter((type) => !isSpecifiedScalarType(type));
    assert.deepEqual(
      ours.filter(({ specifiedByURL }) => !/^https:\/\//.test(specifiedByURL ?? '')).map(({ name }) => name),
      [],
    );
    assert.equal(ours.length, 4);
  });
});

/** The operations of a transaction are each described as the mutation of the name. */
const onlyTransaction = (names: ReadonlySet<string>): boolean =>
  [...names].every((name) => api.schema.getMutationType()?.getFields()[name] !== undefined);
