import { ExchangeFailure, type ExpressionModel } from '../../expression/routes.js';

type Position = ExpressionModel['at'];

/** A name that can be that of a Java class: with a package. */
const CLASS_NAME = /^[A-Za-z_]\w*(\.[A-Za-z_][\w$]*)+$/;

/** The bean of a name; where there is none, and it is the name of a class, a new instance of that. @throws ExchangeFailure there is neither */
export function beanOrInstance(context: { bean(name: string): unknown }, name: string, at?: Position): unknown {
  const found = context.bean(name) ?? (CLASS_NAME.test(name) ? context.bean(`#class:${name}`) : undefined);
  if (found !== undefined && found !== null) return found;
  throw noBean(name, at);
}

/** The expression, whose bean is there where it calls one by its name. @throws ExchangeFailure it is not */
export function withBean(model: ExpressionModel, find: (ref: string) => unknown): ExpressionModel {
  const { ref } = model.options;
  if (model.language !== 'method' || typeof ref !== 'string' || ref === '' || find(ref) !== undefined) return model;
  throw noBean(ref, model.at);
}

const noBean = (name: string, at?: Position) =>
  new ExchangeFailure(
    'org.apache.camel.NoSuchBeanException',
    `No bean could be found in the registry for: ${name}`,
    at && { at },
  );
