import { asText } from '../conversion/convert.js';
import { iterate } from '../conversion/iterate.js';
import { truthOf } from '../conversion/truth.js';
import { ExchangeFailure } from '../exchange/failure.js';
import type { Asked, Predicate } from '../exchange/language.js';
import { mapped } from '../exchange/stream.js';
import { unquoted, withoutQuotes } from './arguments.js';
import { body, type FunctionMaker, illegalArgument } from './function-call.js';
import { SyntaxProblem } from './syntax-error.js';

const iif: FunctionMaker = (call) => {
  const [condition = '', yes = '', no = ''] = call
    .list('iif(predicate,trueExpression,falseExpression)', 3, 3, { keepQuotes: true })
    .map((it) => it.trim());
  const holds = call.compiler.predicate(condition);
  const [ifTrue, ifFalse] = [call.template(yes), call.template(no)];
  return (exchange) => mapped(holds(exchange), (known) => (known === true ? ifTrue : ifFalse)(exchange));
};

const isEmpty: FunctionMaker = (call) => {
  const subject = call.subject();
  return (exchange) =>
    mapped(subject(exchange), (value) => {
      for (const item of iterate(value)) if (item !== null) return false;
      return true;
    });
};

const truthOfBody: Predicate = (exchange) => mapped(exchange.body, truthOf) as boolean | Asked;

const not: FunctionMaker = (call) => {
  const holds = call.text === '' ? truthOfBody : call.compiler.predicate(call.text);
  return (exchange) => mapped(holds(exchange), (known) => known !== true);
};

const throwException: FunctionMaker = (call) => {
  const [message = '', type = 'java.lang.IllegalArgumentException'] = call
    .list('throwException(type,msg)', 1, 2, { keepQuotes: true })
    .map(withoutQuotes);
  if (!/^[a-z][\w.]*\.[A-Z]\w*$/.test(type))
    throw new SyntaxProblem(0, `expected the full name of an exception's class, but found ${type}`);
  const text = call.template(message);
  return (exchange) =>
    mapped(mapped(text(exchange), asText), (known) => {
      throw new ExchangeFailure(type, String(known));
    });
};

const assertion: FunctionMaker = (call) => {
  const [condition = '', message = ''] = call.list('assert(exp,msg)', 2, 2, { keepQuotes: true });
  const holds = call.compiler.predicate(condition);
  return (exchange) =>
    mapped(holds(exchange), (known) => {
      if (known === true) return null;
      throw new ExchangeFailure('org.apache.camel.language.simple.SimpleAssertionException', withoutQuotes(message));
    });
};

const EMPTY: Readonly<Record<string, () => unknown>> = {
  map: () => ({}),
  list: () => [],
  set: () => new Set(),
  string: () => '',
};

const empty: FunctionMaker = (call) => {
  const written = call.behind.slice(0, call.behind.indexOf(')'));
  const type = written.trim().toLowerCase();
  const make = EMPTY[type];
  return () => {
    if (make === undefined) throw illegalArgument(`function empty(${written}) has unknown type`);
    return make();
  };
};

/** `function(name)` and `function(name,exp)`: one that the text defines. */
const custom: FunctionMaker = (call) => {
  const [name = '', argument] = call.list('function(name,exp)', 1, 2, { keepQuotes: true });
  const known = call.compiler.functions.get(withoutQuotes(name).trim());
  if (known === undefined) throw new SyntaxProblem(0, `No custom simple function with name: ${name}`);
  const input = argument === undefined ? body : call.template(unquoted(argument.trim()));
  return (exchange) => {
    const before = exchange.body;
    return mapped(input(exchange), (value) => {
      exchange.body = value;
      try {
        return known(exchange);
      } finally {
        exchange.body = before;
      }
    });
  };
};

export const LOGIC_FUNCTIONS: Readonly<Record<string, FunctionMaker>> = {
  iif,
  isEmpty,
  not,
  throwException,
  assert: assertion,
  empty,
  newEmpty: empty,
  function: custom,
};
