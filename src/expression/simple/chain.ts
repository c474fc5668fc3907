import type { Exchange } from '../exchange/exchange.js';
import { Asked, type Expression } from '../exchange/language.js';
import { answered } from '../exchange/stream.js';
import type { SimpleNode } from './node.js';
import type { TextCompiler } from './text-compiler.js';

const PARAMETER = 'CamelSimpleChainParam';

/** `a ~> b ~> c`: the value of each is the body of the next; `$param` is that value, too. The body is afterwards what it was. */
export function chained(
  { links, isNullSafe }: Extract<SimpleNode, { readonly kind: 'chain' }>,
  compiler: TextCompiler,
  compile: (node: SimpleNode) => Expression,
): Expression {
  const [first, ...more] = links.map((link) => linkOf(link, compiler, compile));
  return (exchange) => {
    const body = exchange.body;
    let value = first?.(exchange);
    for (let at = 0; at < more.length; at++) {
      if (value instanceof Asked) return later(exchange, value, more.slice(at), isNullSafe, body);
      if (value === null && isNullSafe) break;
      exchange.body = value;
      value = restoring(exchange, body, more[at]);
    }
    exchange.body = body;
    return value;
  };
}

function restoring(exchange: Exchange, body: unknown, link: Expression | undefined): unknown {
  try {
    return link?.(exchange);
  } catch (thrown) {
    exchange.body = body;
    throw thrown;
  }
}

function later(
  exchange: Exchange,
  asked: Asked,
  links: readonly Expression[],
  isNullSafe: boolean,
  body: unknown,
): Asked {
  const run = async () => {
    try {
      let value = await answered(asked);
      for (const link of links) {
        if (value === null && isNullSafe) break;
        exchange.body = value;
        value = await answered(link(exchange));
      }
      return value;
    } finally {
      exchange.body = body;
    }
  };
  return new Asked(run());
}

function linkOf(node: SimpleNode, compiler: TextCompiler, compile: (node: SimpleNode) => Expression): Expression {
  if (node.kind !== 'text' && node.kind !== 'function') return compile(node);
  const called = node.kind === 'text' ? /^\$(\w+)\(\)\s*$/.exec(node.text)?.[1] : undefined;
  const custom = called === undefined ? undefined : compiler.functions.get(called);
  if (custom !== undefined) return custom;
  if (!node.text.includes('$param')) return compile(node);
  const text = node.text.replaceAll('$param', `\${variable.${PARAMETER}}`);
  const inner = node.kind === 'function' ? compiler.function(text) : compiler.template(text);
  return (exchange) => {
    exchange.variables.set(PARAMETER, exchange.body);
    try {
      return inner(exchange);
    } finally {
      exchange.variables.delete(PARAMETER);
    }
  };
}
