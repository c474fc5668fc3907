import type { GraphqlClient } from '../../support/graphql-client.js';

interface Denied {
  readonly count: number;
  /** Of the folder that holds them. */
  readonly path: string;
  /** Who may do nothing with them. */
  readonly principal: string;
}

/** Makes folders, `f0` and so on, each with an entry that denies all to somebody. */
export async function denyFolders(admin: GraphqlClient, { count, path, principal }: Denied): Promise<void> {
  await admin.run('mutation ($name: String!) { createFolder(path: "/", name: $name) { path } }', {
    name: path.slice(1),
  });
  const at = 10;
  for (let from = 0; from < count; from += at) {
    const fields = Array.from({ length: Math.min(at, count - from) }, (_, i) => {
      const name = `f${from + i}`;
      const entry = `{ principal: "${principal}", privileges: ["jcr:all"], allow: false }`;
      return `${name}: createFolder(path: "${path}", name: "${name}") { path }
        ${name}a: setAccessControl(path: "${path}/${name}", entries: [${entry}]) { __typename }`;
    });
    await admin.run(`mutation { ${fields.join('\n')} }`);
  }
}
