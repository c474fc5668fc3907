import { failureType } from '../../expression/routes.js';
import { distanceTo, isKindOf } from './java-exceptions.js';

/** How deep causes are looked into: what is thrown may lead back to itself. */
const DEEPEST = 32;

/** An exception and its causes, the deepest cause first: in the order in which handlers are looked for. */
export function causesOf(thrown: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let at = thrown; at !== undefined && at !== null && causes.length < DEEPEST; at = causeOf(at))
    causes.unshift(at);
  return causes;
}

const causeOf = (thrown: unknown) => (thrown instanceof Error ? thrown.cause : undefined);

/** Whether it, or a cause of it, is of one of these classes. */
export const isCaught = (thrown: unknown, classNames: readonly string[]): boolean =>
  causesOf(thrown).some((cause) => classNames.some((name) => isKindOf(failureType(cause), name)));

/** How far the class of `thrown` alone is below the nearest of these. */
export function nearest(thrown: unknown, classNames: readonly string[]): number | undefined {
  const distances = classNames.map((name) => distanceTo(failureType(thrown), name)).filter((it) => it !== undefined);
  return distances.length === 0 ? undefined : Math.min(...distances);
}

/** As Java prints it: `java.io.IOException: no file`. */
export function failureText(thrown: unknown): string {
  const message = failureMessage(thrown);
  return message === '' ? failureType(thrown) : `${failureType(thrown)}: ${message}`;
}

export const failureMessage = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
