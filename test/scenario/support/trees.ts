import type { GraphqlClient } from '../../support/graphql-client.js';

const TRANSACTION = `mutation ($operations: [ContentOperation!]!) { contentTransaction(operations: $operations) { results { ok } } }`;
const CHILDREN = `query ($path: String!, $after: String) {
  children(path: $path, first: 1000, after: $after) { edges { node { path } } pageInfo { hasNextPage endCursor } } }`;

/** Does the operations as one. */
export const transact = (client: GraphqlClient, operations: readonly object[]) =>
  client.run(TRANSACTION, { operations });

export interface TreeSize {
  readonly folders: number;
  /** In each folder; a file is two nodes. */
  readonly files: number;
}

/** Makes a folder of folders with files. */
export async function makeTree(client: GraphqlClient, path: string, { folders, files }: TreeSize): Promise<void> {
  const content = Buffer.from('x').toString('base64');
  const operations: object[] = [];
  for (let n = 0; n < folders; n++) {
    operations.push({ createFolder: { path, name: `d${n}` } });
    for (let f = 0; f < files; f++) operations.push({ createFile: { path: `${path}/d${n}`, name: `f${f}`, content } });
  }
  while (operations.length > 0) await transact(client, operations.splice(0, 100));
}

/** The paths of all nodes below, in the order of the tree; `as`: what the path itself is called. */
export async function pathsBelow(client: GraphqlClient, path: string, as = path): Promise<string[]> {
  const found: string[] = [];
  for (const below of await childPaths(client, path)) {
    found.push(as + below.slice(path.length));
    found.push(...(await pathsBelow(client, below, as + below.slice(path.length))));
  }
  return found;
}

async function childPaths(client: GraphqlClient, path: string): Promise<string[]> {
  const found: string[] = [];
  let after: string | null = null;
  do {
    const { children } = await client.run(CHILDREN, { path, after });
    found.push(...children.edges.map(({ node }) => node.path));
    after = children.pageInfo.hasNextPage ? (children.pageInfo.endCursor ?? null) : null;
  } while (after !== null);
  return found;
}
