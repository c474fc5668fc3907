import type { Collection, Document, State } from '../../store/index.js';
import { notThere, type RestAnswer, type RestCall } from './rest-call.js';

/**
 * Document whose id the path has, and which the caller sees. `present`: as it is by now, undefined where it is gone; default: as it is stored. @throws
 * NOT_FOUND
 */
export function named<D extends Document>(
  call: RestCall,
  collection: Collection<D>,
  what: string,
  present: (state: State, stored: D) => D | undefined = (_, stored) => stored,
): D {
  const id = call.param('id');
  const stored = call.state.get(collection, id);
  const isSeen = stored !== undefined && (collection.visible?.(call.caller, stored) ?? true);
  const found = isSeen ? present(call.state, stored) : undefined;
  if (found === undefined) throw notThere(what, id);
  return found;
}

/** A text alone, which no browser takes for a page. */
export const plainText = (text: string): RestAnswer => ({
  bytes: Buffer.from(text),
  headers: { 'Content-Type': 'text/plain', 'Content-Security-Policy': 'sandbox' },
});
