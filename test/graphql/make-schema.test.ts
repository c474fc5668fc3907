import assert from 'node:assert/strict';
import { GraphQLScalarType, graphql } from 'graphql';
import { makeSchema } from '../../src/graphql/index.js';
import { made } from './support/test-schema.js';

describe('makeSchema', () => {
  it('finds nothing wrong with a schema that is complete', () => assert.deepEqual(made.problems, []));

  it('names root fields without a resolver', () => {
    const sdl = 'type Query { a: Int b: Int } type Subscription { d: Int }';
    const { problems } = makeSchema({
      typeDefs: [sdl],
      resolvers: { Query: { b: () => 1 }, Subscription: { d: { resolve: () => 1 } } },
    });
    assert.deepEqual(problems, [
      "expected a resolver of 'Query.a', but there is none",
      "expected a resolver of 'Subscription.d', but there is none",
    ]);
  });

  it('names resolvers that belong to nothing', () => {
    const sdl = 'type Query { a(i: In): Int } input In { x: Int }';
    const { problems } = makeSchema({
      typeDefs: [sdl],
      resolvers: { Query: { a: () => 1, z: () => 1 }, Other: {}, In: { x: () => 1 } },
    });
    assert.deepEqual(problems, [
      "expected a field 'Query.z' for its resolver, but the SDL has none",
      "expected a type 'Other' for its resolvers, but the SDL has none",
      "expected no resolvers for the input type 'In', but some are given",
    ]);
  });

  it('joins types that are extended in another file', async () => {
    const { schema } = makeSchema({
      typeDefs: ['type Query { a: Int }', 'extend type Query { b: Int }'],
      resolvers: { Query: { a: () => 1, b: () => 2 } },
    });
    assert.deepEqual({ ...(await graphql({ schema, source: '{ a b }', contextValue: {} })).data }, { a: 1, b: 2 });
  });

  it('has a list fail as a whole, whichever of its objects fail, and when', async () => {
    const unheard: unknown[] = [];
    const listen = (reason: unknown) => unheard.push(reason);
    process.on('unhandledRejection', listen);
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    for (const second of [() => null, () => assert.fail('at once')]) {
      const { schema } = makeSchema({
        typeDefs: ['type Query { items: [Item!] } type Item { part: Part! } type Part { name: String! }'],
        resolvers: {
          Query: { items: () => [() => turn().then(() => assert.fail('later')), second] },
          Item: { part: (item: () => unknown) => item() },
        },
      });
      const { data, errors } = await graphql({ schema, source: '{ items { part { name } } }', contextValue: {} });
      assert.equal(data?.items, null);
      assert.equal(errors?.length, 1);
      for (let i = 0; i < 3; i++) await turn();
    }
    process.off('unhandledRejection', listen);
    assert.deepEqual(unheard, []);
  });

  it('has a schema beside it in which objects of lists may be null', () => {
    const sdl =
      'type Query { a(in: [In!]!): [Item!]! b: [String!]! c: [[Item!]!] } type Item { d: Int } input In { e: [In!] }';
    const { sparing } = makeSchema({
      typeDefs: [sdl],
      resolvers: { Query: { a: () => [], b: () => [], c: () => [] } },
    });
    const types = Object.values(sparing.getQueryType()?.getFields() ?? {}).map(({ type, args }) => [
      String(type),
      ...args.map((argument) => String(argument.type)),
    ]);
    assert.deepEqual(types, [['[Item]!', '[In!]!'], ['[String!]!'], ['[[Item]!]']]);
  });

  it('resolves unions, enums with values of their own, and scalars', async () => {
    const sdl = `
      scalar Loud
      enum Level { LOW HIGH }
      union Pet = Cat | Dog
      type Cat { name: Loud }
      type Dog { level: Level }
      type Query { pets(level: Level = HIGH, names: [Loud] = ["tom"]): [Pet] }`;
    const resolvers = {
      Loud: new GraphQLScalarType({
        name: 'Loud',
        serialize: (v) => String(v).toUpperCase(),
        parseValue: (v) => `<${v}>`,
      }),
      Level: { LOW: 1, HIGH: 9 },
      Pet: { __resolveType: (pet: object) => ('name' in pet ? 'Cat' : 'Dog') },
      Query: {
        pets: (_: unknown, { level, names }: { level: number; names: string[] }) => [
          { name: names[0] },
          { level },
          { level: level - 8 },
        ],
      },
    };
    const { schema } = makeSchema({ typeDefs: [sdl], resolvers });
    const ask = async (call: string) => {
      const result = await graphql({
        schema,
        source: `{ ${call} { ... on Cat { name } ... on Dog { level } } }`,
        contextValue: {},
      });
      return JSON.parse(JSON.stringify(result));
    };
    assert.deepEqual(await ask('pets'), { data: { pets: [{ name: '<TOM>' }, { level: 'HIGH' }, { level: 'LOW' }] } });
    assert.deepEqual((await ask('pets(names: ["a"], level: HIGH)')).data.pets[0], { name: '<A>' });
  });

  it('refuses SDL that is not valid', () => {
    assert.throws(
      () => makeSchema({ typeDefs: ['type Query { a: Nowhere }'], resolvers: {} }),
      /Unknown type "Nowhere"/,
    );
    assert.throws(() => makeSchema({ typeDefs: ['type Query {'], resolvers: {} }), /Syntax Error/);
  });
});
