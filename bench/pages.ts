import { asked } from './answers.js';
import { round, say } from './measure.js';
import { type BenchServer, benchServer } from './server.js';

const NODES = 2_000;
const NODE_CHARS = 200_000;
/** Longer values are no part of their documents. */
const VALUE_CHARS = 15_000;
const SMALL = 5_000;
const CREATE = 'mutation ($input: CreateNodeInput!) { createNode(input: $input) { id } }';
const FIELDS =
  'id name path nodeType uuid version created createdBy modified modifiedBy mimeType size hasChildren isLocked lockOwner isVersionable isCheckedOut properties { name }';

/** What long pages cost a server: of large documents, whatever is selected of them, and of many small objects. */
export async function pagesBench(folder: string): Promise<void> {
  const server = await benchServer(folder);
  try {
    await fill(server);
    say(`${NODES} nodes and ${NODES} contents of nodes of ${round(NODE_CHARS / 1e3)} kB each:`);
    const children = (path: string, first: number, fields: string) =>
      `children(path: "/content/${path}", first: ${first}) { edges { node { ${fields} } } }`;
    await asked(server, 'names of 100 nodes', `{ ${children('large', 100, 'name')} }`);
    await asked(server, 'names of 250 nodes', `{ ${children('large', 250, 'name')} }`);
    await asked(server, 'names of all', `{ ${children('large', 5_000, 'name')} }`);
    const aliases = Array.from({ length: 10 }, (_, n) => `a${n}: ${children('large', 5_000, 'name')}`);
    await asked(server, 'names of all, 10 aliases', `{ ${aliases.join(' ')} }`);
    await asked(server, 'names of all, 8 times at once', `{ ${children('large', 5_000, 'name')} }`, 8);
    await asked(server, 'modified of 250 with a content', `{ ${children('below', 250, 'modified')} }`);
    await asked(server, 'modified of all with a content', `{ ${children('below', 2_000, 'modified')} }`);
    say(`${SMALL} small nodes:`);
    await asked(server, '20 small nodes', `{ ${children('small', 20, FIELDS)} }`);
    await asked(server, '5,000 small nodes, names', `{ ${children('small', 5_000, 'name')} }`);
    await asked(server, '5,000 small nodes, 18 fields', `{ ${children('small', 5_000, FIELDS)} }`);
  } finally {
    await server.end();
  }
}

async function fill(server: BenchServer): Promise<void> {
  const create = (path: string, name: string, chars = 0) => {
    const values = Math.ceil(chars / VALUE_CHARS);
    const value = { stringValue: 'x'.repeat(Math.min(chars, VALUE_CHARS)) };
    const properties = Array.from({ length: values }, (_, n) => ({ name: `t${n}`, value }));
    return server.ask(CREATE, { path, name, nodeType: 'nt:unstructured', properties });
  };
  for (const name of ['large', 'below', 'small']) await create('/content', name);
  await inLots(NODES, async (n) => {
    await create('/content/large', `n${n}`, NODE_CHARS);
    await create('/content/below', `n${n}`);
    await create(`/content/below/n${n}`, 'jcr:content', NODE_CHARS);
  });
  await inLots(SMALL, (n) => create('/content/small', `n${n}`, 100));
}

const LOT = 8;

async function inLots(count: number, work: (n: number) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < count; from += LOT) {
    await Promise.all(Array.from({ length: Math.min(LOT, count - from) }, (_, at) => work(from + at)));
  }
}
