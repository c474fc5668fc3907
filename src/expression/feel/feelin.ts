import { createRequire } from 'node:module';

export type Feelin = typeof import('feelin');

let loaded: Feelin | undefined;

/** The library that reads and evaluates FEEL. It takes some 35 ms to load, so that happens with the first use. */
export function feelin(): Feelin {
  loaded ??= mended(createRequire(import.meta.url)('feelin') as Feelin);
  return loaded;
}

/** Loads it beforehand. For threads that may be ended at any moment: Node ends the whole process where that happens while `require` loads a module of ES. */
export async function loadFeelin(): Promise<void> {
  const library = await import('feelin');
  loaded ??= mended(library);
}

/**
 * Comparisons are membership in a range, which takes JavaScript's word for whatever is compared: `"10" > 5` is true, so is `"x" >= 5`. As FEEL has it
 * (DMN 1.3, 10.3.2.13) what is of another type cannot be compared, and the result is null.
 */
function mended(library: Feelin): Feelin {
  const { FeelRange } = library;
  const { includes } = FeelRange.prototype;
  FeelRange.prototype.includes = function (value: unknown) {
    const isComparable =
      value instanceof FeelRange || this.valueType === null || kindIn(library, value) === this.valueType;
    return isComparable ? includes.call(this, value) : null;
  };
  for (const { prototype } of [library.FeelDate, library.FeelDateTime]) {
    const written = prototype.toString;
    prototype.toString = function () {
      return written.call(this).replace(LONG_YEAR, '$1$2');
    };
  }
  return library;
}

/** A year as ECMAScript writes it, in six digits. */
const LONG_YEAR = /^(?:\+|(-))0*(\d{4,})(?=-)/;

/** The type of a value, by the names of a range's `valueType`; of null, lists and contexts it is `other`. */
export const kindOfFeel = (value: unknown): string => kindIn(feelin(), value);

function kindIn({ FeelDate, FeelTime, FeelDateTime, FeelDuration }: Feelin, value: unknown): string {
  if (typeof value !== 'object' || value === null) return typeof value;
  if (value instanceof FeelDate) return 'date';
  if (value instanceof FeelTime) return 'time';
  if (value instanceof FeelDateTime) return 'date time';
  return value instanceof FeelDuration ? 'duration' : 'other';
}
