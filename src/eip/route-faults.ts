import { ExchangeFailure } from '../expression/index.js';
import { messageOf } from '../shared/errors.js';
import type { Route } from './collections.js';
import type { RouteReport } from './operation/report-routes.js';
import type { Drained, RouteFault } from './route-port.js';

/** That exchanges were still under way behind the time that a route had to end; nothing: none was. */
export function stuckIn({ stuck }: Drained, { work, timeoutMs }: Route): Pick<RouteReport, 'fault'> {
  if (stuck.length === 0) return {};
  const count = `${stuck.length} ${stuck.length === 1 ? 'exchange was' : 'exchanges were'}`;
  const became = work === 'stop' ? 'ended then' : 'left to go on';
  const where = stuck.slice(0, STUCK_SHOWN).map(({ exchangeId, stepId, elapsedMs }) => {
    const place = stepId === null ? 'in a queue' : `in step '${stepId}'`;
    return `${exchangeId} ${place} for ${Math.round(elapsedMs)} ms`;
  });
  const more = stuck.length > STUCK_SHOWN ? `, and ${stuck.length - STUCK_SHOWN} more` : '';
  const message = `${count} under way after ${timeoutMs} ms, and ${became}: ${where.join(', ')}${more}`;
  return { fault: { message } };
}

/** How many exchanges are named that were still under way. */
const STUCK_SHOWN = 10;

/** An exception as it is kept: message, Java class and stack. */
export function faultOf(thrown: unknown): RouteFault {
  const stack = thrown instanceof Error ? thrown.stack : undefined;
  return {
    message: messageOf(thrown),
    ...(thrown instanceof ExchangeFailure && { exceptionType: thrown.type }),
    ...(stack !== undefined && { stack: stack.slice(0, STACK_MAX) }),
  };
}

/** Characters of a stack that are kept. */
const STACK_MAX = 8_000;
