import { ExchangeFailure } from '../../../expression/routes.js';
import type { Component, EndpointAddress } from '../component.js';
import { SERVING_OPTIONS, servingEndpoint } from '../platform-http/platform-http.js';
import { restBinding } from './rest-binding.js';

/** Serves requests as `rest` says it: a method, a path, what it takes and what it gives. */
export const rest: Component = {
  schemes: ['rest'],
  syntax: 'method:path:uriTemplate',
  options: {
    ...SERVING_OPTIONS,
    'allowedValues.*': 'text',
    bindingMode: ['off', 'json'],
    clientRequestValidation: 'boolean',
    consumerComponentName: ['platform-http'],
    'defaultValue.*': 'text',
    description: 'text',
    enableNoContentResponse: 'boolean',
    'required.*': 'text',
    routeId: 'text',
    skipBindingOnErrorCode: 'boolean',
    apiDoc: 'refused',
    host: 'refused',
    inType: 'refused',
    outType: 'refused',
    producerComponentName: 'refused',
    queryParameters: 'refused',
  },
  endpoint(address, context) {
    requireMethod(address);
    return servingEndpoint(address, context, restBinding(address.options));
  },
};

const METHODS = ['get', 'post', 'put', 'delete', 'patch', 'head', 'trace', 'connect', 'options'];

function requireMethod({ uri, path }: EndpointAddress): void {
  const [method = '', ...more] = path.split(':');
  if (METHODS.includes(method.toLowerCase()) && more.length > 0) return;
  throw new ExchangeFailure(
    'org.apache.camel.ResolveEndpointFailedException',
    `Failed to resolve endpoint: ${uri} due to: expected rest:method:path, the method being one of ${METHODS.join(', ')}`,
  );
}
