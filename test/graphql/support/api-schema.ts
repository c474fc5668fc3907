import { pathToFileURL } from 'node:url';
import { apiResolvers, makeSchema, readTypeDefs } from '../../../src/graphql/index.js';

/** The schema of the whole API, with what is wrong with it. */
export const api = makeSchema({
  typeDefs: readTypeDefs(pathToFileURL('src/graphql/schema/')),
  resolvers: apiResolvers,
});
