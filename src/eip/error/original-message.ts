import type { Exchange } from '../../expression/routes.js';
import type { Step } from '../flow/outcome.js';
import type { RouteCompiler } from '../pattern/pattern.js';

/** Whether exchanges of a context keep the message with which they begin: so as soon as one of its routes asks for that. */
interface Originals {
  areKept: boolean;
}

const originalsOf = (route: RouteCompiler): Originals =>
  route.context.shared('originals', () => ({ areKept: false }) as Originals);

/** From now on exchanges of the context keep their first message. */
export function askForOriginals(route: RouteCompiler): void {
  originalsOf(route).areKept = true;
}

/** The steps of a route, where an exchange that begins there keeps its message for whoever asks for the original one. */
export function withOriginal(steps: Step, route: RouteCompiler): Step {
  const originals = originalsOf(route);
  return (exchange) => {
    if (originals.areKept && exchange.original === undefined) keepOriginal(exchange);
    return steps(exchange);
  };
}

/** From now on the message of now is the original one: what a branch with a message of its own begins with. */
export function keepOriginal(exchange: Exchange): void {
  exchange.original = { body: exchange.body, headers: exchange.headers.copy() };
}
