import type { OptionValue, RouteModel } from '../model/route-model.js';

/** Which exchanges that began in a route are kept: each; those that failed, also where that was handled; none. */
export type HistoryPolicy = 'all' | 'failure' | 'none';

const PROPERTY = 'mi:history';

/** The route's own word on it, its property `mi:history`, placeholders `resolved`; anything else than the three counts as `all`. */
export function historyPolicy(
  { options }: Pick<RouteModel, 'options'>,
  resolved: (text: string) => string,
): HistoryPolicy {
  const written = propertyOf(options.routeProperty);
  const text = written && resolved(written).trim().toLowerCase();
  return text === 'failure' || text === 'none' ? text : 'all';
}

/** Route properties are written as key and value, one or a list of them. */
function propertyOf(written: OptionValue | undefined): string | undefined {
  const all: readonly OptionValue[] = isList(written) ? written : [written ?? null];
  for (const one of all)
    if (typeof one === 'object' && one !== null && !isList(one) && one.key === PROPERTY) return String(one.value);
  return undefined;
}

const isList = (value: OptionValue | undefined): value is readonly OptionValue[] => Array.isArray(value);
