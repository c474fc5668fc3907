const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const PARTS = /^(?:(\d+)d)?\s*(?:(\d+)h)?\s*(?:(\d+)m(?!s))?\s*(?:(\d+(?:\.\d+)?)s)?\s*(?:(\d+)ms)?$/;
const ISO = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/** A time of Camel in ms: a number of ms (`500`, also negative), parts with units (`1h30m`, `5s`, `200ms`), or ISO 8601 (`PT5S`). `undefined`: it is none. */
export function parseCamelDuration(text: string): number | undefined {
  const plain = text.trim().toLowerCase();
  if (/^-?\d+$/.test(plain)) return Number(plain);
  if (plain === '') return undefined;
  const [, days, hours, minutes, seconds, millis] = PARTS.exec(plain) ?? ISO.exec(plain.toUpperCase()) ?? [];
  const parts = [days, hours, minutes, seconds, millis];
  if (parts.every((part) => part === undefined)) return undefined;
  const units = [UNITS.d, UNITS.h, UNITS.m, UNITS.s, UNITS.ms];
  return parts.reduce((sum, part, index) => sum + Number(part ?? 0) * (units[index] ?? 0), 0);
}
