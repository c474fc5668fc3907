import { readFileSync } from 'node:fs';
import { type GraphqlContext, makeSchema } from '../../../src/graphql/index.js';
import { ServiceError } from '../../../src/shared/errors.js';
import type { TestFeed } from './test-feed.js';

/** What the test server's workspace is. */
export interface TestWorkspace {
  readonly name: string;
  readonly feed: TestFeed;
  /** How many large values were made. */
  made: number;
  /** What mutations did. */
  readonly added: string[];
  /** What `Tick.held` waits for. */
  hold: Promise<void>;
  /** Lets `Query.gate` go on. */
  openGate: () => void;
  /** Called when `Query.gate` waits. */
  onGate: () => void;
}

export interface TestContext extends GraphqlContext<TestWorkspace> {
  lastPosition?: string;
  lastCommitted?: boolean;
}

export const baseSdl = readFileSync('src/graphql/schema/base.graphql', 'utf8');

export const testSdl = `
"How to fail." enum Failure { "a refusal" REFUSED "a bug" BUG "with details" DETAILED "busy" BUSY "later" AWAY "too many" SHED }
"A scalar of each kind." type Echo { "a" long: Long "b" date: DateTime "c" json: JSON "d" base64: Base64 }
"A thing." type Thing { "its id" id: ID! "the one within" child: Thing "those within" children("how many" first: Int = 20): ThingConnection! "what is nearby" nearby: [Thing!]! }
"A page of things." type ThingConnection { "its edges" edges: [ThingEdge!]! "where it lies" pageInfo: PageInfo! }
"A thing on a page." type ThingEdge { "the thing" node: Thing! "its cursor" cursor: String! }
"A workspace." type Workspace { "its name" name: String! }
"A page of workspaces." type WorkspaceConnection { "its edges" edges: [WorkspaceEdge!]! "how many there are" totalCount: Int! }
"A workspace on a page." type WorkspaceEdge { "the workspace" node: Workspace! }
"Who asks." type Session { "the user" userId: String! "the workspace of the path" workspace: String! "the key" idempotencyKey: String "the position" atLeast: String }
"Something that was added." type Added { "its text" text: String! "things of it" things("how many" count: Int!): [Thing!] "what is held back" held: String "fails" failHard: String! "large ones" large("how many" count: Int!, "of each" chars: Int!, "of which" char: String = "x"): [Large!] }
"Something with large values." type Large { "its text" text: String "its data" json: JSON "its texts" texts: [String!]! }
"Something that happened." type Tick { "about what" topic: String! "what" text: String! "what is held back" held: String }
"Names, and those of others." input Row { "names" names: [String!] "others" rows: [Row!] }
extend type Query {
  "how many names" told("some" names: [String!], "more" row: Row, "and more" rows: [Row!], "none" json: JSON): Int!
  "greets" greet("whom" name: String!): String!
  "echoes" echo("a" long: Long, "b" date: DateTime, "c" json: JSON, "d" base64: Base64): Echo!
  "things" things("how many" first: Int = 20): ThingConnection!
  "one thing" thing: Thing
  "as many things as wanted" many("how many" count: Int!): [Thing!]!
  "large ones" large("how many" count: Int!, "of each" chars: Int!, "of which" char: String = "x"): [Large!]!
  "fails" fail("how" how: Failure!): String
  "fails without a way out" failHard("how" how: Failure!): String!
  "waits" gate: Thing
  "workspaces" workspaces("how many" first: Int = 100): WorkspaceConnection!
  "workspaces as a list" workspaceList: [Workspace!]!
  "who asks" session: Session!
}
extend type Mutation {
  "adds" add("what" text: String!): Added!
}
extend type Subscription {
  "what happens" ticked("about what" topic: String): Tick!
  "fails at its start" broken("how" how: Failure!): Tick!
}
`;

interface LargeArgs {
  readonly count: number;
  readonly chars: number;
  readonly char: string;
}

const large = (_: unknown, { count, chars, char }: LargeArgs, { workspace }: TestContext) =>
  Array.from({ length: count }, () => ({
    text: () => {
      workspace.made++;
      return char.repeat(chars);
    },
    json: () => {
      workspace.made++;
      return { chars, list: [char.repeat(chars)] };
    },
    texts: () => {
      workspace.made++;
      return Array(chars / 10).fill(char.repeat(10));
    },
  }));

