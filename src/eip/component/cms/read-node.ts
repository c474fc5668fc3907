import { type Exchange, ExchangeFailure, StreamCache } from '../../../expression/routes.js';
import type { Step } from '../../flow/outcome.js';
import type { ReadNode, WorkspaceNode } from '../workspace-port.js';
import { type CmsEndpoint, setHeader } from './cms-endpoint.js';

/** How many bytes of content are read at once. */
const PIECE_BYTES = 262_144;

/** The content of a node becomes the body, of one without content its properties. One that is not there fails the exchange, or with `required=false` gives no body. */
export function readNode(endpoint: CmsEndpoint): Step {
  const isRequired = endpoint.address.options.required !== false;
  return endpoint.step(async (exchange) => {
    const path = await endpoint.pathOf(exchange);
    const { node } = (await endpoint.workspace.read({ kind: 'cms.node', path }, exchange)) as ReadNode;
    if (node === null && isRequired)
      throw new ExchangeFailure('javax.jcr.PathNotFoundException', `expected a node at '${path}', but there is none`);
    return () => {
      exchange.body = node === null ? null : bodyOf(node, exchange, endpoint);
      if (node !== null) setHeaders(exchange, node);
    };
  });
}

function bodyOf({ content, properties }: WorkspaceNode, exchange: Exchange, { workspace }: CmsEndpoint): unknown {
  if (content === null) return properties;
  if ('bytes' in content) return Buffer.from(content.bytes);
  const { blob, size } = content;
  const piece = (from: number) =>
    workspace.read({ kind: 'cms.bytes', blob, size, from, length: PIECE_BYTES }, exchange) as Promise<Uint8Array>;
  return new StreamCache(piecesOf(size, piece));
}

async function* piecesOf(size: number, piece: (from: number) => Promise<Uint8Array>): AsyncGenerator<Buffer> {
  for (let from = 0; from < size; ) {
    const bytes = await piece(from);
    if (bytes.length === 0) throw new ExchangeFailure('java.io.IOException', `the content ends behind ${from} bytes`);
    from += bytes.length;
    yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
}

function setHeaders(exchange: Exchange, node: WorkspaceNode): void {
  setHeader(exchange, 'CamelCmsPath', node.path);
  setHeader(exchange, 'CamelCmsName', node.name);
  setHeader(exchange, 'CamelCmsId', node.id);
  setHeader(exchange, 'CamelCmsNodeType', node.nodeType);
  setHeader(exchange, 'CamelCmsVersion', node.version);
  setHeader(exchange, 'CamelCmsProperties', node.properties);
  setHeader(exchange, 'CamelCmsMimeType', node.mimeType);
  setHeader(exchange, 'CamelCmsLength', node.size);
  setHeader(exchange, 'CamelCmsLastModified', node.modified);
}
