// Writes src/graphql/generated/schema.ts, the TypeScript types of the API, from src/graphql/schema/*.graphql.
// Refuses SDL in which something has no description. src/graphql/mappers.json, where there is one, says which of our types a resolver gives for
// a GraphQL type: { "Task": "../../engine/index.js#Task" }, with paths as the generated file sees them.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { codegen } from '@graphql-codegen/core';
import * as typescript from '@graphql-codegen/typescript';
import * as typescriptResolvers from '@graphql-codegen/typescript-resolvers';
import { buildASTSchema, parse } from 'graphql';
import { undescribed } from './sdl-descriptions.mjs';

const graphql = new URL('../src/graphql/', import.meta.url);
const folder = new URL('schema/', graphql);
const target = new URL('generated/schema.ts', graphql);
const mappers = new URL('mappers.json', graphql);

const sdl = readdirSync(folder)
  .filter((file) => file.endsWith('.graphql'))
  .sort()
  .map((file) => readFileSync(new URL(file, folder), 'utf8'))
  .join('\n');

const document = parse(sdl);
const bare = undescribed(buildASTSchema(document));
if (bare.length > 0) {
  for (const what of bare) process.stderr.write(`expected a description of ${what}, but there is none\n`);
  process.exit(1);
}

const generated = await codegen({
  filename: fileURLToPath(target),
  schema: document,
  documents: [],
  skipDocumentsValidation: true,
  plugins: [{ typescript: {} }, { resolvers: {} }],
  pluginMap: { typescript, resolvers: typescriptResolvers },
  config: {
    contextType: '../api-context.js#ApiContext',
    immutableTypes: true,
    // Our types often have the names of the API's.
    mapperTypeSuffix: 'Source',
    mappers: existsSync(mappers) ? JSON.parse(readFileSync(mappers, 'utf8')) : {},
    useTypeImports: true,
    enumsAsTypes: true,
    namingConvention: 'keep',
    strictScalars: true,
    // Inside the server: ms since 1970, numbers or digits beyond 2^53, plain JSON, text.
    scalars: {
      DateTime: { input: 'number', output: 'number | string | Date' },
      Long: { input: 'number | string', output: 'number | string | bigint' },
      JSON: 'unknown',
      Base64: { input: 'string', output: 'string | Uint8Array' },
    },
  },
});

// A subscription resolver gives events with their positions, which the plugin does not know of.
const written = generated
  .replace(/(import type \{ ApiContext)/, "import type { FeedIterator } from '../feed-iterator.js';\n$1")
  .replace(
    '=> AsyncIterable<TResult> | Promise<AsyncIterable<TResult>>;',
    '=> FeedIterator<TResult> | Promise<FeedIterator<TResult>>;',
  );
if (!written.includes('FeedIterator<TResult>'))
  throw new Error('expected AsyncIterable<TResult> in the generated types');

mkdirSync(new URL('./', target), { recursive: true });
// Only a change is written, so that a compiler that watches stays quiet.
if (!existsSync(target) || readFileSync(target, 'utf8') !== written) writeFileSync(target, written);
