import { ExchangeFailure } from '../../../expression/routes.js';
import { CONSUMER_OPTIONS } from '../common-options.js';
import type { Component, ComponentContext, Endpoint, EndpointAddress, OptionKind } from '../component.js';
import { listOf, placeOf } from '../http-place.js';
import { requirePath } from '../mount-table.js';
import { HttpConsumer, type HttpConsumerRules } from './http-consumer.js';

/** Of the endpoint, and of those that `rest` makes. */
export const SERVING_OPTIONS = {
  ...CONSUMER_OPTIONS,
  authentication: ['required', 'none'],
  consumes: 'text',
  produces: 'text',
  muteException: 'boolean',
  populateBodyWithForm: 'boolean',
  requestTimeout: 'duration',
  returnHttpRequestHeaders: 'boolean',
} as const satisfies Record<string, OptionKind>;

/** Serves requests that come to the server, below `/routes/<workspace>`. */
export const platformHttp: Component = {
  schemes: ['platform-http'],
  syntax: 'path',
  options: {
    ...SERVING_OPTIONS,
    handleWriteResponseError: 'boolean',
    httpMethodRestrict: 'text',
    matchOnUriPrefix: 'boolean',
    useBodyHandler: 'boolean',
    useStreaming: 'boolean',
    'cookie*': 'refused',
    fileNameExtWhitelist: 'refused',
    headerFilterStrategy: 'refused',
    oauthProfile: 'refused',
    platformHttpEngine: 'refused',
    useCookieHandler: 'refused',
  },
  endpoint: (address, context) => servingEndpoint(address, context),
};

/** The endpoint of a component that serves HTTP, by the options that all of these have. @throws ExchangeFailure where they are wrong */
export function servingEndpoint(
  { uri, scheme, path, options }: EndpointAddress,
  context: ComponentContext,
  binding?: HttpConsumerRules['binding'],
): Endpoint {
  const rules: HttpConsumerRules = {
    place: placeOf(scheme, path, options),
    consumes: mediaTypes(options.consumes),
    produces: mediaTypes(options.produces),
    isMuted: options.muteException !== false,
    isFormBody: options.populateBodyWithForm !== false,
    returnsRequestHeaders: options.returnHttpRequestHeaders === true,
    timeoutMs: Number(options.requestTimeout ?? 0),
    ...(binding && { binding }),
  };
  requirePath({ ...rules.place, routeId: uri });
  return {
    uri,
    consumer: (intake) => {
      const { front } = context.host;
      if (front === undefined) throw wrong(uri, 'there is no HTTP server in front of these routes');
      return new HttpConsumer(front, intake, context, rules);
    },
  };
}

const mediaTypes = (value: unknown): string[] => {
  const types = listOf(value);
  return types.includes('*/*') ? [] : types;
};

const wrong = (uri: string, why: string) =>
  new ExchangeFailure(
    'org.apache.camel.ResolveEndpointFailedException',
    `Failed to resolve endpoint: ${uri} due to: ${why}`,
  );
