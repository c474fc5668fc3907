// Puts GraphiQL, built by its makers, beside the compiled code that serves it, and each file once more as gzip makes it:
// `node scripts/copy-graphiql.mjs dist`. So it is a package of the build alone, and nothing of it is installed where the server runs.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';

const FILES = {
  graphiql: ['graphiql.min.js', 'graphiql.min.css'],
  react: ['umd/react.production.min.js'],
  'react-dom': ['umd/react-dom.production.min.js'],
  'graphql-sse': ['umd/graphql-sse.min.js'],
};
const LICENSES = { graphiql: 'LICENSE', react: 'LICENSE', 'react-dom': 'LICENSE', 'graphql-sse': 'LICENSE.md' };

const folder = `${process.argv[2] ?? 'dist'}/server/graphiql`;
mkdirSync(folder, { recursive: true });
for (const [name, files] of Object.entries(FILES)) {
  for (const file of files) put(basename(file), readFileSync(`node_modules/${name}/${file}`));
}
put('boot.js', readFileSync('src/server/graphiql/boot.js'));
const licenses = Object.entries(LICENSES).map(
  ([name, file]) => `${name}\n\n${readFileSync(`node_modules/${name}/${file}`)}`,
);
put('licenses.txt', Buffer.from(licenses.join('\n\n')));

function put(name, bytes) {
  // Their maps are left out.
  const content = name.endsWith('.js')
    ? Buffer.from(bytes.toString().replace(/\n?\/\/# sourceMappingURL=.*\s*$/, '\n'))
    : bytes;
  writeFileSync(`${folder}/${name}`, content);
  writeFileSync(`${folder}/${name}.gz`, gzipSync(content, { level: 9 }));
}
