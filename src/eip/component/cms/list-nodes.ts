import { type Exchange, ExchangeFailure, textOf } from '../../../expression/routes.js';
import type { Step } from '../../flow/outcome.js';
import { plainValue } from '../plain-value.js';
import { simpleOptions, valuesOf } from '../simple-option.js';
import type { NodePage, NodeQuery } from '../workspace-port.js';
import { type CmsEndpoint, setHeader } from './cms-endpoint.js';

/** How many nodes a page has, and at most. */
const LIMIT = 100;
const LIMIT_MAX = 1_000;

/** The children of a node become the body. */
export const childrenOf = (endpoint: CmsEndpoint): Step =>
  pageStep(endpoint, async (_, page) => ({ kind: 'cms.children', ...page }));

/** The nodes below one that fit become the body. */
export function queryNodes(endpoint: CmsEndpoint): Step {
  const asked = (['nodeType', 'name', 'mimeType'] as const).map((name) => [name, endpoint.option(name)] as const);
  const properties = simpleOptions(endpoint.context, endpoint.address, 'property.');
  return pageStep(endpoint, async (exchange, page) => {
    const texts: { nodeType?: string; name?: string; mimeType?: string } = {};
    for (const [name, option] of asked) {
      const text = await option(exchange);
      if (!isNone(text)) texts[name] = textOf(text);
    }
    const given = Object.entries(await valuesOf(properties, exchange));
    const wanted = Object.fromEntries(given.map(([name, value]) => [name, valueText(value)]));
    return { kind: 'cms.query', ...texts, properties: wanted, ...page };
  });
}

/** The text that is looked for: an option without a value is the empty one; null: none is. */
function valueText(value: unknown): string | null {
  const plain = value === undefined ? '' : plainValue(value);
  if (plain === null) return null;
  return plain instanceof Date ? plain.toISOString() : textOf(plain);
}

interface NodesPage {
  readonly path: string;
  readonly limit: number;
  readonly after: string | null;
}

/** Nodes become the body, a list of maps; at most `limit` of them, and where there may be more, the header `CamelCmsAfter` tells where they go on. */
function pageStep(endpoint: CmsEndpoint, queryOf: (exchange: Exchange, page: NodesPage) => Promise<NodeQuery>): Step {
  const { limit = LIMIT } = endpoint.address.options;
  if (!Number.isInteger(limit) || Number(limit) < 1 || Number(limit) > LIMIT_MAX)
    throw new ExchangeFailure(
      'java.lang.IllegalArgumentException',
      `${endpoint.address.uri}: expected limit to be a whole number from 1 to ${LIMIT_MAX}, got ${limit}`,
    );
  const after = endpoint.option('after');
  return endpoint.step(async (exchange) => {
    const path = await endpoint.pathOf(exchange);
    const place = await after(exchange);
    const page = { path, limit: Number(limit), after: isNone(place) ? null : String(place) };
    const query = await queryOf(exchange, page);
    const { nodes, after: next } = (await endpoint.workspace.read(query, exchange)) as NodePage;
    return () => {
      exchange.body = nodes.map(({ content: _content, ...node }) => node);
      setHeader(exchange, 'CamelCmsAfter', next);
    };
  });
}

const isNone = (value: unknown): boolean => value === undefined || value === null || value === '';