interface Row {
  readonly names?: readonly string[];
  readonly rows?: readonly Row[];
}

const countNames = ({ names = [], rows = [] }: Row = {}): number =>
  rows.reduce((sum, row) => sum + countNames(row), names.length);

const thing = (id: string): object => ({
  id,
  child: () => thing(`${id}.0`),
  nearby: () => [thing(`${id}.1`), thing(`${id}.2`)],
  children: ({ first }: { first: number }) => page(first, `${id}.`),
});

const page = (first: number, prefix = ''): object => ({
  edges: Array.from({ length: first }, (_, index) => ({ node: thing(`${prefix}${index}`), cursor: String(index) })),
  pageInfo: { hasNextPage: false, hasPreviousPage: false },
});

function fail(how: string): never {
  if (how === 'BUG') throw new TypeError('secret at 10.0.0.1');
  if (how === 'BUSY')
    throw new ServiceError('RATE_LIMITED', 'expected fewer calls', { details: { retryAfterSeconds: 7 } });
  if (how === 'AWAY') throw new ServiceError('UNAVAILABLE', 'expected the engine to be on, but it is off');
  if (how === 'SHED')
    throw new ServiceError('UNAVAILABLE', 'expected fewer reads', {
      reason: 'overloaded',
      details: { retryAfterSeconds: 1 },
    });
  if (how === 'REFUSED') throw new ServiceError('FORBIDDEN', 'expected a right');
  throw new ServiceError('CONFLICT', 'expected to claim', {
    reason: 'task_claimed',
    resourceId: 't1',
    details: { by: 'eve' },
  });
}

const resolvers = {
  Query: {
    greet: (_: unknown, { name }: { name: string }) => `Hello ${name}`,
    echo: (_: unknown, args: object) => args,
    things: (_: unknown, { first }: { first: number }) => page(first),
    thing: () => thing('0'),
    large,
    told: (_: unknown, { names = [], row, rows = [] }: Row & { row?: Row }) =>
      countNames({ names, rows }) + countNames(row),
    many: (_: unknown, { count }: { count: number }) =>
      Array.from({ length: count }, (_, index) => thing(String(index))),
    fail: (_: unknown, { how }: { how: string }) => fail(how),
    failHard: (_: unknown, { how }: { how: string }) => fail(how),
    gate: (_: unknown, __: unknown, { workspace }: TestContext) =>
      new Promise((resolve) => {
        workspace.openGate = () => resolve(thing('0'));
        workspace.onGate();
      }),
    workspaces: () => ({ edges: [{ node: { name: 'w1' } }], totalCount: 1 }),
    workspaceList: () => [{ name: 'w1' }],
    session: (_: unknown, __: unknown, { caller, idempotencyKey, atLeast }: TestContext) => ({
      ...caller,
      idempotencyKey,
      atLeast,
    }),
  },
  Mutation: {
    add: (_: unknown, { text }: { text: string }, context: TestContext) => {
      context.workspace.added.push(text);
      context.lastCommitted = true;
      context.lastPosition = context.workspace.feed.append('added', text);
      return {
        text,
        things: ({ count }: { count: number }) => Array.from({ length: count }, (_, index) => thing(String(index))),
        large: (args: LargeArgs) => large(undefined, args, context),
      };
    },
  },
  Added: {
    held: (_: unknown, __: unknown, { workspace }: TestContext) => workspace.hold,
    failHard: () => fail('SHED'),
  },
  Tick: { held: (_: unknown, __: unknown, { workspace }: TestContext) => workspace.hold },
  Subscription: {
    ticked: {
      subscribe: (_: unknown, { topic }: { topic?: string }, { workspace, after, ending }: TestContext) =>
        workspace.feed.follow(topic ?? null, after, ending.signal),
    },
    broken: { subscribe: (_: unknown, { how }: { how: string }) => fail(how) },
  },
};

export const made = makeSchema({ typeDefs: [baseSdl, testSdl], resolvers });
export const schema = made.schema;
