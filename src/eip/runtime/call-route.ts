import { answered, asText, Exchange, failureType, Headers, isStream } from '../../expression/routes.js';
import { badRequest, messageOf } from '../../shared/errors.js';
import { plainValue } from '../component/plain-value.js';
import { schemeOf } from '../model/endpoint-uri.js';
import type { RouteCall, RouteReply } from '../route-port.js';
import type { RouteContext } from './route-context.js';

/** Where routes are called: whatever else there is goes outside, and is for routes alone. */
const CALLED: ReadonlySet<string> = new Set(['direct', 'seda']);

/** Takes a call through the route that begins at its endpoint. @throws BAD_REQUEST the endpoint is none of a route */
export async function callRoute(
  context: RouteContext,
  { endpointUri, body, headers, key, at }: RouteCall,
): Promise<RouteReply> {
  if (!CALLED.has(schemeOf(endpointUri)))
    throw badRequest(`expected an endpoint of a route (direct: or seda:), but found '${endpointUri}'`);
  const producer = context.endpointOf(endpointUri).producer?.();
  if (producer === undefined)
    throw badRequest(`expected an endpoint that takes messages, but '${endpointUri}' takes none`);
  const exchange = new Exchange(
    context,
    { routeId: '', endpointUri: 'bpm:' },
    { body, pattern: 'InOut', headers: new Headers(Object.entries(headers)) },
  );
  exchange.call = { key, at };
  await new Promise<void>((resolve) => {
    context.runner.start(exchange, producer, (thrown) => {
      if (thrown !== undefined) exchange.exception = thrown;
      resolve();
    });
  });
  const { exception } = exchange;
  if (exception !== undefined)
    return { body: null, headers: {}, exception: { type: failureType(exception), message: messageOf(exception) } };
  return { body: await asJson(exchange.body), headers: await headersOf(exchange), exception: null };
}

async function headersOf({ headers }: Exchange): Promise<RouteReply['headers']> {
  const values: Record<string, unknown> = {};
  for (const [name, value] of headers) values[name] = await asJson(value);
  return values;
}

/** Dates and bytes as texts. A stream is read. */
async function asJson(value: unknown): Promise<unknown> {
  const read = isStream(value) ? await answered(asText(value)) : value;
  return textsIn(plainValue(read));
}

function textsIn(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return asText(value);
  if (Array.isArray(value)) return value.map(textsIn);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, textsIn(item)]));
}
