import { ExchangeFailure } from '../../../expression/routes.js';
import { untilReply } from '../../flow/outcome.js';
import type { Component, ComponentContext, Endpoint, EndpointAddress } from '../component.js';
import { HostRules } from './host-rules.js';
import { HttpClient } from './http-client.js';
import { HTTP_OPTIONS, httpOptions } from './http-options.js';
import { requestOf } from './http-request.js';
import { type ReadReply, readReply, takeReply } from './http-response.js';
import { encodedUrl, formQuery } from './http-url.js';

/** Calls of other servers by HTTP. Options that it has none of are parameters of the request. */
export const http: Component = {
  schemes: ['http', 'https'],
  syntax: 'httpUri',
  options: HTTP_OPTIONS,
  isLenient: true,
  endpoint: (address, context) => endpointOf(address, context),
};

function endpointOf(address: EndpointAddress, context: ComponentContext): Endpoint {
  const { uri, scheme, path, passedOn } = address;
  const base = encodedUrl(/^https?:\/\//i.test(path) ? path : `${scheme}://${path}`);
  if (!/^https?:\/\/[^/?]/i.test(base))
    throw new ExchangeFailure(
      'org.apache.camel.ResolveEndpointFailedException',
      `Failed to resolve endpoint: ${uri} due to: expected a host, as in ${scheme}://api.example.com/path`,
    );
  const options = httpOptions(address);
  const at = { uri, base, query: formQuery(passedOn) };
  const { httpHosts, bodyMax } = context.host;
  const client = () => context.shared('http', () => new HttpClient(new HostRules(httpHosts)));
  return {
    uri,
    producer: () => (exchange) => {
      const request = requestOf(exchange, at, options);
      const answer = client()
        .send(request, options)
        .then((reply) => readReply(reply, request.method, options, bodyMax));
      return untilReply(uri, answer, (reply) => {
        takeReply(exchange, reply as ReadReply, options);
        return undefined;
      });
    },
  };
}
