import { type Exchange, ExchangeFailure, type RouteExpression } from '../../../expression/routes.js';
import { evaluated } from '../../flow/outcome.js';
import { PRODUCER_OPTIONS } from '../common-options.js';
import type { Component, ComponentContext } from '../component.js';

const AT = { line: 1, column: 1 };

/** Evaluates an expression for each exchange: of its URI (`language:simple:${body}`), of the option `script`, or of a header. */
export const language: Component = {
  schemes: ['language'],
  syntax: 'languageName:resourceUri',
  options: {
    ...PRODUCER_OPTIONS,
    script: 'text',
    transform: 'boolean',
    resultType: 'text',
    contentCache: 'boolean',
    cacheScript: 'boolean',
    allowTemplateFromHeader: 'boolean',
    allowContextMapAll: 'boolean',
    binary: 'boolean',
  },
  endpoint({ uri, path, options }, context) {
    const [, name = '', resource = ''] = /^([^:]*):?(.*)$/s.exec(path) ?? [];
    if (/^(resource:|classpath:|file:|http:)/.test(resource))
      throw new ExchangeFailure(
        'org.apache.camel.ResolveEndpointFailedException',
        `Failed to resolve endpoint: ${uri} due to: expected the text of a script, got the address ${resource}`,
      );
    const text = options.script === undefined ? resource : String(options.script);
    const compile = (script: string) => compiled(name, script, options.resultType, context);
    const own = text === '' ? undefined : compile(text);
    return {
      uri,
      producer: () => (exchange) => {
        const given =
          options.allowTemplateFromHeader === true ? exchange.headers.get('CamelLanguageScript') : undefined;
        const expression = given === undefined ? (own ?? compile(bodyOf(exchange))) : compile(String(given));
        exchange.headers.delete('CamelLanguageScript');
        return evaluated(expression(exchange), (value) => {
          if (options.transform !== false) exchange.body = value;
          return undefined;
        });
      },
    };
  },
};

const compiled = (name: string, text: string, resultType: unknown, context: ComponentContext): RouteExpression =>
  context
    .language(name)
    .expression({ language: name, text, options: resultType === undefined ? {} : { resultType }, at: AT });

const bodyOf = ({ body }: Exchange): string => String(body ?? '');
