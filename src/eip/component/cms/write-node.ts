import { type Exchange, ExchangeFailure, textOf } from '../../../expression/routes.js';
import type { Step } from '../../flow/outcome.js';
import { isPlainMap, plainMap } from '../plain-value.js';
import { simpleOptions, valuesOf } from '../simple-option.js';
import type { NodeCommand, StoredContent, WrittenNode } from '../workspace-port.js';
import { type CmsEndpoint, setHeader } from './cms-endpoint.js';

/** The body becomes the content of a file; a map, or no body, properties alone. Options `property.*` are properties, too. */
export function writeNode(endpoint: CmsEndpoint): Step {
  const { address, context, workspace } = endpoint;
  const { exist = 'Override', createParents } = address.options;
  const properties = simpleOptions(context, address, 'property.');
  const [mimeType, nodeType, version] = ['mimeType', 'nodeType', 'expectedVersion'].map((it) => endpoint.option(it));
  return endpoint.step(async (exchange) => {
    const path = await endpoint.pathOf(exchange);
    const given = await valuesOf(properties, exchange);
    const { body } = exchange;
    const texts = {
      mimeType: textIn((await mimeType?.(exchange)) ?? exchange.headers.get('CamelCmsMimeType')),
      nodeType: textIn(await nodeType?.(exchange)),
    };
    const expectedVersion = versionIn(await version?.(exchange), endpoint);
    const content = await contentOf(body, exchange, endpoint);
    const command: NodeCommand = {
      kind: 'cms.write',
      path,
      properties: plainMap({ ...(isPlainMap(body) && plainMap(body)), ...given }),
      createsParents: createParents !== false,
      exists: String(exist).toLowerCase() as 'override' | 'fail' | 'ignore',
      ...(content !== undefined && { content }),
      ...(texts.mimeType !== undefined && { mimeType: texts.mimeType }),
      ...(texts.nodeType !== undefined && { nodeType: texts.nodeType }),
      ...(expectedVersion !== undefined && { expectedVersion }),
    };
    // Within a block it is not known before the block's end.
    const written = (await workspace.send(command, exchange)) as WrittenNode | null;
    return () => {
      setHeader(exchange, 'CamelCmsPath', written?.path ?? path);
      setHeader(exchange, 'CamelCmsId', written?.id);
      setHeader(exchange, 'CamelCmsVersion', written?.version);
    };
  });
}

/** Deletes a node with all below it; the header `CamelCmsDeleted` tells whether it was there. */
export function deleteNode(endpoint: CmsEndpoint): Step {
  const version = endpoint.option('expectedVersion');
  return endpoint.step(async (exchange) => {
    const path = await endpoint.pathOf(exchange);
    const expectedVersion = versionIn(await version(exchange), endpoint);
    const command = {
      ...{ kind: 'cms.delete' as const, path },
      ...(expectedVersion !== undefined && { expectedVersion }),
    };
    const wasThere = await endpoint.workspace.send(command, exchange);
    return () => setHeader(exchange, 'CamelCmsDeleted', wasThere);
  });
}

/** Stores the body before the command that names it. */
async function contentOf(
  body: unknown,
  exchange: Exchange,
  { workspace, context }: CmsEndpoint,
): Promise<StoredContent | undefined> {
  if (body === null || body === undefined || isPlainMap(body)) return undefined;
  return workspace.store(context.newId(), body, exchange.properties.get('CamelCharsetName'));
}

const textIn = (value: unknown): string | undefined =>
  value === undefined || value === null || value === '' ? undefined : textOf(value);

function versionIn(value: unknown, { address }: CmsEndpoint): number | undefined {
  const text = textIn(value)?.trim();
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new ExchangeFailure(
    'java.lang.IllegalArgumentException',
    `${address.uri}: expected expectedVersion to be the version of a node, got '${text}'`,
  );
}
