import { ExchangeFailure } from '../../../expression/routes.js';
import type { Step } from '../../flow/outcome.js';
import { PRODUCER_OPTIONS } from '../common-options.js';
import type { Component, EndpointAddress } from '../component.js';
import { CmsEndpoint } from './cms-endpoint.js';
import { childrenOf, readNode } from './read-node.js';
import { deleteNode, writeNode } from './write-node.js';

/** Nodes of the workspace: read, written, deleted and listed, with the rights of whoever deployed the route. */
export const cms: Component = {
  schemes: ['cms'],
  syntax: 'operation',
  options: {
    ...PRODUCER_OPTIONS,
    path: 'text',
    required: 'boolean',
    limit: 'number',
    after: 'text',
    mimeType: 'text',
    nodeType: 'text',
    'property.*': 'text',
    exist: ['Override', 'Fail', 'Ignore'],
    createParents: 'boolean',
    expectedVersion: 'text',
  },
  endpoint(address, context) {
    const operation = operationOf(address);
    const endpoint = new CmsEndpoint(address, context);
    return { uri: address.uri, producer: () => operation(endpoint) };
  },
};

const OPERATIONS: Readonly<Record<string, (endpoint: CmsEndpoint) => Step>> = {
  read: readNode,
  children: childrenOf,
  write: writeNode,
  delete: deleteNode,
};

function operationOf({ path, uri }: EndpointAddress): (endpoint: CmsEndpoint) => Step {
  const found = Object.hasOwn(OPERATIONS, path) ? OPERATIONS[path] : undefined;
  if (found !== undefined) return found;
  const why =
    path === 'query'
      ? 'queries come with a later version'
      : `expected one of ${Object.keys(OPERATIONS).join(', ')}, got '${path}'`;
  throw new ExchangeFailure(
    'org.apache.camel.ResolveEndpointFailedException',
    `Failed to resolve endpoint: ${uri} due to: ${why}`,
  );
}
