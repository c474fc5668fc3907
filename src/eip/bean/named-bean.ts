import { ExchangeFailure, type Position } from '../../expression/routes.js';

/** A name that can be that of a Java class: with a package. */
const CLASS_NAME = /^[A-Za-z_]\w*(\.[A-Za-z_][\w$]*)+$/;

/** The bean of a name; where there is none, and it is the name of a class, a new instance of that. @throws ExchangeFailure there is neither */
export function beanOrInstance(context: { bean(name: string): unknown }, name: string, at?: Position): unknown {
  const found = context.bean(name) ?? (CLASS_NAME.test(name) ? context.bean(`#class:${name}`) : undefined);
  if (found !== undefined && found !== null) return found;
  throw new ExchangeFailure(
    'org.apache.camel.NoSuchBeanException',
    `No bean could be found in the registry for: ${name}`,
    at && { at },
  );
}
