import { ExchangeFailure } from '../../../expression/routes.js';
import { CONSUMER_OPTIONS, PRODUCER_OPTIONS } from '../common-options.js';
import type { Component, OptionKind } from '../component.js';

const OPTIONS = {
  ...CONSUMER_OPTIONS,
  ...PRODUCER_OPTIONS,
  noErrorHandler: 'boolean',
  block: 'boolean',
  failIfNoConsumers: 'boolean',
  timeout: 'duration',
} as const satisfies Record<string, OptionKind>;

/**
 * The route of a template, within the route that names it: its steps are compiled as that one's own. `kamelet:source` is where it takes exchanges from its caller,
 * `kamelet:sink` where it gives them back. Options that are not the component's are parameters of the template.
 */
export const kamelet: Component = {
  schemes: ['kamelet'],
  syntax: 'templateId/routeId',
  options: OPTIONS,
  isLenient: true,
  endpoint({ uri, path, options }) {
    if (path === 'source' || path === 'sink') return { uri, kamelet: path };
    const [templateId = '', routeId] = path.split('/');
    if (templateId === '')
      throw new ExchangeFailure(
        'org.apache.camel.ResolveEndpointFailedException',
        `Failed to resolve endpoint: ${uri} due to: expected kamelet:templateId`,
      );
    const given = Object.entries(options).filter(([name]) => !Object.hasOwn(OPTIONS, name));
    const parameters = Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
    const noErrorHandler = options.noErrorHandler === true;
    return { uri, kamelet: { templateId, routeId, parameters, noErrorHandler } };
  },
};
