import { ExchangeFailure } from '../../../expression/routes.js';
import { CONSUMER_OPTIONS, PRODUCER_OPTIONS } from '../common-options.js';
import type { Component } from '../component.js';

/** The endpoint whose URI a bean is. */
export const ref: Component = {
  schemes: ['ref'],
  syntax: 'name',
  options: { ...CONSUMER_OPTIONS, ...PRODUCER_OPTIONS },
  endpoint({ path }, context) {
    const bean = context.bean(path);
    if (typeof bean === 'string') return context.endpointOf(bean);
    throw new ExchangeFailure(
      'org.apache.camel.NoSuchBeanException',
      `No bean could be found in the registry for: ${path} of type: org.apache.camel.Endpoint`,
    );
  },
};
