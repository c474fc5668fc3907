import { ExchangeFailure } from '../../../expression/routes.js';
import type { Step } from '../../flow/outcome.js';
import { CONSUMER_OPTIONS, PRODUCER_OPTIONS } from '../common-options.js';
import type { Component, EndpointAddress } from '../component.js';
import { CmsEndpoint } from './cms-endpoint.js';
import { childrenOf, queryNodes } from './list-nodes.js';
import { readNode } from './read-node.js';
import { NodeWatch } from './watch-nodes.js';
import { deleteNode, writeNode } from './write-node.js';

/** Nodes of the workspace: read, written, deleted, listed, looked for and followed, with the rights of whoever deployed the route. */
export const cms: Component = {
  schemes: ['cms'],
  syntax: 'operation',
  options: {
    ...CONSUMER_OPTIONS,
    ...PRODUCER_OPTIONS,
    path: 'text',
    deep: 'boolean',
    events: 'text',
    required: 'boolean',
    limit: 'number',
    after: 'text',
    name: 'text',
    mimeType: 'text',
    nodeType: 'text',
    'property.*': 'text',
    exist: ['Override', 'Fail', 'Ignore'],
    createParents: 'boolean',
    expectedVersion: 'text',
  },
  endpoint(address, context) {
    const endpoint = new CmsEndpoint(address, context);
    if (address.path === 'watch') return { uri: address.uri, consumer: (intake) => new NodeWatch(endpoint, intake) };
    const operation = operationOf(address);
    return { uri: address.uri, producer: () => operation(endpoint) };
  },
};

const OPERATIONS: Readonly<Record<string, (endpoint: CmsEndpoint) => Step>> = {
  read: readNode,
  children: childrenOf,
  query: queryNodes,
  write: writeNode,
  delete: deleteNode,
};

function operationOf({ path, uri }: EndpointAddress): (endpoint: CmsEndpoint) => Step {
  const found = Object.hasOwn(OPERATIONS, path) ? OPERATIONS[path] : undefined;
  if (found !== undefined) return found;
  const why = `expected one of ${Object.keys(OPERATIONS).join(', ')}, watch, got '${path}'`;
  throw new ExchangeFailure(
    'org.apache.camel.ResolveEndpointFailedException',
    `Failed to resolve endpoint: ${uri} due to: ${why}`,
  );
}
